#include "campaign/hooks/hook_program.h"

#include <fmt/format.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

#include <QProcessEnvironment>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <system_error>
#include <utility>

namespace vqas::campaign {
namespace {

// What programs need to find others, a home, a time zone and a language. No secret of the caller's is among them.
constexpr const char* kPassedOn[] = {"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TZ", "TMPDIR"};

// How often it is looked whether a group whose program has ended still has members.
constexpr std::chrono::milliseconds kLookMs{200};

QProcessEnvironment environment_for(const HookMessage& message, std::size_t attempt) {
  const QProcessEnvironment mine = QProcessEnvironment::systemEnvironment();
  QProcessEnvironment environment;
  for (const char* const name : kPassedOn) {
    if (mine.contains(name)) environment.insert(name, mine.value(name));
  }
  environment.insert("VQAS_HOOK_EVENT", QString::fromStdString(std::string(to_string(message.event))));
  environment.insert("VQAS_HOOK_ID", QString::fromStdString(message.id));
  environment.insert("VQAS_HOOK_ATTEMPT", QString::number(attempt));
  return environment;
}

// In the child, before the program: a group that can be ended as a whole, no blocked signals, and an end with VQAS, so
// that a program that hangs does not outlive a killed campaign.
void prepare_child() {
  ::setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
}

}  // namespace

HookProgram::HookProgram(Options options, const HookMessage& message, std::function<void(const HookResult&)> ended)
    : options_(std::move(options)), ended_(std::move(ended)) {
  process_.setProcessChannelMode(QProcess::MergedChannels);
  process_.setProcessEnvironment(environment_for(message, options_.attempt));
  process_.setChildProcessModifier(prepare_child);
  if (!options_.folder.empty()) process_.setWorkingDirectory(QString::fromStdString(options_.folder.string()));
  limit_.setSingleShot(true);
  grace_.setSingleShot(true);
  QObject::connect(&limit_, &QTimer::timeout, &process_, [this] {
    if (!program_ended_) return give_up(fmt::format("it did not end within {:g} s", options_.time_limit_s), kGraceMs);
    result_.left_others = true;
    signal_group(SIGKILL);
    end(result_.delivered, result_.why);
  });
  QObject::connect(&look_, &QTimer::timeout, &process_, [this] { await_group(); });
  QObject::connect(&grace_, &QTimer::timeout, &process_, [this] { signal_group(SIGKILL); });
  QObject::connect(&process_, &QProcess::readyReadStandardOutput, &process_, [this] { take_output(); });
  QObject::connect(&process_, &QProcess::finished, &process_, [this](int code, QProcess::ExitStatus status) {
    take_output();
    if (!given_up_.empty()) {
      signal_group(SIGKILL);  // those of its group that ignored SIGTERM
      return end(false, given_up_);
    }
    program_ended_ = true;
    result_.delivered = status == QProcess::NormalExit && code == 0;
    if (status != QProcess::NormalExit) {
      result_.why = "a signal ended it";
    } else if (code != 0) {
      result_.why = fmt::format("it ended with code {}", code);
    }
    await_group();
  });
  QObject::connect(&process_, &QProcess::errorOccurred, &process_, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      end(false, "it could not be started: " + process_.errorString().toStdString() +
                     "; see whether it exists, may be executed and begins with #! if it is a script");
  });
  limit_.start(std::chrono::milliseconds(std::llround(1000 * options_.time_limit_s)));
  QStringList arguments;
  for (std::size_t i = 1; i < options_.words.size(); ++i) arguments << QString::fromStdString(options_.words[i]);
  std::string program = options_.words.front();
  std::error_code failed;
  // Relative to where VQAS runs, not to where the program will.
  if (program.find('/') != std::string::npos) program = std::filesystem::absolute(program, failed).string();
  process_.start(QString::fromStdString(program), arguments);
  if (process_.state() == QProcess::NotRunning) return;
  group_ = process_.processId();
  process_.write(QByteArray::fromStdString(message.document + "\n"));
  process_.closeWriteChannel();
}

HookProgram::~HookProgram() {
  process_.disconnect();
  if (over_) return;
  signal_group(SIGKILL);
  if (process_.state() != QProcess::NotRunning) process_.waitForFinished(kGraceMs);
}

void HookProgram::stop(const std::string& why) {
  if (program_ended_) {
    signal_group(SIGKILL);
    return end(result_.delivered, result_.why);
  }
  give_up(given_up_.empty() ? why : given_up_, 0);
}

void HookProgram::await_group() {
  if (over_) return;
  if (group_ <= 0 || ::kill(static_cast<pid_t>(-group_), 0) != 0) return end(result_.delivered, result_.why);
  if (!look_.isActive()) look_.start(kLookMs);
}

void HookProgram::take_output() {
  const std::string more = process_.readAllStandardOutput().toStdString();
  result_.printed += more.size();
  result_.output += more.substr(0, kShownOutput - std::min(kShownOutput, result_.output.size()));
  if (result_.printed > kMostOutput && given_up_.empty())
    give_up(fmt::format("it printed more than {} bytes", kMostOutput), 0);
}

void HookProgram::give_up(const std::string& why, int grace_ms) {
  given_up_ = why;
  limit_.stop();
  signal_group(SIGTERM);
  grace_.start(grace_ms);
}

void HookProgram::signal_group(int signal) const {
  if (group_ > 0) ::kill(static_cast<pid_t>(-group_), signal);
}

void HookProgram::end(bool delivered, const std::string& why) {
  if (std::exchange(over_, true)) return;
  limit_.stop();
  grace_.stop();
  look_.stop();
  result_.delivered = delivered;
  result_.why = std::string(why);
  // Later: the caller may destroy this object.
  QTimer::singleShot(0, &process_, [this] {
    const auto ended = ended_;
    ended(HookResult(result_));
  });
}

}  // namespace vqas::campaign
