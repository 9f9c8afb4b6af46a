#include "vqas/line/simulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "line/simulator_harness.h"
#include "vqas/channel/line_direction.h"

namespace vqas {
namespace {

using test::exchange_silence;
using test::in_time;
using test::RunningSimulator;
using ::testing::HasSubstr;

TEST(Simulator, SendsItsConditionsToBothEnds) {
  LineConditions conditions;
  conditions.ber = 1e-4;
  const RunningSimulator simulator(symmetric_line(conditions, 5, -5, 9));
  for (const End end : {End::a, End::b}) {
    const auto line = simulator.open(end);
    EXPECT_TRUE(line->description().virtual_time);
    EXPECT_EQ(line->description().name, simulator.name(end));
    const auto told = parse_simulated_conditions(line->description().simulated);
    ASSERT_TRUE(told);
    EXPECT_EQ(told->a_to_b.ber, 1e-4);
    EXPECT_EQ(told->seed, 9U);
  }
}

TEST(Simulator, CarriesTheSameSamplesAsTheTwoDirectionsOfTheChannel) {
  LineConditions conditions;
  conditions.ber = 1e-3;
  const SimulatedLine simulated = symmetric_line(conditions, 0, 0, 4);
  const RunningSimulator simulator(simulated);
  constexpr std::size_t kBlocks = 100;
  const auto play = [&simulator](End end) {
    const auto line = simulator.open(end);
    std::vector<float> heard(kBlocks * kLineBlock);
    std::array<float, kLineBlock> sent{};
    for (std::size_t block = 0; block < kBlocks; ++block) {
      for (std::size_t n = 0; n < kLineBlock; ++n) {
        sent[n] = static_cast<float>((block * 31 + n * (end == End::a ? 7 : 11)) % 100) / 400.0F - 0.1F;
      }
      const auto time =
          line->exchange(sent, std::span(heard).subspan(block * kLineBlock, kLineBlock), Round{1, end == End::a});
      EXPECT_TRUE(time && !time->standing && time->index == block);
    }
    return heard;
  };
  auto end_b = std::async(std::launch::async, play, End::b);
  const std::vector<float> at_a = play(End::a);
  const std::vector<float> at_b = in_time(end_b);
  LineDirection a_to_b(simulated.a_to_b, 4, 0), b_to_a(simulated.b_to_a, 4, 1);
  std::vector<float> expected_a(at_a.size()), expected_b(at_b.size());
  for (std::size_t block = 0; block < kBlocks; ++block) {
    std::array<float, kLineBlock> from_a{}, from_b{};
    for (std::size_t n = 0; n < kLineBlock; ++n) {
      from_a[n] = static_cast<float>((block * 31 + n * 7) % 100) / 400.0F - 0.1F;
      from_b[n] = static_cast<float>((block * 31 + n * 11) % 100) / 400.0F - 0.1F;
    }
    a_to_b.push(from_a);
    b_to_a.push(from_b);
    a_to_b.pull(std::span(expected_b).subspan(block * kLineBlock, kLineBlock));
    b_to_a.pull(std::span(expected_a).subspan(block * kLineBlock, kLineBlock));
  }
  EXPECT_EQ(at_a, expected_a);
  EXPECT_EQ(at_b, expected_b);
}

TEST(Simulator, AnInterruptWithdrawsAWaitingBlockAndTheLineContinues) {
  const RunningSimulator simulator;
  const auto a = simulator.open(End::a), b = simulator.open(End::b);
  auto waiting = std::async(std::launch::async, [&] { return exchange_silence(*a, Round{1, true}); });
  a->interrupt();
  const auto taken_back = in_time(waiting);
  ASSERT_FALSE(taken_back);
  EXPECT_EQ(taken_back.error().code, ErrorCode::cancelled);
  auto again = std::async(std::launch::async, [&] { return exchange_silence(*a, Round{2, false}); });
  const auto at_b = exchange_silence(*b, Round{2, true});
  const auto at_a = in_time(again);
  ASSERT_TRUE(at_a && at_b);
  EXPECT_EQ(at_a->index, 0U) << "nothing was taken before";
  EXPECT_EQ(at_b->index, 0U);
}

TEST(Simulator, AStandingEndIsWokenByAnInterruptOrTheLossOfItsLine) {
  const RunningSimulator simulator;
  const auto a = simulator.open(End::a);
  auto b = simulator.open(End::b);
  auto first = std::async(std::launch::async, [&] { return exchange_silence(*a, Round{1, false}); });
  ASSERT_TRUE(exchange_silence(*b, Round{1, false})->standing);
  ASSERT_TRUE(in_time(first)->standing);
  auto standing = std::async(std::launch::async, [&] { return a->stand(); });
  a->interrupt();
  EXPECT_TRUE(in_time(standing));
  auto again = std::async(std::launch::async, [&] { return a->stand(); });
  b.reset();
  EXPECT_EQ(in_time(again).error().code, ErrorCode::line_lost);
}

TEST(Simulator, WhenAnEndLeavesTheOtherEndsLineIsLost) {
  const RunningSimulator simulator;
  const auto a = simulator.open(End::a);
  auto b = simulator.open(End::b);
  auto waiting = std::async(std::launch::async, [&] { return exchange_silence(*a, Round{1, true}); });
  b.reset();
  const auto lost = in_time(waiting);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::line_lost);
  EXPECT_THAT(lost.error().message, HasSubstr("other end"));
  const auto still_lost = exchange_silence(*a, Round{1, true});
  ASSERT_FALSE(still_lost);
  EXPECT_EQ(still_lost.error().code, ErrorCode::line_lost);
}

TEST(Simulator, WhenItDiesBothLinesAreLost) {
  RunningSimulator simulator;
  const auto a = simulator.open(End::a), b = simulator.open(End::b);
  auto waiting = std::async(std::launch::async, [&] { return exchange_silence(*a, Round{1, true}); });
  simulator.stop();
  EXPECT_EQ(in_time(waiting).error().code, ErrorCode::line_lost);
  EXPECT_EQ(exchange_silence(*b, Round{1, true}).error().code, ErrorCode::line_lost);
}

TEST(Simulator, AfterALossBothEndsMayConnectToANewLine) {
  const RunningSimulator simulator;
  { const auto a = simulator.open(End::a), b = simulator.open(End::b); }
  // The simulator notices with a delay that they left; until then it answers that the end is taken.
  const auto reopen = [&simulator](End end) {
    for (const auto start = std::chrono::steady_clock::now();
         std::chrono::steady_clock::now() - start < test::kDeadline;) {
      auto line = open_line(simulator.name(end), end);
      if (line) return std::move(line).value();
    }
    return std::unique_ptr<Line>();
  };
  const auto a = reopen(End::a), b = reopen(End::b);
  ASSERT_TRUE(a && b);
  auto at_a = std::async(std::launch::async, [&] { return exchange_silence(*a, Round{1, true}); });
  const auto at_b = exchange_silence(*b, Round{1, false});
  ASSERT_TRUE(at_b);
  EXPECT_EQ(at_b->index, 0U);
  EXPECT_TRUE(in_time(at_a));
}

TEST(Simulator, AnEndCanBeTakenOnlyOnce) {
  const RunningSimulator simulator;
  const auto a = simulator.open(End::a);
  const auto second = open_line(simulator.name(End::a), End::a);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::line_lost);
  EXPECT_THAT(second.error().message, HasSubstr("taken"));
}

TEST(Simulator, RefusesConditionsOutOfRange) {
  LineConditions conditions;
  conditions.ber = 0.7;
  const auto server = SimulatorServer::listen(symmetric_line(conditions, 0, 0, 1), 0);
  ASSERT_FALSE(server);
  EXPECT_EQ(server.error().code, ErrorCode::bad_input);
}

}  // namespace
}  // namespace vqas
