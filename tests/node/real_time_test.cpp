// A line whose clock does not wait for the controller. VQAS_LINE_SPEED (1: real time) and VQAS_LINE_STIMULI (number of
// stimuli of the corpus) select longer runs, which measure the share of line time that is speech with a result.
#include <gmock/gmock.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "node/node_harness.h"
#include "node/paced_line.h"
#include "node/tcp_proxy.h"
#include "vqas/corpus/corpus.h"

namespace vqas {
namespace {

constexpr double kRoundTrip_s = 0.6;

double number_of(const char* variable, double otherwise) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::strtod(text, nullptr) : otherwise;
}

class RealTime : public test::NodeTest {
 protected:
  void SetUp() override {
    test::NodeTest::SetUp();
    nodes_ = start_nodes([this](End own) { return line_.open(own); });
    ASSERT_EQ(nodes_.size(), 2U);
  }
  const double speed_ = number_of("VQAS_LINE_SPEED", 20);
  test::PacedLine line_{speed_};
  std::vector<std::unique_ptr<Node>> nodes_;
};

TEST_F(RealTime, OverASlowLinkTheNextTransmissionsWaitAtTheNode) {
  const int delay_ms = static_cast<int>(1000 * kRoundTrip_s / 2 / speed_);
  test::TcpProxy a(nodes_[0]->address(), delay_ms), b(nodes_[1]->address(), delay_ms);
  const auto corpus = Corpus::load(test::corpus_folder());
  ASSERT_TRUE(corpus);
  RunPlan plan = test::plan_for(a.address(), b.address(), folder_ / "run", {});
  plan.sampling.first_count = 2;
  plan.sampling.step = 1;
  plan.sampling.cap_count = 5;
  plan.sampling.goal.half_width = 0.01;
  plan.sampling.fallback.reset();
  plan.link_patience_s = 60;
  plan.within_s = 600;  // by a fast clock; nothing is lost on this line
  std::map<std::string, double> seconds;
  for (const Stimulus& one : corpus->stimuli()) {
    if (static_cast<double>(plan.stimuli.size()) >= number_of("VQAS_LINE_STIMULI", 4)) break;
    plan.stimuli.push_back(one.id);
    seconds[one.id] = corpus->recording(one.id)->seconds();
  }
  test::WatchedRun run(plan);
  ASSERT_TRUE(run.finish(3600000));
  EXPECT_EQ(run.error, "");
  std::size_t scored = 0;
  for (const DirectionRun& direction : run.results().directions) {
    double speech_s = 0;
    for (const StimulusRun& stimulus : direction.stimuli) {
      EXPECT_GE(stimulus.interval.n, 2U) << stimulus.stimulus;
      for (const Measurement& one : stimulus.measurements) {
        EXPECT_EQ(one.outcome, Outcome::scored) << one.reason;
        EXPECT_FALSE(one.delay_ms) << "the ends have no common clock";
        ++scored;
        speech_s += seconds[stimulus.stimulus];
      }
    }
    std::cout << direction_words(direction.from) << ": " << speech_s << " s of speech that counted in "
              << run.results().line_seconds << " s of line time, " << 100 * speech_s / run.results().line_seconds
              << " %\n";
  }
  EXPECT_GE(scored, 4 * plan.stimuli.size());
}

TEST_F(RealTime, ARequestIsAppendedToTheCurrentRound) {
  test::Stranger a(nodes_[0]->address()), b(nodes_[1]->address());
  for (test::Stranger* one : {&a, &b}) EXPECT_EQ(test::code_of(one->ask("session.open", test::session())), 0);
  const auto send = [](int sequence) { return Json::array({{{"stimulus", "M4"}, {"sequence", sequence}}}); };
  const auto expect = [](int sequence) {
    return Json::array({{{"stimulus", "M4"}, {"sequence", sequence}, {"within_s", 600}}});
  };
  const auto ask = [](test::Stranger& node, int number, const Json& out, const Json& in) {
    EXPECT_EQ(test::code_of(node.ask("round.run", {{"number", number}, {"send", out}, {"expect", in}})), 0);
  };
  for (int n = 1; n <= 3; ++n) {
    ask(b, n, Json::array(), expect(n));
    ask(a, n, send(n), Json::array());
  }
  // On a slow machine the first may end before the next arrives; the last one is always reported.
  const auto done = [](test::Stranger& node) {
    Json last;
    do {
      last = node.told("round.done");
    } while (!last.is_null() && last["params"]["number"] != 3);
    return !last.is_null();
  };
  EXPECT_TRUE(done(a));
  for (int n = 1; n <= 3; ++n) {
    const Json measured = b.told("measurement")["params"];
    EXPECT_EQ(measured["sequence"], n);
    EXPECT_EQ(measured["outcome"], "scored") << measured;
  }
  EXPECT_TRUE(done(b));
}

using RealTimeSilence = test::NodeTest;

// At twice the pace of a wall clock, so that a receiver still waits when a mark is overdue by wall-clock time.
TEST_F(RealTimeSilence, AnEndWithoutMarksIsReportedWithItsInputBeforeItStopsWaiting) {
  const test::PacedLine line(2, {}, End::a);
  const auto nodes = start_nodes([&line](End own) { return line.open(own); });
  ASSERT_EQ(nodes.size(), 2U);
  test::WatchedRun run(test::plan_for(nodes[0]->address(), nodes[1]->address(), folder_ / "run"));
  std::vector<MarkWait> waits;
  QObject::connect(&run.controller, &Controller::waiting, &run.controller, [&](const MarkWait& wait) {
    waits.push_back(wait);
    if (waits.size() == 3) {
      run.controller.cancel();
      run.controller.cancel();
    }
  });
  ASSERT_TRUE(run.finish());
  ASSERT_EQ(waits.size(), 3U);
  for (const MarkWait& one : waits) {
    EXPECT_EQ(one.from, End::a);
    EXPECT_EQ(one.heard.kind, IdleInput::Kind::digital_silence);
  }
  EXPECT_LT(waits[0].waited_s, 8) << "of a wall clock";
  EXPECT_LT(waits[1].left_s, waits[0].left_s) << "it is counted down";
}

TEST_F(RealTimeSilence, ANoisyDirectionThatDiesInMidRunIsReported) {
  test::PacedLine line(3);
  line.noisy(0.004);  // -48 dBov
  const auto nodes = start_nodes([&line](End own) { return line.open(own); });
  ASSERT_EQ(nodes.size(), 2U);
  test::WatchedRun run(test::plan_for(nodes[0]->address(), nodes[1]->address(), folder_ / "run"));
  std::vector<MarkWait> waits;
  QObject::connect(&run.controller, &Controller::waiting, &run.controller, [&](const MarkWait& wait) {
    waits.push_back(wait);
    run.controller.cancel();
    run.controller.cancel();
  });
  QObject::connect(&run.controller, &Controller::measured, &run.controller, [&](int direction, int) {
    if (direction == 0) line.die(End::a);
  });
  ASSERT_TRUE(run.finish());
  ASSERT_FALSE(waits.empty());
  EXPECT_EQ(waits[0].from, End::a);
  EXPECT_EQ(waits[0].heard.kind, IdleInput::Kind::noise);
  EXPECT_GT(run.measured, 0) << "something had arrived before";
}

}  // namespace
}  // namespace vqas
