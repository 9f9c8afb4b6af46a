#include "node/controller/node_line_time.h"

#include <gtest/gtest.h>

#include "node/play/outgoing.h"

namespace vqas {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr auto kGap_ns = static_cast<std::int64_t>(kGap_s * 1e9);

TEST(NodeLineTime, AnUnfinishedRoundCountsFromTheSilenceBeforeItsFirstTime) {
  NodeLineTime time;
  EXPECT_EQ(time.used_ns(), 0);
  time.told(5 * kSecond);
  EXPECT_EQ(time.used_ns(), kGap_ns);
  time.told(9 * kSecond);
  time.told(6 * kSecond);
  EXPECT_EQ(time.used_ns(), 4 * kSecond + kGap_ns);
}

TEST(NodeLineTime, AFinishedRoundCountsAsReported) {
  NodeLineTime time;
  time.told(5 * kSecond);
  time.told(9 * kSecond);
  time.add_round(6 * kSecond);
  time.end_round();
  EXPECT_EQ(time.used_ns(), 6 * kSecond);
}

TEST(NodeLineTime, ATotalCountsByItsGrowthAndFromZeroAfterARestart) {
  NodeLineTime time;
  time.restore(10 * kSecond);
  time.told_total(13 * kSecond);
  EXPECT_EQ(time.used_ns(), 13 * kSecond);
  time.told_total(13 * kSecond);
  EXPECT_EQ(time.used_ns(), 13 * kSecond) << "reported twice";
  time.told_total(2 * kSecond);
  EXPECT_EQ(time.used_ns(), 15 * kSecond) << "the node was started anew";
}

}  // namespace
}  // namespace vqas
