// A bad link between controller and nodes, and controllers that die: nothing is lost, nothing counts twice.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <map>
#include <set>

#include "node/node_harness.h"
#include "node/tcp_proxy.h"
#include "node/wire/node_archive.h"

namespace vqas {
namespace {

using test::Bench;
using test::TcpProxy;
using test::WatchedRun;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

class BadLink : public test::NodeTest {
 protected:
  static constexpr double kPatience_s = 240;
  static constexpr int kDeadlineMs = 280000;  // for a machine shared by many

  RunPlan plan_through(const Bench& bench, const TcpProxy& a, const TcpProxy& b, const std::string& name) const {
    RunPlan plan = test::short_plan(bench, folder_ / name, 5, {"M4", "F4"});
    plan.node_a = a.address();
    plan.node_b = b.address();
    plan.link_patience_s = kPatience_s;
    return plan;
  }
  static std::string session_of(const std::filesystem::path& run) {
    const auto record = read_session_record(run);
    EXPECT_TRUE(record);
    return record ? record->id : std::string();
  }
  /// Measurements on the disk of a node and those that the run counted from it are the same, each once.
  void expect_all_counted(const RunResults& results, const std::string& session) const {
    for (const DirectionRun& direction : results.directions) {
      std::ifstream journal(folder_ / name_of(direction.to()) / "node-journal.jsonl");
      const SessionHistory history = read_session_history(journal, session);
      std::map<std::uint32_t, std::optional<double>> counted;
      std::set<std::uint32_t> lost;
      for (const StimulusRun& stimulus : direction.stimuli) {
        for (const Measurement& one : stimulus.measurements) {
          if (was_abandoned(one.outcome)) lost.insert(one.sequence);
          if (was_abandoned(one.outcome)) continue;
          EXPECT_TRUE(counted.emplace(one.sequence, one.mos_lqo).second) << one.sequence << " is counted twice";
        }
      }
      for (const auto& [sequence, one] : history.measured) {
        // A transmission that arrived without its end, unconfirmed by its sender, is no measurement.
        if (lost.contains(sequence) && one["marks_found"] != "both") continue;
        ASSERT_TRUE(counted.contains(sequence)) << sequence << " is lost";
        if (counted[sequence]) {
          EXPECT_EQ(*counted[sequence], one["mos_lqo"]);
        }
      }
      for (const auto& [sequence, one] : counted) EXPECT_TRUE(history.measured.contains(sequence)) << sequence;
    }
  }
  /// Everything that left a node is in the table, with an outcome.
  void expect_all_sent_entered(const RunResults& results, const std::string& session) const {
    for (const DirectionRun& direction : results.directions) {
      std::ifstream journal(folder_ / name_of(direction.from) / "node-journal.jsonl");
      std::set<std::uint32_t> entered;
      for (const StimulusRun& stimulus : direction.stimuli) {
        for (const Measurement& one : stimulus.measurements) entered.insert(one.sequence);
      }
      for (const auto& [sequence, one] : read_session_history(journal, session).sent)
        EXPECT_TRUE(entered.contains(sequence)) << name_of(direction.from) << ' ' << sequence;
    }
  }
};

TEST_F(BadLink, ANodeThatWaitsForItsSimulatorIsWaitedFor) {
  Bench bench(test::varied_line(1e-3, 7), folder_);
  TcpProxy a(bench.node_a->address(), 0);
  const TcpProxy b(bench.node_b->address(), 0);
  a.be_absent(1500);
  const RunPlan plan = plan_through(bench, a, b, "late");
  WatchedRun run(plan);
  std::vector<std::string> notices;
  QObject::connect(&run.controller, &Controller::noticed, &run.controller,
                   [&](const QString& message) { notices.push_back(message.toStdString()); });
  ASSERT_TRUE(run.finish(kDeadlineMs));
  EXPECT_EQ(run.error, "");
  EXPECT_THAT(notices, ::testing::ElementsAre(AllOf(HasSubstr("refused"), HasSubstr("trying again for 12 s"))));
}

TEST_F(BadLink, ANodeThatNeverListensEndsTheRunWithTheReason) {
  Bench bench(test::varied_line(1e-3, 7), folder_);
  TcpProxy a(bench.node_a->address(), 0);
  const TcpProxy b(bench.node_b->address(), 0);
  a.be_absent(kDeadlineMs);
  RunPlan plan = plan_through(bench, a, b, "never");
  plan.link_patience_s = 1;
  WatchedRun run(plan);
  ASSERT_TRUE(run.finish(kDeadlineMs));
  EXPECT_EQ(run.code, ErrorCode::line_lost);
  EXPECT_THAT(run.error, AllOf(HasSubstr("node a"), HasSubstr("refused"), HasSubstr("vqas node")));
  EXPECT_LT(run.results().wall_seconds, 10) << "not the 12 s for which one is waited for at most";
}

// It is unknown whether the other node was asked, so the round is abandoned; the time lost began with the link.
TEST_F(BadLink, TheTimeLostByABreakCountsFromTheLossOfTheLink) {
  Bench bench(test::varied_line(1e-3, 7), folder_);
  TcpProxy a(bench.node_a->address(), 0), b(bench.node_b->address(), 0);
  WatchedRun run(plan_through(bench, a, b, "run"));
  QObject::connect(&run.controller, &Controller::paired, &run.controller, [&] { a.cut(4000); });
  ASSERT_TRUE(run.finish(kDeadlineMs));
  EXPECT_EQ(run.error, "");
  EXPECT_GE(run.results().lost_seconds, 3);
  EXPECT_EQ(run.all().size(), 20U);
}

TEST_F(BadLink, CutsLoseNoMeasurements) {
  Bench bench(test::varied_line(1e-3, 7), folder_);
  TcpProxy a(bench.node_a->address(), 5), b(bench.node_b->address(), 5);
  WatchedRun run(plan_through(bench, a, b, "run"));
  std::size_t next = 3;
  QObject::connect(
      &run.controller, &Controller::measured, &run.controller,
      [&] {
        if (run.measured < next) return;
        next += 4;
        if (run.measured % 3 != 1) a.cut(150);
        if (run.measured % 3 != 0) b.cut(100);
      },
      Qt::QueuedConnection);
  ASSERT_TRUE(run.finish(kDeadlineMs));
  EXPECT_EQ(run.error, "");
  EXPECT_GE(a.cuts() + b.cuts(), 5);
  expect_all_counted(run.results(), session_of(folder_ / "run"));
  for (const Measurement& one : run.all()) EXPECT_EQ(one.outcome, Outcome::scored) << one.reason;
  for (const DirectionRun& direction : run.results().directions) {
    for (const StimulusRun& one : direction.stimuli) EXPECT_NE(one.stopped_because, StopReason::line_lost);
  }
}

TEST_F(BadLink, ASlowLinkGivesTheSameResultsAsAFastOne) {
  const auto measured = [&](int delay_ms, const std::string& name) {
    Bench bench(test::varied_line(1e-3, 7), folder_ / name);
    TcpProxy a(bench.node_a->address(), delay_ms), b(bench.node_b->address(), delay_ms);
    WatchedRun run(plan_through(bench, a, b, name));
    EXPECT_TRUE(run.finish(kDeadlineMs));
    EXPECT_EQ(run.error, "");
    std::vector<double> scores;
    for (const Measurement& one : run.all()) scores.push_back(one.mos_lqo.value_or(0));
    return scores;
  };
  EXPECT_EQ(measured(0, "good"), measured(300, "late"));
}

TEST_F(BadLink, ARestartedNodeContinuesTheRun) {
  Bench bench(test::varied_line(1e-3, 7), folder_);
  RunPlan plan = test::short_plan(bench, folder_ / "run", 5, {"M4", "F4"});
  plan.link_patience_s = kPatience_s;
  NodeOptions again;
  again.end = End::b;
  again.line = bench.simulator->name(End::b);
  again.corpus = test::corpus_folder();
  again.data = folder_ / "b";
  again.control = plan.node_b.substr(std::string("ws://").size());
  WatchedRun run(plan);
  std::vector<std::string> noticed;
  QObject::connect(&run.controller, &Controller::noticed, &run.controller,
                   [&](const QString& what) { noticed.push_back(what.toStdString()); });
  ASSERT_TRUE(test::serve_until([&] { return run.measured >= 7; }));
  bench.node_b.reset();
  ASSERT_TRUE(test::serve_until([&] { return !noticed.empty(); })) << "no notice arrived";
  EXPECT_THAT(noticed.front(), AllOf(HasSubstr("node b at"), HasSubstr("out of reach")));
  Result<std::unique_ptr<Node>> started = Error{};
  ASSERT_TRUE(test::serve_until([&] { return static_cast<bool>(started = Node::start(again)); }));
  ASSERT_TRUE(run.finish(kDeadlineMs));
  EXPECT_EQ(run.error, "");
  EXPECT_THAT(noticed, Contains(AllOf(HasSubstr("node b at"), HasSubstr("there again"))));
  EXPECT_GT(run.results().lost_seconds, 0.2) << "it was looked for again after that";
  expect_all_counted(run.results(), session_of(folder_ / "run"));
  expect_all_sent_entered(run.results(), session_of(folder_ / "run"));
  EXPECT_GT(run.results().line_seconds, 0);
}

TEST_F(BadLink, ARunThatEndsAfterItsPatienceCanBeResumed) {
  Bench bench(test::varied_line(1e-3, 7), folder_);
  RunPlan plan = test::short_plan(bench, folder_ / "run", 5, {"M4", "F4"});
  plan.link_patience_s = 1;
  RunResults broken_off;
  {
    TcpProxy a(bench.node_a->address(), 0);
    RunPlan through = plan;
    through.node_a = a.address();
    WatchedRun run(through);
    ASSERT_TRUE(test::serve_until([&] { return run.measured >= 7; }));
    a.cut(1000000);
    ASSERT_TRUE(run.finish(kDeadlineMs));
    EXPECT_EQ(run.code, ErrorCode::line_lost) << run.error;
    EXPECT_THAT(run.error, HasSubstr("node a"));
    broken_off = run.results();
  }
  plan.continues = RunContinuation{broken_off, *read_session_record(folder_ / "run")};
  WatchedRun next(plan);
  ASSERT_TRUE(next.finish(kDeadlineMs));
  EXPECT_EQ(next.error, "");
  expect_all_counted(next.results(), session_of(folder_ / "run"));
  EXPECT_GE(next.all().size(), 20U);
}

TEST_F(BadLink, ARunOfADeadControllerCanBeResumed) {
  Bench bench(test::varied_line(1e-3, 7), folder_);
  RunPlan plan = test::short_plan(bench, folder_ / "run", 5, {"M4", "F4"});
  plan.link_patience_s = kPatience_s;
  RunResults so_far;
  {
    WatchedRun run(plan);
    ASSERT_TRUE(test::serve_until([&] { return run.measured >= 9; }));
    so_far = run.results();
  }  // killed, in the middle of a round
  plan.continues = RunContinuation{so_far, *read_session_record(folder_ / "run")};
  WatchedRun next(plan);
  ASSERT_TRUE(next.finish(kDeadlineMs));
  EXPECT_EQ(next.error, "");
  expect_all_counted(next.results(), session_of(folder_ / "run"));
  EXPECT_EQ(next.results().started_utc, so_far.started_utc);
}

TEST_F(BadLink, ARunIsNotResumedOverAnotherLine) {
  RunContinuation earlier;
  {
    const Bench bench(test::varied_line(1e-3, 7), folder_ / "first");
    const RunPlan plan = test::short_plan(bench, folder_ / "run", 5, {"M4", "F4"});
    const WatchedRun run(plan);
    ASSERT_TRUE(test::serve_until([&] { return run.measured >= 5; }));
    earlier = {run.results(), *read_session_record(plan.folder)};
  }
  const Bench other(test::varied_line(0, 7), folder_ / "second");
  RunPlan plan = test::short_plan(other, folder_ / "run", 5, {"M4", "F4"});
  plan.continues = earlier;
  WatchedRun next(plan);
  ASSERT_TRUE(next.finish(kDeadlineMs));
  EXPECT_EQ(next.code, ErrorCode::bad_input);
  EXPECT_THAT(next.error, HasSubstr("ber was 0.001 and is 0"));
  EXPECT_EQ(next.measured, 0U);
}

// The nodes know the numbers of measurements that the controller's files have lost.
TEST_F(BadLink, ARunThatLostItsRecordOfRoundsPlansNoNumberTwice) {
  Bench bench(test::varied_line(1e-3, 7), folder_);
  RunPlan plan = test::short_plan(bench, folder_ / "run", 5, {"M4", "F4"});
  plan.link_patience_s = kPatience_s;
  RunContinuation earlier;
  {
    const WatchedRun run(plan);
    ASSERT_TRUE(test::serve_until([&] { return run.measured >= 9; }));
    earlier = {run.results(), *read_session_record(plan.folder)};
  }
  for (DirectionRun& direction : earlier.so_far.directions) {
    for (StimulusRun& stimulus : direction.stimuli) stimulus.measurements.clear();
  }
  earlier.session.rounds = 0;
  earlier.session.due.clear();
  earlier.session.planned.clear();
  earlier.session.next_sequence.clear();
  plan.continues = earlier;
  WatchedRun next(plan);
  ASSERT_TRUE(next.finish(kDeadlineMs));
  EXPECT_EQ(next.error, "");
  EXPECT_EQ(next.all().size(), 20U);
}

// Tests every kind of transmission in progress.
TEST_F(BadLink, TransmissionsOfADeadControllerAreNotLineLosses) {
  std::size_t abandoned = 0;
  // Whether a transmission is in progress at a death is chance: after seven deaths, further ones until one was.
  constexpr std::array<std::size_t, 15> kDeaths{1, 3, 5, 7, 9, 11, 13, 2, 4, 6, 8, 10, 12, 14, 16};
  for (std::size_t death = 0; death < (abandoned > 0 ? 7 : kDeaths.size()); ++death) {
    const std::size_t when = kDeaths[death];
    const std::string name = "run-" + std::to_string(when);
    Bench bench(test::varied_line(1e-3, 7), folder_ / name);
    RunPlan plan = test::short_plan(bench, folder_ / name / "run", 5, {"M4", "F4"});
    plan.link_patience_s = kPatience_s;
    RunResults so_far;
    {
      WatchedRun run(plan);
      ASSERT_TRUE(test::serve_until([&] { return run.measured >= when; }));
      so_far = run.results();
    }
    plan.continues = RunContinuation{so_far, *read_session_record(plan.folder)};
    WatchedRun next(plan);
    ASSERT_TRUE(next.finish(kDeadlineMs));
    EXPECT_EQ(next.error, "");
    std::size_t scored = 0;
    for (const Measurement& one : next.all()) {
      EXPECT_NE(one.outcome, Outcome::line_lost) << one.reason;
      scored += one.outcome == Outcome::scored ? 1 : 0;
      if (one.outcome != Outcome::cancelled) continue;
      ++abandoned;
      EXPECT_THAT(one.reason, HasSubstr("when the run was broken off"));
    }
    EXPECT_EQ(scored, 20U) << "and is sent again";
  }
  EXPECT_GT(abandoned, 0U) << "transmissions were in progress";
}

TEST_F(BadLink, ARunStoppedWithASilentNodeEndsWithinSeconds) {
  Bench bench(test::varied_line(1e-3, 7), folder_);
  TcpProxy a(bench.node_a->address(), 0), b(bench.node_b->address(), 0);
  WatchedRun run(plan_through(bench, a, b, "run"));
  ASSERT_TRUE(test::serve_until([&] { return run.measured >= 2; }));
  b.fall_silent();
  const auto asked = std::chrono::steady_clock::now();
  run.controller.cancel();
  ASSERT_TRUE(run.finish(kDeadlineMs));
  EXPECT_EQ(run.code, ErrorCode::cancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(8))
      << "no wait for transmissions in progress";
}

// Plan members that are not in the results: a continued run must keep them.
TEST_F(BadLink, PlanMembersNeededToContinueAreKept) {
  const Bench bench(test::varied_line(1e-3, 7), folder_);
  RunPlan plan = test::short_plan(bench, folder_ / "run", 5, {"M4"});
  plan.guard_s = 0.2;
  plan.within_s = 21;
  plan.holder = "somebody";
  plan.link_patience_s = kPatience_s;
  plan.cap_line_time_s = 12345;
  plan.duplex = Duplex::one;
  plan.redial = "dial \"again\"";
  plan.most_redials = 3;
  plan.redial_s = 17;
  WatchedRun run(plan);
  ASSERT_TRUE(run.finish(kDeadlineMs));
  const auto record = read_session_record(folder_ / "run");
  ASSERT_TRUE(record) << record.error().message;
  RunPlan taken;
  take_plan(*record, taken);
  EXPECT_EQ(taken.node_a, plan.node_a);
  EXPECT_EQ(taken.node_b, plan.node_b);
  EXPECT_EQ(taken.corpus, plan.corpus);
  EXPECT_EQ(taken.guard_s, plan.guard_s);
  EXPECT_EQ(taken.within_s, plan.within_s);
  EXPECT_EQ(taken.holder, plan.holder);
  EXPECT_EQ(taken.link_patience_s, plan.link_patience_s);
  EXPECT_EQ(taken.cap_line_time_s, plan.cap_line_time_s);
  EXPECT_EQ(taken.duplex, plan.duplex);
  EXPECT_EQ(taken.redial, plan.redial);
  EXPECT_EQ(taken.most_redials, plan.most_redials);
  EXPECT_EQ(taken.redial_s, plan.redial_s);
}

TEST(SessionRecordFile, TornOrDamagedLinesAreSkipped) {
  const std::string header =
      R"({"schema":"vqas-session/1","session":"s","key":"k","node_a":"ws://a:1","node_b":"ws://b:1"})";
  const auto parse = [](const std::string& text) { return parse_session_record(text, "session.jsonl"); };
  EXPECT_FALSE(parse(""));
  EXPECT_FALSE(parse("{}\n"));
  EXPECT_FALSE(parse(std::string(100000, '[')));
  EXPECT_THAT(parse(header.substr(0, 50)).error().message, HasSubstr("session.jsonl"));
  const auto record = parse(header + "\n" + R"({"round":1,"line_seconds":0,"planned":[[[0,1],[1,2]],[[1,1]]]})" + "\n" +
                            R"({"round":2,"line_seconds":12.5,"wall_seconds":3.5,"planned":[[[0,3]],[[1,2]]]})" +
                            "\n\n" + R"({"round":3,"planned":[[[0,9)");
  ASSERT_TRUE(record);
  EXPECT_EQ(record->rounds, 2U);
  EXPECT_EQ(record->line_seconds, 12.5);
  EXPECT_EQ(record->wall_seconds, 3.5);
  EXPECT_EQ(record->next_sequence, (std::vector<std::uint32_t>{4, 3}));
  ASSERT_EQ(record->due.size(), 2U);
  EXPECT_EQ(record->due[0], (std::vector<std::pair<std::size_t, std::uint32_t>>{{0, 3}}));
}

// Other connections fill the node's limit; they are closed in time.
TEST_F(BadLink, ANodeThatDisconnectsBeforeItAnswersIsTriedAgain) {
  const Bench bench(test::varied_line(0, 7), folder_);
  TcpProxy a(bench.node_a->address(), 0), b(bench.node_b->address(), 0);
  b.cut(1000);
  RunPlan plan = plan_through(bench, a, b, "run");
  plan.link_patience_s = 0;
  WatchedRun run(plan);
  std::vector<std::string> noticed;
  QObject::connect(&run.controller, &Controller::noticed, &run.controller,
                   [&](const QString& what) { noticed.push_back(what.toStdString()); });
  ASSERT_TRUE(run.finish(kDeadlineMs));
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.all().size(), 20U);
  EXPECT_THAT(noticed, ::testing::ElementsAre(HasSubstr("node b")));
}

}  // namespace
}  // namespace vqas
