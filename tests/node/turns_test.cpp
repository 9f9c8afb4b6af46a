// Directions that take turns: the plan for each, and the cost of a change of direction.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

#include "node/controller/run_ledger.h"
#include "node/node_harness.h"
#include "node/paced_line.h"
#include "node/tcp_proxy.h"
#include "vqas/corpus/corpus.h"

namespace vqas {
namespace {

constexpr double kStimulus_s = 5;

/// A ledger whose directions take turns, with `cap_s` of line time (0: no cap), on a line without pauses.
class Turns : public ::testing::Test {
 protected:
  void begin(double cap_s, std::size_t first_count = 5) {
    RunPlan plan;
    plan.sampling.first_count = first_count;
    plan.sampling.cap_count = 30;
    plan.cap_line_time_s = cap_s;
    ledger_.emplace(plan, std::vector<std::string>{"M1", "F5"});
    ledger_->set_line_seconds({kStimulus_s, kStimulus_s});
    ledger_->results().duplex = Duplex::one;
  }
  // Everything due in a direction arrives, with scores spread by `scatter`.
  std::size_t complete(std::size_t direction, double scatter) {
    std::size_t count = 0;
    for (const Planned planned : std::vector(ledger_->due(direction).begin(), ledger_->due(direction).end())) {
      if (!come_.at(direction).insert(planned.sequence).second) continue;
      ReceivedMeasurement one;
      one.stimulus = ledger_->stimuli()[planned.stimulus];
      one.measurement.sequence = planned.sequence;
      one.measurement.outcome = Outcome::scored;
      one.measurement.mos_lqo = 3 + (planned.sequence % 2 == 0 ? scatter : 0);
      EXPECT_TRUE(ledger_->received(direction, one));
      used_s_ += kStimulus_s;
      ++count;
    }
    return count;
  }
  std::size_t turn_of(std::size_t direction) {
    std::vector<std::vector<Planned>> more;
    if (!ledger_->plan_turn(direction, kLongestRound, more, used_s_)) return 0;
    EXPECT_TRUE(more[1 - direction].empty());
    return more[direction].size();
  }
  std::optional<RunLedger> ledger_;
  double used_s_ = 0;

 private:
  std::array<std::set<std::uint32_t>, 2> come_;
};

TEST_F(Turns, ATurnIsPlannedAheadWhenItsDirectionHasAllResults) {
  begin(0);
  ASSERT_TRUE(ledger_->plan_next_round(0, kLongestRound, 0));
  EXPECT_EQ(ledger_->due(1).size(), 0U);
  EXPECT_EQ(turn_of(1), 10U) << "while the other one is still due";
  EXPECT_EQ(turn_of(1), 0U) << "and not again while it is due itself";
  EXPECT_EQ(turn_of(0), 0U);
}

// Decisions in between would change nothing, and each would cost a change of direction.
TEST_F(Turns, ATurnContainsEverythingCertain) {
  begin(0);
  ASSERT_TRUE(ledger_->plan_next_round(0, kLongestRound, 0));
  complete(0, 3);
  ASSERT_EQ(turn_of(1), 10U);
  EXPECT_EQ(turn_of(0), 50U) << "up to the cap of 30, of each of two, where nothing less can do";
}

TEST_F(Turns, ACapOnLineTimeIsSharedEqually) {
  begin(200, 30);  // of 300 s needed in each
  ASSERT_TRUE(ledger_->plan_next_round(0, kLongestRound, 0));
  EXPECT_NEAR(static_cast<double>(ledger_->due(0).size()) * kStimulus_s, 100, kStimulus_s);
  std::array<std::size_t, 2> sent{complete(0, 1), 0};
  for (std::size_t direction = 1, turns = 0; turns < 10; direction = 1 - direction, ++turns) {
    if (turn_of(direction) > 0) sent.at(direction) += complete(direction, 1);
  }
  EXPECT_LE(sent[0] + sent[1], 40U);
  EXPECT_GE(sent[0] + sent[1], 38U);
  EXPECT_NEAR(static_cast<double>(sent[0]), static_cast<double>(sent[1]), 1);
}

// An abandoned round uses its line time, and gets no share of the rest.
TEST_F(Turns, TheTimeLeftByABrokenRoundIsSharedEqually) {
  begin(200, 30);
  ASSERT_TRUE(ledger_->plan_next_round(0, kLongestRound, 0));
  ledger_->forget_missing();
  used_s_ = 10;
  std::array<std::size_t, 2> sent{};
  for (std::size_t direction = 0, turns = 0; turns < 10; direction = 1 - direction, ++turns) {
    if (turn_of(direction) > 0) sent.at(direction) += complete(direction, 1);
  }
  EXPECT_LE(used_s_, 200);
  EXPECT_GE(sent[0] + sent[1], 34U);
  EXPECT_NEAR(static_cast<double>(sent[0]), static_cast<double>(sent[1]), 1);
}

TEST_F(Turns, ADirectionWithItsShareLeavesTheRestToTheOther) {
  begin(100, 30);
  ASSERT_TRUE(ledger_->plan_next_round(0, kLongestRound, 0));
  const std::size_t share = complete(0, 1);
  EXPECT_FALSE(ledger_->plan_next_round(used_s_, kLongestRound, 0));
  ASSERT_TRUE(ledger_->plan_next_round(used_s_, kLongestRound, 1));
  EXPECT_NEAR(static_cast<double>(ledger_->due(1).size()), static_cast<double>(share), 1);
}

/// When each transmission of a node left, in s, by its journal.
std::map<std::uint32_t, double> departures(const std::filesystem::path& node) {
  std::map<std::uint32_t, double> found;
  std::ifstream journal(node / "node-journal.jsonl");
  for (std::string line; std::getline(journal, line);) {
    const Json entry = Json::parse(line);
    if (!entry.contains("sent")) continue;
    found[entry["sent"]["sequence"].get<std::uint32_t>()] = entry["sent"]["left_at_ns"].get<double>() * 1e-9;
  }
  return found;
}

class InTurn : public test::NodeTest {};

// With a round trip to either end it would be 1.9 s and more.
TEST_F(InTurn, AChangeOfDirectionOverASlowLinkTakesNoRoundTrip) {
  constexpr double kSpeed = 4, kRoundTrip_s = 0.6;
  const test::PacedLine line(kSpeed, {{{"machine", 0}, {"machine", 0}}});
  const auto nodes = start_nodes([&line](End own) { return line.open(own); });
  const int late_ms = static_cast<int>(1000 * kRoundTrip_s / 2 / kSpeed);
  test::TcpProxy a(nodes[0]->address(), late_ms), b(nodes[1]->address(), late_ms);
  RunPlan plan = test::plan_for(a.address(), b.address(), folder_ / "run");
  plan.sampling.first_count = 3;
  plan.sampling.step = 2;
  plan.sampling.cap_count = 5;
  plan.sampling.goal.half_width = 1e-3;
  plan.sampling.fallback.reset();
  plan.within_s = 200;  // by a fast clock; nothing is lost on this line
  plan.duplex = Duplex::one;
  test::WatchedRun run(plan);
  ASSERT_TRUE(run.finish(120000));
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(run.results().duplex, Duplex::one);
  for (const Measurement& one : run.all()) EXPECT_EQ(one.outcome, Outcome::scored) << one.reason;
  std::map<double, std::size_t> left;  // by time, from which end
  for (const std::size_t end : {0U, 1U}) {
    for (const auto& [sequence, at_s] : departures(folder_ / (end == 0 ? "a" : "b"))) left[at_s] = end;
  }
  ASSERT_EQ(left.size(), run.all().size());
  const double length_s = Corpus::load(test::corpus_folder())->recording("M4")->seconds();
  std::size_t changes = 0;
  for (auto one = left.begin(), next = std::next(one); next != left.end(); one = next++) {
    const double idle_s = next->first - one->first - length_s;
    EXPECT_GT(idle_s, 0.8) << "marks, guards and gap: no end speaks before the other one has ended";
    if (one->second == next->second) continue;
    ++changes;
    EXPECT_LT(idle_s, 0.888 + 0.1 + 0.364 + 0.15) << "and the line's delay, and the end of the capture";
  }
  EXPECT_GE(changes, 2U);
}

// The receiver waits for each of its transmissions in vain before the other end begins; it must still be listened to by
// then.
TEST_F(InTurn, ADirectionWithoutResultsCostsTheOtherNone) {
  const test::PacedLine line(4, {{{"machine", 0}, {"machine", 0}}}, End::a);
  const auto nodes = start_nodes([&line](End own) { return line.open(own); });
  RunPlan plan = test::plan_for(nodes[0]->address(), nodes[1]->address(), folder_ / "run");
  plan.sampling.first_count = plan.sampling.cap_count = 3;
  plan.sampling.max_failures = 4;
  plan.within_s = 8;
  plan.duplex = Duplex::one;
  test::WatchedRun run(plan);
  ASSERT_TRUE(run.finish(280000));
  EXPECT_EQ(run.error, "");
  const auto& measured = run.results().directions[1].stimuli[0].measurements;
  EXPECT_EQ(measured.size(), 3U);
  for (const Measurement& one : measured) EXPECT_EQ(one.outcome, Outcome::scored) << one.sequence << one.reason;
  for (const auto& [sequence, at_s] : departures(folder_ / "b"))
    EXPECT_EQ(std::ranges::count(measured, sequence, &Measurement::sequence), 1) << sequence;
}

}  // namespace
}  // namespace vqas
