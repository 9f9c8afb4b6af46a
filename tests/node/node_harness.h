#pragma once

#include <gtest/gtest.h>

#include <QWebSocket>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "line/simulator_harness.h"
#include "node/event_loop.h"
#include "node/wire/wire_json.h"
#include "support/places.h"
#include "vqas/node/controller.h"
#include "vqas/node/node.h"

namespace vqas::test {

inline std::filesystem::path corpus_folder() {
  return std::filesystem::path(test::source_dir()) / "corpus";
}

/// A separate folder for each test, removed afterwards unless the test failed.
class NodeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    application();
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("vqas-") + info->test_suite_name() + "-" + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override {
    // A node may still be moving its last recording into place.
    for (std::error_code again; !HasFailure() && (std::filesystem::remove_all(folder_, again), again);) again.clear();
  }
  using OpenEnd = std::function<Result<std::unique_ptr<Line>>(End)>;
  /// The two nodes of a line, with their data in "a" and "b"; `adjust` changes the options of one. None if one does not
  /// start.
  std::vector<std::unique_ptr<Node>> start_nodes(const OpenEnd& open,
                                                 const std::function<void(NodeOptions&)>& adjust = {}) const {
    std::vector<std::unique_ptr<Node>> nodes;
    for (const End end : {End::a, End::b}) {
      NodeOptions options;
      options.end = end;
      options.open_line = open;
      options.corpus = corpus_folder();
      options.data = folder_ / (end == End::a ? "a" : "b");
      if (adjust) adjust(options);
      auto node = Node::start(options);
      EXPECT_TRUE(node) << node.error().message;
      if (!node) return {};
      nodes.push_back(std::move(node).value());
    }
    return nodes;
  }
  std::filesystem::path folder_;
};

/// A simulator and two nodes in this process.
class Bench {
 public:
  Bench(const SimulatedLine& line, const std::filesystem::path& folder, NodeOptions a = {}, NodeOptions b = {})
      : simulator(std::in_place, line) {
    start(node_a, a, End::a, folder / "a");
    start(node_b, b, End::b, folder / "b");
  }

  /// With a given simulator.
  Bench(const RunningSimulator& other, const std::filesystem::path& folder) {
    start(node_a, {}, End::a, folder / "a", &other);
    start(node_b, {}, End::b, folder / "b", &other);
  }

  std::optional<RunningSimulator> simulator;
  std::unique_ptr<Node> node_a, node_b;

 private:
  void start(std::unique_ptr<Node>& node, NodeOptions options, End end, const std::filesystem::path& data,
             const RunningSimulator* other = nullptr) const {
    options.end = end;
    options.line = other != nullptr ? other->name(end) : simulator->name(end);
    if (options.corpus.empty()) options.corpus = corpus_folder();
    options.data = data;
    auto started = Node::start(options);
    ASSERT_TRUE(started) << started.error().message;
    node = std::move(started).value();
  }
};

/// A line with all variable conditions, and `ber`.
inline SimulatedLine varied_line(double ber, std::uint64_t seed) {
  LineConditions conditions;
  conditions.ber = ber;
  conditions.gain_db = -3;
  return symmetric_line(conditions, 20, -30, seed);
}

/// A plan for two nodes with these addresses.
inline RunPlan plan_for(const std::string& node_a, const std::string& node_b, const std::filesystem::path& folder,
                        std::vector<std::string> stimuli = {"M4"}) {
  RunPlan plan;
  plan.node_a = node_a;
  plan.node_b = node_b;
  plan.corpus = corpus_folder();
  plan.stimuli = std::move(stimuli);
  plan.folder = folder;
  return plan;
}

/// A short plan: `cap` measurements of each stimulus in both directions.
inline RunPlan short_plan(const Bench& bench, const std::filesystem::path& folder, std::size_t cap = 5,
                          std::vector<std::string> stimuli = {"M4", "F4"}) {
  RunPlan plan = plan_for(bench.node_a->address(), bench.node_b->address(), folder, std::move(stimuli));
  plan.sampling.first_count = std::min<std::size_t>(cap, 5);
  plan.sampling.cap_count = cap;
  plan.seed = 7;
  return plan;
}

/// A controller and how its run ended.
class WatchedRun {
 public:
  explicit WatchedRun(const RunPlan& plan) : controller(plan) {
    QObject::connect(&controller, &Controller::finished, &controller, [this](const QString& why, int with) {
      error = why.toStdString();
      code = static_cast<ErrorCode>(with);
      finished = true;
    });
    QObject::connect(&controller, &Controller::measured, &controller, [this](int direction, int stimulus) {
      ++measured;
      const auto& run = controller.results().directions.at(static_cast<std::size_t>(direction));
      announced.push_back(run.stimuli.at(static_cast<std::size_t>(stimulus)).measurements.back());
    });
    QObject::connect(&controller, &Controller::noticed, &controller,
                     [this](const QString& what) { noticed.push_back(what.toStdString()); });
    QObject::connect(&controller, &Controller::paused, &controller,
                     [this](const QString& why) { paused.push_back(why.toStdString()); });
    controller.start();
  }
  bool finish(int deadline_ms = 60000) {
    return serve_until([this] { return finished; }, deadline_ms);
  }
  const RunResults& results() const { return controller.results(); }
  std::vector<Measurement> all() const {
    std::vector<Measurement> measurements;
    for (const DirectionRun& direction : results().directions) {
      for (const StimulusRun& stimulus : direction.stimuli) {
        measurements.insert(measurements.end(), stimulus.measurements.begin(), stimulus.measurements.end());
      }
    }
    return measurements;
  }

  Controller controller;
  bool finished = false;
  std::string error;
  ErrorCode code = ErrorCode::bad_input;
  std::size_t measured = 0;
  std::vector<Measurement> announced;
  std::vector<std::string> noticed, paused;
};

/// A client that speaks to a node by hand.
class Stranger {
 public:
  explicit Stranger(const std::string& address) {
    QObject::connect(&socket_, &QWebSocket::textMessageReceived, &socket_,
                     [this](const QString& text) { heard_.push_back(Json::parse(text.toStdString())); });
    QObject::connect(&socket_, &QWebSocket::disconnected, &socket_, [this] { closed_ = true; });
    socket_.open(QUrl(QString::fromStdString(address)));
    EXPECT_TRUE(serve_until([this] { return socket_.isValid(); }));
  }
  void say(const std::string& text) { socket_.sendTextMessage(QString::fromStdString(text)); }
  /// The next matching message, or null at the deadline.
  Json hear(const std::function<bool(const Json&)>& fits) {
    Json found;
    serve_until([&] {
      for (auto one = heard_.begin(); one != heard_.end(); ++one) {
        if (!fits(*one)) continue;
        found = *one;
        heard_.erase(one);
        return true;
      }
      return false;
    });
    return found;
  }
  Json ask(const std::string& method, const Json& params = Json::object()) {
    const int id = ++id_;
    say(Json{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}}.dump());
    return hear([id](const Json& message) { return message.value("id", Json()) == id; });
  }
  Json told(const std::string& method) {
    return hear([&](const Json& message) { return message.value("method", Json()) == method; });
  }
  QWebSocket& socket() { return socket_; }
  bool closed() const { return closed_; }

 private:
  QWebSocket socket_;
  std::vector<Json> heard_;
  bool closed_ = false;
  int id_ = 0;
};

inline Json session(const std::string& name = "test-1") {
  return {{"protocol", 3}, {"holder", "test"}, {"session", name}, {"run_id", 4711}, {"stimuli", {"M4", "F4"}}};
}

inline int code_of(const Json& answer) {
  return answer.contains("error") ? answer["error"]["code"].get<int>() : 0;
}

}  // namespace vqas::test
