#include "node/controller/run_pace.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <iostream>
#include <vector>

#include "node/controller/run_ledger.h"
#include "sampling/simulation.h"

namespace vqas {
namespace {

/// The costs of a line and its control link, in s of the shown clock.
struct Cost {
  double pause_s = 0;       // of a round, until its first result is on its way
  double each_s = 1;        // for a second of line time
  double first_factor = 1;  // factor of the first round's time
  double jitter = 0;        // share by which each result is early or late
  double scatter = 0.5;     // least deviation, in goals: from 2.5 on every stimulus reaches the cap
  double busy_factor = 1;   // by how much the pause of every fourth round is longer
};

/// Of the moments in the second half, how many had an estimate within a fifth of the true time left.
struct Judged {
  std::size_t moments = 0, of_left = 0, of_left_and_1_s = 0, of_whole = 0;
  double told_s = 0, left_s = 0;
  double share() const { return static_cast<double>(of_left) / static_cast<double>(moments); }
  double share_with_1_s() const { return static_cast<double>(of_left_and_1_s) / static_cast<double>(moments); }
};

ReceivedMeasurement next_result(const RunLedger& ledger, std::size_t direction, double mos) {
  const Planned& planned = ledger.due(direction).front();
  ReceivedMeasurement one;
  one.stimulus = ledger.stimuli()[planned.stimulus];
  one.measurement.sequence = planned.sequence;
  one.measurement.outcome = Outcome::scored;
  one.measurement.mos_lqo = mos;
  return one;
}

constexpr std::size_t kStimuli = 12;

/// A run of twelve stimuli in both directions at once, each with its own scatter and length, by a clock that the test
/// moves.
class SimulatedRun {
 public:
  SimulatedRun(const Cost& cost, std::uint64_t seed) : cost_(cost), normal_(seed), ledger_(plan(), names()) {
    for (std::size_t s = 0; s < kStimuli; ++s) seconds_.push_back(4 + 0.3 * static_cast<double>(s % 7));
    ledger_.set_line_seconds(seconds_);
  }

  Judged judge() {
    for (std::size_t round = 0; ledger_.plan_next_round(); ++round) {
      const double busy = round % 4 == 2 ? cost_.busy_factor : 1;
      measure_round(round == 0 ? cost_.first_factor : 1, busy);
    }
    Judged judged;
    for (const auto& [at_s, told_s] : told_) {
      if (at_s < now_s_ / 2 || at_s >= now_s_) continue;
      const double error = std::abs(told_s - (now_s_ - at_s));
      ++judged.moments;
      judged.told_s += told_s;
      judged.left_s += now_s_ - at_s;
      judged.of_left += error <= 0.2 * (now_s_ - at_s) ? 1 : 0;
      judged.of_left_and_1_s += error <= 0.2 * (now_s_ - at_s) + 1 ? 1 : 0;
      judged.of_whole += error <= 0.2 * now_s_ ? 1 : 0;
    }
    return judged;
  }

 private:
  static RunPlan plan() {
    RunPlan plan;
    plan.seed = 3;
    return plan;
  }
  static std::vector<std::string> names() {
    std::vector<std::string> names;
    for (std::size_t s = 0; s < kStimuli; ++s) names.push_back("S" + std::to_string(s));
    return names;
  }

  void measure_round(double factor, double busy) {
    pace_.round_begun(now_s_);
    now_s_ += cost_.pause_s * factor * busy;
    std::array<double, 2> line_s{};
    while (!ledger_.round_complete()) {
      // The direction with the earlier next result.
      std::array<double, 2> next{1e9, 1e9};
      for (std::size_t d = 0; d < 2; ++d) {
        if (!ledger_.due(d).empty()) next.at(d) = line_s.at(d) + seconds_[ledger_.due(d).front().stimulus];
      }
      const std::size_t d = next[1] < next[0] ? 1 : 0;
      const double before = std::max(line_s[0], line_s[1]);
      const std::size_t stimulus = ledger_.due(d).front().stimulus;
      const double deviation = 0.1 * (cost_.scatter + 0.2 * static_cast<double>(stimulus % 6));
      const ReceivedMeasurement one = next_result(ledger_, d, 3 + deviation * normal_());
      line_s.at(d) = next.at(d);
      now_s_ += factor * cost_.each_s * (1 + cost_.jitter * normal_()) *
                std::max(0.0, std::max(line_s[0], line_s[1]) - before);
      ASSERT_TRUE(ledger_.received(d, one));
      ledger_.left(d, {one.measurement.sequence, 0, 0});
      ASSERT_TRUE(ledger_.settle_next(true));
      settled(line_s);
    }
  }
  void settled(const std::array<double, 2>& line_s) {
    pace_.came(now_s_, std::max(line_s[0], line_s[1]));
    const WorkLeft a = ledger_.work_left(0), b = ledger_.work_left(1);
    WorkLeft work;
    work.round_s = std::max(a.round_s, b.round_s);
    work.later_s = std::max(a.round_s + a.later_s, b.round_s + b.later_s) - work.round_s;
    if (work.later_s > 0) work.later_rounds = std::max(a.later_rounds, b.later_rounds);
    told_.emplace_back(now_s_, pace_.left_s(now_s_, work).value_or(-1));
  }

  Cost cost_;
  test::Normal normal_;
  RunLedger ledger_;
  std::vector<double> seconds_;
  RunPace pace_;
  double now_s_ = 0;
  std::vector<std::pair<double, double>> told_;
};

Judged judge(const Cost& cost) {
  Judged all;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Judged one = SimulatedRun(cost, seed).judge();
    all.moments += one.moments;
    all.of_left += one.of_left;
    all.of_left_and_1_s += one.of_left_and_1_s;
    all.of_whole += one.of_whole;
    all.told_s += one.told_s;
    all.left_s += one.left_s;
  }
  std::cout << all.moments
            << " moments in the second half, right within a fifth of the time left: " << 100 * all.share()
            << " %, and a second: " << 100 * all.share_with_1_s() << " %, estimated in all " << all.told_s / all.left_s
            << " of the time left\n";
  return all;
}

TEST(RunPace, IsUnknownBeforeTheFirstResults) {
  RunPace pace;
  EXPECT_FALSE(pace.left_s(0, {100, 0, 0}));
  pace.round_begun(1);
  EXPECT_FALSE(pace.left_s(5, {100, 0, 0}));
  pace.came(6, 5);
  EXPECT_FALSE(pace.left_s(6, {100, 0, 0})) << "how much of it was waiting is not known";
  pace.came(7, 10);
  EXPECT_NEAR(pace.left_s(7, {100, 0, 0}).value(), 20, 1e-9);
}

TEST(RunPace, ResultsOfANodeThatWasOutOfReachAreIgnored) {
  RunPace pace;
  pace.round_begun(0);
  pace.came(6, 5);
  pace.came(11, 10);
  pace.resumed(100, 40);
  EXPECT_NEAR(pace.left_s(100, {20, 0, 0}).value(), 20, 1e-9) << "nothing was due meanwhile";
  pace.came(105, 45);
  EXPECT_NEAR(pace.left_s(105, {10, 0, 0}).value(), 10, 1e-9);
}

TEST(RunPace, RoundsOfOneTransmissionGiveAPace) {
  RunPace pace;
  for (const double begun_s : {0.0, 10.0}) {
    pace.round_begun(begun_s);
    pace.came(begun_s + 10, 5);
  }
  EXPECT_NEAR(pace.left_s(20, {0, 30, 6}).value(), 60, 1e-9);
}

TEST(RunPace, ThePauseOfARoundIsSeparateFromItsPace) {
  RunPace pace;
  pace.round_begun(10);
  pace.came(13.5, 5);  // a pause of 3 s, then 0.1 s for each second
  pace.came(14.5, 15);
  EXPECT_NEAR(pace.left_s(14.5, {20, 0, 0}).value(), 2, 1e-9);
  EXPECT_NEAR(pace.left_s(14.5, {20, 30, 2}).value(), 2 + 2 * 3 + 3, 1e-9);
  // Time passes between two results.
  EXPECT_NEAR(pace.left_s(15, {20, 0, 0}).value(), 1.5, 1e-9);
  pace.round_begun(16.5);
  EXPECT_NEAR(pace.left_s(17.5, {30, 0, 0}).value(), 3 + 3 - 1, 1e-9);
}

TEST(RunPace, ASlowBeginningIsForgotten) {
  RunPace pace;
  double now_s = 0;
  for (const double each_s : {1.0, 0.1, 0.1, 0.1, 0.1}) {
    pace.round_begun(now_s);
    pace.came(now_s += 10 * each_s, 10);
    pace.came(now_s += 90 * each_s, 100);
  }
  EXPECT_LT(pace.left_s(now_s, {100, 0, 0}).value(), 15);
}

// In virtual time, when other work of the machine ends within one long round.
TEST(RunPace, AMachineThatBecomesFreeIsFollowed) {
  RunPace pace;
  double now_s = 0, done_s = 0;
  pace.round_begun(now_s);
  for (; done_s < 300; done_s += 5) pace.came(now_s += 5 * 0.3, done_s + 5);
  for (; done_s < 460; done_s += 5) pace.came(now_s += 5 * 0.05, done_s + 5);
  EXPECT_NEAR(pace.left_s(now_s, {200, 0, 0}).value(), 200 * 0.05, 0.2 * 200 * 0.05);
}

// If every stimulus reaches the cap the samplers' forecast is certain, and the time left depends only on the clock.
TEST(RunPace, IsRightWithinAFifthInRealTime) {
  EXPECT_GE(judge({.pause_s = 0, .each_s = 1, .first_factor = 1, .jitter = 0.02, .scatter = 3}).share(), 0.99);
}

// Virtual time runs a hundred times faster than the wall clock, over a control link that takes seconds per round.
TEST(RunPace, IsRightWithinAFifthInVirtualTimeOverASlowLink) {
  EXPECT_GE(judge({.pause_s = 3, .each_s = 0.01, .first_factor = 1.5, .jitter = 0.3, .scatter = 3}).share(), 0.95);
}

// Other work has the machine now and then: later rounds are not expected to be as slow.
TEST(RunPace, OneSlowRoundDoesNotMislead) {
  RunPace pace;
  double now_s = 0;
  for (const double pause_s : {3.0, 3.0, 12.0}) {
    pace.round_begun(now_s);
    pace.came(now_s += pause_s, 5);
    pace.came(now_s += 1, 15);
  }
  EXPECT_NEAR(pace.left_s(now_s, {0, 30, 2}).value(), 2 * 2.5 + 3, 1e-9);
  const Judged judged =
      judge({.pause_s = 3, .each_s = 0.01, .first_factor = 1.5, .jitter = 0.3, .scatter = 3, .busy_factor = 3});
  EXPECT_GE(judged.share_with_1_s(), 0.85);  // the slow rounds themselves cannot be foreseen
}

// Unlike scatter: where one look more or less decides the last minutes.
TEST(RunPace, IsRightWithinAFifthOfTheWholeWhereTheSamplersDecide) {
  const Judged judged = judge({.pause_s = 0, .each_s = 1, .first_factor = 1, .jitter = 0.02});
  EXPECT_EQ(judged.of_whole, judged.moments);
  EXPECT_NEAR(judged.told_s / judged.left_s, 1, 0.1);
  const Judged late = judge({.pause_s = 3, .each_s = 0.01, .first_factor = 1, .jitter = 0.3});
  EXPECT_NEAR(late.told_s / late.left_s, 1, 0.1);
}

}  // namespace
}  // namespace vqas
