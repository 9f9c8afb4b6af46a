#include "vqas/node/simulated_bench.h"

#include <fmt/format.h>
#include <unistd.h>

#include <QProcess>
#include <QTimer>
#include <array>
#include <csignal>
#include <functional>

#include "node/wire/wire_json.h"

namespace vqas {
namespace {

constexpr int kStartMs = 60000;
constexpr int kStopMs = 1000;

QStringList simulator_arguments(const SimulatedLine& line) {
  return {"sim", "--conditions", QString::fromStdString(simulated_conditions_json(line)), "--with-parent"};
}

// One of the three processes: prints a line of JSON when it is ready.
struct Part {
  QString name;
  QProcess process;
  QByteArray output;
  bool up = false;
};

}  // namespace

struct SimulatedBench::Engine {
  SimulatedBench& owner;
  const BenchOptions options;
  std::array<Part, 3> parts;  // simulator, node a, node b
  std::string address_a, address_b;
  bool over = false;

  Engine(SimulatedBench& bench, BenchOptions given) : owner(bench), options(std::move(given)) {
    parts[0].name = "the line simulator";
    parts[1].name = "node a";
    parts[2].name = "node b";
  }

  void fail(const QString& message) {
    if (over) return;
    over = true;
    emit owner.failed(message);
  }

  void launch(Part& part, const QStringList& arguments, std::function<void(const Json&)> up) {
    QProcess& process = part.process;
    // The keyboard's interrupt is for the parent, which ends its children in order.
    process.setChildProcessModifier([] {
      ::setpgid(0, 0);
      sigset_t none;
      sigemptyset(&none);
      ::sigprocmask(SIG_SETMASK, &none, nullptr);
    });
    QObject::connect(&process, &QProcess::readyReadStandardOutput, &owner, [this, &part, up = std::move(up)] {
      if (part.up) return;
      part.output += part.process.readAllStandardOutput();
      const qsizetype end = part.output.indexOf('\n');
      if (end < 0) return;
      part.up = true;
      const auto line = parse_json_text(part.output.left(end).toStdString(), part.name.toStdString());
      if (!line || !line->is_object())
        return fail(part.name + " printed something unexpected: " + QString::fromUtf8(part.output));
      up(*line);
    });
    QObject::connect(&process, &QProcess::errorOccurred, &owner, [this, &part](QProcess::ProcessError error) {
      if (error == QProcess::FailedToStart) fail(part.name + " could not be started: " + part.process.errorString());
    });
    QObject::connect(&process, &QProcess::finished, &owner, [this, &part] {
      const QString last_words = QString::fromUtf8(part.process.readAllStandardError()).trimmed();
      fail(part.name + " ended unexpectedly" + (last_words.isEmpty() ? QString() : ": " + last_words));
    });
    process.start(QString::fromStdString(options.program.string()), arguments);
  }

  QStringList node_arguments(const char* end, const std::string& port) const {
    QStringList arguments{"node",
                          "--end",
                          end,
                          "--line",
                          QString::fromStdString(fmt::format("sim:127.0.0.1:{}/{}", port, end)),
                          "--corpus",
                          QString::fromStdString(options.corpus.string()),
                          "--data",
                          QString::fromStdString((options.data / end).string()),
                          "--control",
                          "127.0.0.1:0",
                          "--with-parent"};
    for (const std::string& more : *end == 'a' ? options.node_a_arguments : options.node_b_arguments) {
      arguments << QString::fromStdString(more);
    }
    return arguments;
  }

  void start() {
    QTimer::singleShot(kStartMs, &owner, [this] {
      if (address_a.empty() || address_b.empty())
        fail("the simulated line did not start in time; check whether this computer is overloaded, and try again");
    });
    launch(parts[0], simulator_arguments(options.line), [this](const Json& line) {
      const std::string port = line.value("port", Json()).dump();
      launch(parts[1], node_arguments("a", port), [this](const Json& node) { come_up(address_a, node); });
      launch(parts[2], node_arguments("b", port), [this](const Json& node) { come_up(address_b, node); });
    });
  }

  void come_up(std::string& address, const Json& node) {
    const Json control = node.value("control", Json());
    if (!control.is_string())
      return fail("a node of the simulated line did not print its address; start the run again");
    address = control.get<std::string>();
    if (!over && !address_a.empty() && !address_b.empty()) emit owner.ready();
  }

  void stop() {
    over = true;
    for (Part& part : parts) {
      part.process.disconnect();
      // They end when their standard input does.
      part.process.closeWriteChannel();
    }
    for (Part& part : parts) {
      if (part.process.state() == QProcess::NotRunning || part.process.waitForFinished(kStopMs)) continue;
      part.process.kill();
      part.process.waitForFinished(kStopMs);
    }
  }
};

SimulatedBench::SimulatedBench(BenchOptions options, QObject* parent)
    : QObject(parent), engine_(std::make_unique<Engine>(*this, std::move(options))) {}

SimulatedBench::~SimulatedBench() {
  stop();
}

void SimulatedBench::start() {
  engine_->start();
}

void SimulatedBench::stop() {
  engine_->stop();
}

const std::string& SimulatedBench::node_a() const {
  return engine_->address_a;
}

const std::string& SimulatedBench::node_b() const {
  return engine_->address_b;
}

}  // namespace vqas
