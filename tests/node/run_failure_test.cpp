// A controller's messages about nodes that do not fit, die, or are missing.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "node/node_harness.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using test::Bench;
using test::WatchedRun;
using ::testing::AnyOf;
using ::testing::HasSubstr;

class RunFailure : public test::NodeTest {
 protected:
  // Must end within seconds, whatever else the machine does.
  static constexpr int kSoonMs = 20000;

  // A long run in which `task` happens after some measurements.
  void interrupted_run(Bench& bench, const std::function<void()>& task) {
    WatchedRun run(test::short_plan(bench, folder_ / "run", 30, {}));
    bool done = false;
    QObject::connect(
        &run.controller, &Controller::measured, &run.controller,
        [&] {
          if (run.measured >= 5 && !std::exchange(done, true)) task();
        },
        Qt::QueuedConnection);
    ASSERT_TRUE(run.finish(kSoonMs));
    EXPECT_TRUE(done);
    EXPECT_EQ(run.code, ErrorCode::line_lost);
    EXPECT_FALSE(run.error.empty());
    EXPECT_EQ(run.results().ended_because, run.error);
    EXPECT_GE(run.all().size(), 5U);
    EXPECT_LT(run.all().size(), 120U);
    std::size_t lost = 0;
    for (const Measurement& m : run.all()) {
      EXPECT_TRUE(fs::exists(folder_ / "run" / m.recording));
      if (m.outcome != Outcome::line_lost) continue;
      ++lost;
      EXPECT_FALSE(m.mos_lqo);
      EXPECT_THAT(m.reason, HasSubstr("in progress"));
    }
    EXPECT_GE(lost, 1U) << "transmissions on the line are counted";
    EXPECT_EQ(run.measured, run.all().size()) << "and announced, so that it is in the journal too";
    EXPECT_EQ(run.results().directions[0].stimuli[0].stopped_because, StopReason::line_lost);
    // Each of them took more than 2.5 s of the line; both directions run at once.
    EXPECT_GT(run.results().line_seconds, 2.5 * (static_cast<double>(run.all().size()) / 2 - 1));
    EXPECT_LT(run.results().line_seconds, 20.0 * (static_cast<double>(run.all().size()) + 2));
    results = run.results();
  }
  // Measurements on the disk of a node.
  std::size_t kept_by(const std::string& node) const {
    std::ifstream journal(folder_ / node / "node-journal.jsonl");
    std::size_t count = 0;
    for (std::string line; std::getline(journal, line);)
      count += line.find("\"measurement\":{") != std::string::npos ? 1 : 0;
    return count;
  }
  std::size_t received_at(End node) const {
    std::size_t count = 0;
    for (const DirectionRun& direction : results.directions) {
      for (const StimulusRun& stimulus : direction.stimuli) {
        if (direction.to() != node) continue;
        count += static_cast<std::size_t>(std::ranges::count_if(
            stimulus.measurements, [](const Measurement& one) { return one.outcome != Outcome::line_lost; }));
      }
    }
    return count;
  }
  RunResults results;
};

TEST_F(RunFailure, ADeadNodeEndsTheRunAndKeepsItsMeasurements) {
  Bench bench(test::varied_line(1e-3, 7), folder_);
  interrupted_run(bench, [&] { bench.node_b.reset(); });
  EXPECT_THAT(results.ended_because, HasSubstr("the connection was lost"));
  EXPECT_NE(results.ended_because.back(), '.');
  EXPECT_EQ(received_at(End::a), kept_by("a")) << "the remaining node's measurements were fetched";
}

TEST_F(RunFailure, ADeadSimulatorEndsTheRunAndKeepsItsMeasurements) {
  Bench bench(test::varied_line(1e-3, 7), folder_);
  interrupted_run(bench, [&] { bench.simulator->stop(); });
  EXPECT_EQ(received_at(End::a), kept_by("a"));
  EXPECT_EQ(received_at(End::b), kept_by("b"));
}

// Both the controller's own writing and that of its caller.
TEST_F(RunFailure, AFailedDiskIsNotALineLoss) {
  for (const bool own : {true, false}) {
    const std::filesystem::path here = folder_ / (own ? "own" : "other");
    Bench bench(test::varied_line(1e-3, 7), here);
    WatchedRun run(test::short_plan(bench, here / "run", 30, {}));
    bool done = false;
    QObject::connect(
        &run.controller, &Controller::measured, &run.controller,
        [&] {
          if (run.measured < 5 || std::exchange(done, true)) return;
          if (!own) return run.controller.stop({ErrorCode::io, "cannot write journal.jsonl"});
          // Again while a file being written is renamed.
          for (std::error_code again; fs::remove_all(here / "run" / "recordings", again), again;) again.clear();
          std::ofstream(here / "run" / "recordings") << "in the way";
        },
        Qt::QueuedConnection);
    ASSERT_TRUE(run.finish(kSoonMs));
    EXPECT_EQ(run.code, ErrorCode::io) << run.error;
    EXPECT_THAT(run.error, HasSubstr(own ? "cannot be written" : "cannot write journal.jsonl"));
    EXPECT_GE(run.all().size(), 5U);
    for (const Measurement& one : run.all()) EXPECT_NE(one.outcome, Outcome::line_lost) << one.reason;
    for (const DirectionRun& direction : run.results().directions) {
      // One that had reached its goal before had ended before.
      for (const StimulusRun& one : direction.stimuli)
        EXPECT_THAT(one.stopped_because, AnyOf(StopReason::disk, StopReason::goal)) << one.stimulus;
    }
  }
}

TEST_F(RunFailure, NodesOfADeadControllerServeTheNextOne) {
  Bench bench(test::varied_line(0, 7), folder_);
  {
    WatchedRun run(test::short_plan(bench, folder_ / "run", 30, {}));
    ASSERT_TRUE(test::serve_until([&] { return run.measured >= 5; }));
  }  // killed, in the middle of a round
  // With the same seed: marks of the first one are still on the line.
  const RunPlan plan = test::short_plan(bench, folder_ / "next");
  std::unique_ptr<WatchedRun> next;
  // A node notices after some time that its controller is gone.
  ASSERT_TRUE(test::serve_until([&] {
    if (next && next->finished && next->error.find("held") != std::string::npos) next.reset();
    if (!next) next = std::make_unique<WatchedRun>(plan);
    return next->finished && next->error.find("held") == std::string::npos;
  }));
  EXPECT_EQ(next->error, "");
  EXPECT_EQ(next->all().size(), 20U);
}

TEST_F(RunFailure, ANewNodeInPlaceOfADeadOneWorks) {
  Bench bench(test::varied_line(0, 7), folder_);
  const std::string line = bench.simulator->name(End::b);
  bench.node_b.reset();
  NodeOptions options;
  options.end = End::b;
  options.line = line;
  options.corpus = test::corpus_folder();
  options.data = folder_ / "new-b";
  Result<std::unique_ptr<Node>> started = Error{};
  ASSERT_TRUE(test::serve_until([&] {
    started = Node::start(options);  // the simulator notices after some time that the end is free
    return static_cast<bool>(started);
  }));
  bench.node_b = std::move(started).value();
  WatchedRun run(test::short_plan(bench, folder_ / "run"));
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.all().size(), 20U);
}

TEST_F(RunFailure, AnotherCorpusIsRefusedBeforeLineTimeIsSpent) {
  const fs::path other = folder_ / "corpus";
  fs::copy(test::corpus_folder(), other, fs::copy_options::recursive);
  std::ifstream in(other / "manifest.json");
  Json manifest = Json::parse(in);
  auto& stimuli = manifest["stimuli"];
  ASSERT_TRUE(stimuli.is_array() && stimuli.size() == 12);
  stimuli.erase(stimuli.begin());
  std::ofstream(other / "manifest.json") << manifest.dump();
  NodeOptions with_other;
  with_other.corpus = other;
  Bench bench(test::varied_line(0, 7), folder_, {}, with_other);
  WatchedRun run(test::short_plan(bench, folder_ / "run"));
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.code, ErrorCode::bad_input);
  EXPECT_THAT(run.error, HasSubstr("node b"));
  EXPECT_THAT(run.error, HasSubstr("digest"));
  EXPECT_EQ(run.results().line_seconds, 0);
}

TEST_F(RunFailure, SwappedNodesAreNamed) {
  Bench bench(test::varied_line(0, 7), folder_);
  RunPlan plan = test::short_plan(bench, folder_ / "run");
  std::swap(plan.node_a, plan.node_b);
  WatchedRun run(plan);
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.code, ErrorCode::bad_input);
  EXPECT_THAT(run.error, HasSubstr("swap the two addresses"));
}

TEST_F(RunFailure, ASimulatedLineFollowsTheGuardOfTheMeasurement) {
  for (const auto& [line_guard_s, run_guard_s] : {std::pair{0.05, 0.6}, std::pair{1.0, 0.05}}) {
    SCOPED_TRACE(run_guard_s);
    SimulatedLine line = test::varied_line(0, 7);
    line.a_to_b.end_silence_s = line.b_to_a.end_silence_s = end_silence_for_guard(line_guard_s);
    line.a_to_b.gain_ripple_db = line.b_to_a.gain_ripple_db = 6;
    Bench bench(line, folder_ / "nodes");
    RunPlan plan = test::short_plan(bench, folder_ / "run");
    plan.guard_s = run_guard_s;
    WatchedRun run(plan);
    ASSERT_TRUE(run.finish(kSoonMs));
    ASSERT_EQ(run.error, "");
    std::vector<double> levels;
    for (const DirectionRun& direction : run.results().directions) {
      for (const StimulusRun& stimulus : direction.stimuli) {
        for (const Measurement& one : stimulus.measurements) {
          ASSERT_EQ(one.outcome, Outcome::scored) << one.reason;
          levels.push_back(one.level_difference_db.value_or(0));
        }
      }
    }
    // A new gain for each transmission, each different from the previous one.
    std::ranges::sort(levels);
    ASSERT_GE(levels.size(), 4U);
    for (std::size_t n = 1; n < levels.size(); ++n) EXPECT_GT(levels[n] - levels[n - 1], 1e-3);
    for (const auto& [ignored, conditions] : run.results().simulated)
      EXPECT_EQ(conditions.end_silence_s, end_silence_for_guard(run_guard_s));
  }
}

TEST_F(RunFailure, AMissingNodeIsNamed) {
  Bench bench(test::varied_line(0, 7), folder_);
  RunPlan plan = test::short_plan(bench, folder_ / "run");
  plan.node_b = "ws://127.0.0.1:9";
  WatchedRun run(plan);
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.code, ErrorCode::line_lost);
  EXPECT_THAT(run.error, HasSubstr("ws://127.0.0.1:9"));
  EXPECT_THAT(run.error, HasSubstr("vqas node"));
}

TEST_F(RunFailure, AnInvalidAddressIsRefusedWithAdvice) {
  const auto refusal = [&](const std::string& address) {
    WatchedRun run(test::plan_for("ws://127.0.0.1:9", address, folder_ / "run"));
    EXPECT_TRUE(run.finish(kSoonMs));
    EXPECT_EQ(run.code, ErrorCode::bad_input) << address;
    EXPECT_THAT(run.error, HasSubstr("node b"));
    return run.error;
  };
  EXPECT_THAT(refusal("foo"), HasSubstr("ws://127.0.0.1:"));
  EXPECT_THAT(refusal("127.0.0.1:17811"), HasSubstr("write ws://127.0.0.1:17811"));
  for (const char* address :
       {"", "ws://", "ws://127.0.0.1", "http://127.0.0.1:80", "ws://127.0.0.1:99999", "ws://a b:1"})
    refusal(address);
}

TEST_F(RunFailure, AHeldNodeIsRefusedWithTheNameOfItsHolder) {
  Bench bench(test::varied_line(0, 7), folder_);
  test::Stranger holder(bench.node_b->address());
  holder.ask("session.open", test::session());
  WatchedRun run(test::short_plan(bench, folder_ / "run"));
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_THAT(run.error, HasSubstr("held by \"test\""));
}

TEST_F(RunFailure, AnImpossibleFolderIsAnErrorBeforeLineTimeIsSpent) {
  Bench bench(test::varied_line(0, 7), folder_);
  std::ofstream(folder_ / "file") << "in the way";
  WatchedRun run(test::short_plan(bench, folder_ / "file" / "run"));
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.code, ErrorCode::io);
  EXPECT_THAT(run.error, HasSubstr("file"));
}

TEST_F(RunFailure, ImpossiblePlansAreRefused) {
  Bench bench(test::varied_line(0, 7), folder_);
  const auto refusal = [&](const std::function<void(RunPlan&)>& change) {
    RunPlan plan = test::short_plan(bench, folder_ / "run");
    change(plan);
    WatchedRun run(plan);
    EXPECT_TRUE(run.finish(kSoonMs));
    EXPECT_EQ(run.code, ErrorCode::bad_input);
    return run.error;
  };
  EXPECT_THAT(refusal([](RunPlan& p) { p.stimuli = {"M99"}; }), HasSubstr("M99"));
  EXPECT_THAT(refusal([](RunPlan& p) { p.sampling.cap_count = 1; }), HasSubstr("cap"));
  EXPECT_THAT(refusal([](RunPlan& p) { p.a_to_b = p.b_to_a = false; }), HasSubstr("direction"));
  EXPECT_THAT(refusal([](RunPlan& p) { p.corpus = "gone"; }), HasSubstr("gone"));
}

}  // namespace
}  // namespace vqas
