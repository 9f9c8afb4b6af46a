// A controller connected to a program that is not a valid node.
#include <gmock/gmock.h>

#include <algorithm>
#include <utility>

#include "node/fake_node.h"
#include "node/wire/rpc.h"

namespace vqas {
namespace {

using test::FakeNode;
using test::WatchedRun;
using ::testing::HasSubstr;

class HostileNode : public test::FakeNodesTest {
 protected:
  // Runs against both and expects an error that names node b.
  void expect_named() {
    WatchedRun run(plan());
    ASSERT_TRUE(run.finish(kSoonMs));
    EXPECT_EQ(run.code, ErrorCode::protocol) << run.error;
    EXPECT_THAT(run.error, HasSubstr("node b"));
    measured = run.all();
  }
  static void obey_with_recording(FakeNode& node, const Json& round) {
    for (const Json& one : round["expect"]) {
      Json told = measurement(one);
      told["recording"] = "r.flac";
      node.tell("measurement", told);
    }
    for (const Json& one : round["send"])
      node.tell("sent", {{"sequence", one["sequence"]}, {"left_at_ns", 1'900'000'000}});
    done(node, round);
  }
  QObject context_;
  std::vector<Measurement> measured;
};

TEST_F(HostileNode, ADisconnectedControllerReportsTheReason) {
  b.send_away = "the place is needed for other clients";
  WatchedRun run(plan());
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.code, ErrorCode::line_lost);
  EXPECT_THAT(run.error, HasSubstr("node b"));
  EXPECT_THAT(run.error, HasSubstr("it ended the connection: the place is needed for other clients"));
}

// A node short of file descriptors still has the recording.
TEST_F(HostileNode, ATemporarilyUnreadableRecordingIsRequestedAgain) {
  for (FakeNode* const node : {&a, &b}) {
    node->faults["recording.get"] = rpc::kTryAgain;
    node->on_round = [node](const Json& round) { obey_with_recording(*node, round); };
  }
  WatchedRun run(plan());
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.all().size(), 4U);
  for (const Measurement& one : run.all()) EXPECT_NE(one.recording, "");
}

TEST_F(HostileNode, AMeasurementWhoseRecordingIsGoneCountsWithoutIt) {
  for (FakeNode* const node : {&a, &b}) {
    node->faults["recording.get"] = rpc::kNotFound;
    node->on_round = [node](const Json& round) { obey_with_recording(*node, round); };
  }
  WatchedRun run(plan());
  std::vector<std::string> noticed;
  QObject::connect(&run.controller, &Controller::noticed, &run.controller,
                   [&](const QString& what) { noticed.push_back(what.toStdString()); });
  ASSERT_TRUE(run.finish(kSoonMs));
  EXPECT_EQ(run.error, "");
  ASSERT_EQ(run.all().size(), 4U);
  for (const DirectionRun& direction : run.results().directions) {
    const auto& both = direction.stimuli.front().measurements;
    EXPECT_EQ(both[0].outcome, Outcome::scored);
    EXPECT_EQ(both[0].recording, "");
    EXPECT_THAT(both[0].note, HasSubstr("its recording is missing: "));
    EXPECT_NE(both[1].recording, "");
    EXPECT_EQ(both[1].note, "");
  }
  ASSERT_EQ(noticed.size(), 2U);
  EXPECT_THAT(noticed.front(), HasSubstr("measurement 1 from"));
}

// The recording of one end arrives while the nodes are about to be asked for their results; the other end's measurement
// is only in its list.
TEST_F(HostileNode, ARecordingThatArrivesDuringABreakHidesNoMeasurement) {
  const Json failure = {{"code", "line_lost"}, {"message", "gone"}, {"line_time_ns", 0}};
  std::uint32_t listed = 0;
  a.on_round = [&, rounds = 0](const Json& round) mutable {
    if (++rounds == 1) return a.tell("round.failed", failure);
    if (rounds != 3) return obey(a, round);
    Json recorded = measurement(round["expect"][0]);
    recorded["recording"] = "r.flac";
    a.tell("measurement", recorded);
    a.tell("round.failed", failure);
  };
  b.on_round = [&, rounds = 0](const Json& round) mutable {
    if (++rounds == 1) return;
    if (rounds != 3) return obey(b, round);
    b.answers["results.list"]["measurements"] = Json::array({measurement(round["expect"][0])});
    listed = round["expect"][0]["sequence"];
  };
  RunPlan plan = this->plan();
  plan.link_patience_s = 60;
  WatchedRun run(plan);
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.error, "");
  ASSERT_GT(listed, 0U);
  for (const DirectionRun& direction : run.results().directions) {
    if (direction.from == End::a) {
      EXPECT_TRUE(std::ranges::any_of(direction.stimuli[0].measurements,
                                      [&](const Measurement& one) { return one.sequence == listed; }));
    }
  }
}

TEST_F(HostileNode, AHelloWithAnInvalidLineDoesNotCrash) {
  for (const Json& line : {Json(3), Json::array({1}), Json("sim:"), Json(), Json{{"name", 4}, {"simulated", 3}}}) {
    a.answers["node.hello"]["line"] = b.answers["node.hello"]["line"] = line;
    b.answers["session.open"] = Json::array();
    expect_named();
  }
}

TEST_F(HostileNode, ResultsThatAreNotObjectsAreRefused) {
  for (const char* method : {"node.hello", "session.open", "round.run"}) {
    const Json lawful = b.answers[method];
    for (const Json& result : {Json::array({1}), Json(3), Json("x"), Json()}) {
      b.answers[method] = result;
      expect_named();
    }
    b.answers[method] = lawful;
  }
}

TEST_F(HostileNode, EarlierMeasurementsAreKept) {
  for (const auto& [method, params] :
       std::vector<std::pair<std::string, Json>>{{"sent", {{"sequence", -1}, {"left_at_ns", 0}}},
                                                 {"sent", {{"sequence", 1.7}, {"left_at_ns", 0}}},
                                                 {"sent", Json::array({1})},
                                                 {"round.done", {{"number", 1}, {"line_time_ns", -5}}},
                                                 {"round.failed", {{"code", 4}}},
                                                 {"measurement", {{"sequence", 2}}}}) {
    b.on_round = [&](const Json& round) {
      b.tell("measurement", measurement(round["expect"][0]));
      b.tell(method, params);
    };
    expect_named();
    ASSERT_EQ(measured.size(), 1U) << method;
    EXPECT_EQ(measured[0].mos_lqo, 4.0);
  }
}

TEST_F(HostileNode, AScoreOutsideTheScaleIsRefused) {
  b.on_round = [&](const Json& round) {
    Json impossible = measurement(round["expect"][0]);
    impossible["mos_lqo"] = 900;
    b.tell("measurement", impossible);
  };
  expect_named();
  EXPECT_TRUE(measured.empty());
}

TEST_F(HostileNode, AnImpossibleDelayIsRefused) {
  a.on_round = [&](const Json& round) {
    a.tell("sent", {{"sequence", round["send"][0]["sequence"]}, {"left_at_ns", 0}});
  };
  b.on_round = [&](const Json& round) {
    Json late = measurement(round["expect"][0]);
    late["arrived_at_ns"] = 4'000'000'000'000'000'000;
    QTimer::singleShot(200, &context_, [this, late] { b.tell("measurement", late); });
  };
  expect_named();
  ASSERT_EQ(measured.size(), 1U);
  EXPECT_FALSE(measured[0].delay_ms);
}

}  // namespace
}  // namespace vqas
