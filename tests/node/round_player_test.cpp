#include "node/play/round_player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace vqas {
namespace {

using ::testing::Each;

std::vector<PlayItem> two_items() {
  return {{7, 100, std::vector<float>(500, 0.25F)}, {8, 30, std::vector<float>(300, 0.5F)}};
}

struct Played {
  std::vector<float> samples;
  std::vector<std::pair<std::uint32_t, std::size_t>> departures;  // sequence, position
};

Played play(RoundPlayer player, std::size_t block) {
  Played played;
  std::vector<float> part(block);
  while (player.busy()) {
    const auto departure = player.fill(part);
    if (departure) played.departures.emplace_back(departure->sequence, played.samples.size() + departure->offset);
    played.samples.insert(played.samples.end(), part.begin(), part.end());
  }
  return played;
}

TEST(RoundPlayer, PlaysInOrderAndReportsEachDeparture) {
  const Played played = play(RoundPlayer(two_items()), 160);
  ASSERT_EQ(played.samples.size(), 960U);
  for (std::size_t n = 0; n < played.samples.size(); ++n) {
    const float expected = n < 100 || n >= 930 ? 0.0F : n < 600 ? 0.25F : n < 630 ? 0.0F : 0.5F;
    ASSERT_EQ(played.samples[n], expected) << n;
  }
  const std::vector<std::pair<std::uint32_t, std::size_t>> departures{{7, 100}, {8, 630}};
  EXPECT_EQ(played.departures, departures);
}

TEST(RoundPlayer, DoesNotDependOnTheBlock) {
  const Played reference = play(RoundPlayer(two_items()), 1);
  for (const std::size_t block : {7U, 50U, 100U, 160U}) {
    Played played = play(RoundPlayer(two_items()), block);
    EXPECT_EQ(played.departures, reference.departures) << block;
    played.samples.resize(reference.samples.size());
    EXPECT_EQ(played.samples, reference.samples) << block;
  }
}

TEST(RoundPlayer, WithoutItemsThereIsSilence) {
  RoundPlayer player;
  std::array<float, 160> block;
  block.fill(1.0F);
  EXPECT_FALSE(player.busy());
  EXPECT_FALSE(player.fill(block));
  EXPECT_THAT(block, Each(0.0F));
}

TEST(RoundPlayer, FinishingEndsAfterTheCurrentTransmission) {
  RoundPlayer player(two_items());
  std::array<float, 160> block{};
  player.fill(block);
  EXPECT_EQ(player.finish(), 7U);
  std::size_t sounding = std::count(block.begin(), block.end(), 0.25F);
  while (player.busy()) {
    player.fill(block);
    sounding += static_cast<std::size_t>(std::count(block.begin(), block.end(), 0.25F));
    EXPECT_EQ(std::count(block.begin(), block.end(), 0.5F), 0);
  }
  EXPECT_EQ(sounding, 500U) << "a transmission that had begun is sent completely";
}

TEST(RoundPlayer, FinishingInASilenceSendsNothingMore) {
  RoundPlayer player(two_items());
  std::array<float, 50> block{};
  player.fill(block);
  EXPECT_EQ(player.finish(), 0U);
  EXPECT_FALSE(player.busy());
  for (int n = 0; n < 20; ++n) {
    player.fill(block);
    EXPECT_THAT(block, Each(0.0F));
  }
}

}  // namespace
}  // namespace vqas
