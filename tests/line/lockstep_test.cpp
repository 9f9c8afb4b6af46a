// The simulated line without sockets: its answers depend only on the requests, and the two ends never both wait.
#include "line/lockstep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "line/line_pace.h"
#include "vqas/signal/signal.h"

namespace vqas {
namespace {

SimulatedLine line_with_clocks(double a_ppm, double b_ppm, std::uint64_t seed = 1) {
  LineConditions conditions;
  conditions.ber = 1e-3;
  return symmetric_line(conditions, a_ppm, b_ppm, seed);
}

// An end that is busy for some blocks of each round, sends a signal from its seed, and stores what it receives.
struct Actor {
  End end;
  std::vector<std::size_t> busy_blocks;  // by round, from 1
  std::mt19937_64 random;
  std::uint64_t round = 1;
  std::size_t left = 0;
  bool standing = false;
  std::vector<float> heard;
  std::vector<std::int64_t> times;

  Actor(End which, std::vector<std::size_t> busy, std::uint64_t seed)
      : end(which), busy_blocks(std::move(busy)), random(seed), left(busy_blocks.front()) {}

  bool finished() const { return round > busy_blocks.size(); }
  void ask(Lockstep& lockstep) {
    std::array<float, kLineBlock> block{};
    const bool busy = left > 0;
    if (busy) {
      for (float& sample : block) sample = static_cast<float>(random() % 1000) / 4000.0F;
    }
    lockstep.request(end, Round{round, busy}, block);
    asked_busy = busy;
  }
  void take(const Lockstep::Answer& answer) {
    if (answer.kind == Lockstep::Kind::standing) {
      ASSERT_FALSE(asked_busy);
      standing = true;
      return;
    }
    heard.insert(heard.end(), answer.heard.begin(), answer.heard.end());
    times.push_back(answer.time_ns);
    if (asked_busy) {
      --left;
      // The block that was sent again as idle uses the same noise generator.
    }
  }
  // What a controller does when both ends are finished.
  void begin_next_round() {
    standing = false;
    ++round;
    left = finished() ? 0 : busy_blocks[round - 1];
  }
  bool asked_busy = false;
};

struct Played {
  std::vector<float> heard_a, heard_b;
  std::vector<std::int64_t> times_a, times_b;
  bool operator==(const Played&) const = default;
};

// Plays all rounds; `order` decides which end requests first and when each end learns of the next round.
Played play(const SimulatedLine& line, std::uint64_t order) {
  std::mt19937_64 coin(order);
  Lockstep lockstep(line, 0);
  Actor a(End::a, {40, 3, 25}, 11), b(End::b, {10, 30, 0}, 12);
  std::array<Actor*, 2> actors{&a, &b};
  for (std::size_t steps = 0; steps < 100000 && !(a.finished() && b.finished()); ++steps) {
    Actor& actor = *actors[coin() % 2];
    // An end that is finished may learn of the next round before or after the line stood still.
    const bool both_done = a.left == 0 && b.left == 0;
    if (both_done && a.round == b.round && !lockstep.waiting(actor.end) && coin() % 3 == 0) {
      actor.begin_next_round();
    } else if (actor.round < actors[0]->round + actors[1]->round - actor.round && !lockstep.waiting(actor.end)) {
      if (coin() % 3 == 0) actor.begin_next_round();
    } else if (actor.round < std::max(a.round, b.round) && lockstep.waiting(actor.end) && coin() % 3 == 0) {
      // A waiting idle block is withdrawn to start the round.
      EXPECT_TRUE(lockstep.withdraw(actor.end));
      actor.begin_next_round();
    }
    if (!actor.standing && !actor.finished() && !lockstep.waiting(actor.end)) actor.ask(lockstep);
    const auto answers = lockstep.settle();
    EXPECT_FALSE(lockstep.waiting(End::a) && lockstep.waiting(End::b)) << "both ends wait";
    for (const auto& answer : answers.all()) actors[static_cast<std::size_t>(answer.end)]->take(answer);
  }
  EXPECT_TRUE(a.finished() && b.finished()) << "the rounds did not end with order " << order;
  return {a.heard, b.heard, a.times, b.times};
}

TEST(Lockstep, ReceivedSamplesDoNotDependOnTheOrderOfMessages) {
  const SimulatedLine line = line_with_clocks(0, 0);
  const Played first = play(line, 1);
  EXPECT_EQ(first.times_a.size(), 40U + 30U + 25U);
  for (std::uint64_t order = 2; order < 60; ++order) ASSERT_EQ(play(line, order), first) << "order " << order;
}

TEST(Lockstep, ReceivedSamplesDoNotDependOnTheOrderUnderAClockOffset) {
  const SimulatedLine line = line_with_clocks(900, -900);
  const Played first = play(line, 1);
  for (std::uint64_t order = 2; order < 40; ++order) ASSERT_EQ(play(line, order), first) << "order " << order;
}

TEST(Lockstep, AnotherSeedGivesAnotherLine) {
  EXPECT_NE(play(line_with_clocks(0, 0, 1), 1).heard_a, play(line_with_clocks(0, 0, 2), 1).heard_a);
}

TEST(Lockstep, TheClockStandsStillWhenBothAreIdle) {
  Lockstep lockstep(line_with_clocks(0, 0), 0);
  const std::array<float, kLineBlock> silence{};
  lockstep.request(End::a, Round{1, false}, silence);
  EXPECT_EQ(lockstep.settle().count, 0U) << "the other end has sent no request";
  lockstep.request(End::b, Round{1, false}, silence);
  const auto answers = lockstep.settle();
  ASSERT_EQ(answers.count, 2U);
  for (const auto& answer : answers.all()) EXPECT_EQ(answer.kind, Lockstep::Kind::standing);
  EXPECT_EQ(lockstep.taken(End::a), 0U);
  EXPECT_EQ(lockstep.taken(End::b), 0U);
}

TEST(Lockstep, AnEndInALaterRoundWaitsForTheOther) {
  Lockstep lockstep(line_with_clocks(0, 0), 0);
  const std::array<float, kLineBlock> silence{};
  lockstep.request(End::a, Round{2, true}, silence);
  lockstep.request(End::b, Round{1, false}, silence);
  const auto early = lockstep.settle();
  ASSERT_EQ(early.count, 1U);
  EXPECT_EQ(early.items[0].end, End::b);
  EXPECT_EQ(early.items[0].kind, Lockstep::Kind::standing);
  EXPECT_TRUE(lockstep.waiting(End::a));
  lockstep.request(End::b, Round{2, false}, silence);
  const auto both = lockstep.settle();
  ASSERT_EQ(both.count, 2U);
  for (const auto& answer : both.all()) EXPECT_EQ(answer.kind, Lockstep::Kind::heard);
}

TEST(Lockstep, AFastClockExchangesMoreBlocksAndNeitherEndStarves) {
  constexpr std::size_t kBlocks = 30000;  // 10 min: 1000 ppm apart make 30 blocks
  Lockstep lockstep(line_with_clocks(500, -500), 0);
  std::map<End, std::size_t> count;
  std::array<float, kLineBlock> tone{};
  for (std::size_t n = 0; n < tone.size(); ++n) tone[n] = n % 8 < 4 ? 0.1F : -0.1F;
  std::size_t dead = 0;
  while (count[End::a] < kBlocks) {
    for (const End end : {End::a, End::b}) {
      if (!lockstep.waiting(end)) lockstep.request(end, Round{1, true}, tone);
    }
    const auto answers = lockstep.settle();
    for (const auto& answer : answers.all()) {
      ++count[answer.end];
      dead += std::count(answer.heard.begin(), answer.heard.end(), 0.0F) > 40 ? 1 : 0;
    }
  }
  EXPECT_NEAR(static_cast<double>(count[End::a] - count[End::b]), 30, 1);
  EXPECT_EQ(dead, 0U) << "a block of digital zeros means that the line was empty";
}

TEST(Lockstep, TimeRunsByEachEndsOwnClock) {
  Lockstep lockstep(line_with_clocks(100, 0), 0);
  const std::array<float, kLineBlock> silence{};
  std::int64_t last_a = 0, last_b = 0;
  for (int block = 0; block < 1001; ++block) {
    for (const End end : {End::a, End::b}) lockstep.request(end, Round{1, true}, silence);
    const auto answers = lockstep.settle();
    for (const auto& answer : answers.all()) (answer.end == End::a ? last_a : last_b) = answer.time_ns;
  }
  EXPECT_EQ(last_b, 20'000'000'000);
  EXPECT_NEAR(static_cast<double>(last_b - last_a), 20e9 * 100e-6, 1e3);
}

constexpr std::int64_t kMs = 1'000'000;

TEST(LinePace, ABlockIsDueWhenItsTimeHasPassedByTheOtherClock) {
  LinePace pace;
  EXPECT_EQ(pace.due_ns(1000 * kMs, 5 * kMs), 5 * kMs) << "both clocks start at their present values";
  EXPECT_EQ(pace.due_ns(1020 * kMs, 5 * kMs), 25 * kMs);
  EXPECT_EQ(pace.due_ns(1040 * kMs, 6 * kMs), 45 * kMs) << "however fast the requests";
}

TEST(LinePace, AShortDelayIsCaughtUpAndAPauseIsNot) {
  LinePace pace;
  pace.due_ns(0, 0);
  EXPECT_EQ(pace.due_ns(20 * kMs, 150 * kMs), 20 * kMs) << "late, and due before now";
  EXPECT_EQ(pace.due_ns(40 * kMs, 1000 * kMs), 1000 * kMs) << "the clock stood still";
  EXPECT_EQ(pace.due_ns(60 * kMs, 1000 * kMs), 1020 * kMs);
  EXPECT_EQ(pace.due_ns(0, 1100 * kMs), 1100 * kMs) << "another line, whose time begins at 0";
}

}  // namespace
}  // namespace vqas
