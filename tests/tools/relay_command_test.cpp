// vqas relay with unusable arguments, and ended as a user ends it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "support/child.h"
#include "support/exit_codes.h"
#include "support/places.h"
#include "support/process.h"
#include "support/temporary_folder.h"
#include "support/wait_until.h"

namespace vqas {
namespace {

using nlohmann::json;
using ::testing::AnyOf;
using ::testing::HasSubstr;

using test::kBadInput;
using test::kIo;
using test::kUsage;

test::CommandRun relay(const std::string& arguments) {
  return test::run_command(std::string(test::vqas_command()) + " relay " + arguments);
}

TEST(RelayCommand, EachModeHasHelpWithAnExample) {
  for (const std::string mode : {"rtp", "sip", "audio"}) {
    const auto run = relay(mode + " --help");
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(run.output, HasSubstr("Example: vqas relay " + mode));
    EXPECT_EQ(relay(mode + " --no-such-option").exit_code, kUsage);
  }
  EXPECT_EQ(relay("").exit_code, kUsage);
}

TEST(RelayCommand, OptionsOutOfRangeAreRefusedByName) {
  const std::pair<const char*, const char*> cases[] = {
      {"rtp --ber 0.7", "ber"},
      {"rtp --delay-ms -1", "delay_ms"},
      {"rtp --loss 2", "loss"},
      {"rtp --profile no-such-line", "no-such-line"},
      {"rtp --a-to-b beer=1", "beer"},
      {"rtp --b-to-a ber", "KEY=VALUE"},
      {"rtp --listen-a nowhere", "--listen-a"},
      {"rtp --listen-a 127.0.0.1:30001", "odd"},
      {"rtp --fixed-peers", "--peer-a"},
      {"rtp --record-a-to-b pattern.wav", "pattern.wav"},
      {"rtp --control 0.0.0.0:0", "loopback"},
      {"sip --listen 0.0.0.0:5060", "--listen"},
      {"sip --listen 127.0.0.1:0 --phone anna", "--phone"},
      {"audio --in no-such-device", "no-such-device"},
      {"audio --ber 0.7", "ber"},
      {"rtp --seed 18446744073709551616", "18446744073709551616"},
      {"rtp --seed -1", "-1"},
      {"rtp --interval-s nan", "nan"},
      {"rtp --interval-s inf", "inf"},
      {"rtp --ber nan", "ber"},
      {"rtp --jitter-ms inf", "--jitter-ms"},
      {"sip --listen 127.0.0.1:0 --call-timeout-s nan", "nan"},
      {"rtp --listen-a 127.0.0.1:65536", "--listen-a"},
      {"rtp --listen-a 127.0.0.1:65534 --calls 2", "--listen-a"},
      {"rtp --listen-a 127.0.0.1:0 --peer-b 127.0.0.1:65535", "--peer-b"},
  };
  for (const auto& [arguments, named] : cases) {
    const auto run = relay(std::string(arguments) + " --duration-s 1");
    EXPECT_THAT(run.exit_code, AnyOf(kUsage, kBadInput)) << arguments << "\n" << run.output;
    EXPECT_THAT(run.output, HasSubstr(named)) << arguments;
  }
}

TEST(RelayCommand, AnOutputThatCannotBeWrittenIsReported) {
  const auto run = relay("rtp --duration-s 1 --record-a-to-b /no/such/folder/x.bits");
  EXPECT_EQ(run.exit_code, kIo) << run.output;
  EXPECT_THAT(run.output, HasSubstr("/no/such/folder/x.bits"));
}

TEST(RelayCommand, PrintsCountersAsJsonLinesAndEndsInOrderWhenAsked) {
  const test::TemporaryFolder folder;
  test::Child child({test::vqas_command(), "relay", "rtp", "--json", "--interval-s", "0.1", "--seed", "9"},
                    folder.path() / "out");
  const auto lines = [&folder] {
    std::vector<json> all;
    std::istringstream text(test::read_text(folder.path() / "out"));
    for (std::string line; std::getline(text, line);) all.push_back(json::parse(line, nullptr, false));
    return all;
  };
  EXPECT_TRUE(test::wait_until([&] { return lines().size() >= 3; }));
  EXPECT_EQ(child.end(), 0);
  const auto all = lines();
  ASSERT_GE(all.size(), 4U);
  EXPECT_EQ(all.front()["seed"], 9);
  EXPECT_THAT(all.front()["control"].get<std::string>(), HasSubstr("ws://127.0.0.1:"));
  EXPECT_EQ(all[1]["calls"][0]["a_to_b"]["counters"]["packets"], 0);
  EXPECT_EQ(all.back()["ended"]["call"], 0);
}

// A program on a terminal of its own.
class OnTerminal {
 public:
  explicit OnTerminal(std::vector<std::string> command) : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    ::grantpt(master_);
    ::unlockpt(master_);
    char name[128] = {};
    ::ptsname_r(master_, name, sizeof name);
    std::vector<char*> arguments;
    for (std::string& one : command) arguments.push_back(one.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, name, O_RDWR | O_NOCTTY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO);
    if (::posix_spawnp(&process_, arguments[0], &actions, nullptr, arguments.data(), environ) != 0) process_ = -1;
    ::posix_spawn_file_actions_destroy(&actions);
  }
  ~OnTerminal() {
    if (process_ > 0) {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
    ::close(master_);
  }
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;

  // Its output until `awaited` is part of it, or for 20 s.
  std::string shown_until(const std::string& awaited) {
    std::string shown;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (shown.find(awaited) == std::string::npos && std::chrono::steady_clock::now() < end) {
      pollfd readable{master_, POLLIN, 0};
      if (::poll(&readable, 1, 100) < 1) continue;
      char some[4096];
      const ssize_t count = ::read(master_, some, sizeof some);
      if (count <= 0) break;  // it has ended
      shown.append(some, static_cast<std::size_t>(count));
    }
    return shown;
  }
  std::string after_key(char key, const std::string& awaited) {
    if (::write(master_, &key, 1) != 1) return "the terminal takes no key";
    return shown_until(awaited);
  }
  bool echoes() const {
    termios now{};
    return ::tcgetattr(master_, &now) == 0 && (now.c_lflag & ECHO) != 0;
  }
  // Gives its exit code; -1 when it does not end within 20 s, or by a signal.
  int wait() {
    int status = 0;
    if (!test::wait_until([&] { return ::waitpid(process_, &status, WNOHANG) != 0; }, std::chrono::seconds(20)))
      return -1;
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  int master_;
  pid_t process_ = -1;
};

// The output's reader stalls: the relay is not delayed, ends when asked to, and keeps its recording.
TEST(RelayCommand, AStalledReaderDelaysNothing) {
  const test::TemporaryFolder folder;
  const std::string pattern = (folder.path() / "pattern.bits").string();
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
  ::fcntl(pipe[1], F_SETPIPE_SZ, 4096);
  const pid_t process = ::fork();
  ASSERT_GE(process, 0);
  if (process == 0) {
    ::dup2(pipe[1], STDOUT_FILENO);
    ::execl(test::vqas_command(), test::vqas_command(), "relay", "rtp", "--json", "--interval-s", "0.1",
            "--record-a-to-b", pattern.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ::close(pipe[1]);
  // Full when nothing more comes for a second, in which ten reports were due. A pipe of one page takes no second line.
  int there = 0, same = 0;
  for (int before = -1, looks = 0; same < 10 && looks < 600; before = there, ++looks) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ::ioctl(pipe[0], FIONREAD, &there);
    same = there > 0 && there == before ? same + 1 : 0;
  }
  EXPECT_EQ(same, 10) << there << " bytes";
  ::kill(process, SIGTERM);
  int status = 0;
  pid_t ended = 0;
  if (!test::wait_until([&] { return (ended = ::waitpid(process, &status, WNOHANG)) != 0; })) {
    ::kill(process, SIGKILL);
    ::waitpid(process, &status, 0);
  }
  ::close(pipe[0]);
  EXPECT_EQ(ended, process) << "it hung";
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_TRUE(std::filesystem::exists(pattern + ".json"));
}

TEST(RelayCommand, KeysChangeTheConditionsAndAreAnsweredImmediately) {
  OnTerminal relay({test::vqas_command(), "relay", "rtp", "--ber", "1e-4", "--interval-s", "3600"});
  EXPECT_THAT(relay.shown_until("press ? for the keys"), HasSubstr("press ? for the keys"));
  EXPECT_FALSE(relay.echoes());
  const std::pair<char, const char*> keys[] = {
      {'+', "BER 0.001, both directions"},
      {'-', "BER 0.0001, both directions"},
      {'d', "keys now act on a to b"},
      {'+', "BER 0.001, a to b"},
      {'d', "keys now act on b to a"},
      {'-', "BER 1e-05, b to a"},
      {'l', "1 % more packet loss, b to a"},
      {'0', "no errors, no loss, b to a"},
      {'+', "BER 1e-06, b to a"},
      {'d', "keys now act on both directions"},
      {'e', "one wrong bit, both directions"},
      {'?', "q quit"},
      {'x', "q quit"},
  };
  for (const auto& [key, answer] : keys) EXPECT_THAT(relay.after_key(key, answer), HasSubstr(answer)) << key;
  relay.after_key('q', "nothing: it reads until the program has ended");
  EXPECT_EQ(relay.wait(), 0);
  EXPECT_TRUE(relay.echoes()) << "the terminal is as it was";
}

}  // namespace
}  // namespace vqas
