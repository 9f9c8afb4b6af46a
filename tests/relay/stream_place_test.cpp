#include "relay/stream_place.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "relay/packets.h"
#include "relay/pattern_sink.h"
#include "relay/relay_path.h"

namespace vqas {
namespace {

constexpr std::uint32_t kOctetsPerSecond = 8000;

std::uint64_t missing_after(const std::vector<std::uint16_t>& sequences) {
  SequenceCounter counter;
  std::uint64_t missing = 0;
  for (const std::uint16_t sequence : sequences) missing = counter.count({.sequence = sequence, .ssrc = 7});
  return missing;
}

TEST(SequenceCounter, ARepeatedPacketDoesNotStandForOneThatNeverCame) {
  std::vector<std::uint16_t> came;
  for (std::uint16_t k = 0; k < 100; ++k) {
    if (k % 10 != 5) came.push_back(k);
    if (k % 10 == 7) came.push_back(k);
  }
  EXPECT_EQ(missing_after(came), 10U);
}

TEST(SequenceCounter, ALateRepeatedPacketCountsOnce) {
  EXPECT_EQ(missing_after({0, 1, 3, 4, 5}), 1U);
  EXPECT_EQ(missing_after({0, 1, 4, 2, 2, 2}), 1U);
  EXPECT_EQ(missing_after({65534, 65535, 1, 65535, 0, 0}), 0U);
}

TEST(SequenceCounter, NumbersBeforeTheFirstDoNotCount) {
  EXPECT_EQ(missing_after({10, 8, 9, 12}), 1U);
}

TEST(SequenceCounter, OldNumbersAreForgotten) {
  SequenceCounter counter;
  std::uint64_t missing = 0;
  for (std::uint32_t k = 0; k < 200'000; ++k) {
    if (k % 100 != 3) missing = counter.count({.sequence = static_cast<std::uint16_t>(k), .ssrc = 7});
  }
  EXPECT_EQ(missing, 2000U);
}

TEST(SequenceCounter, AnotherSourceStartsANewCount) {
  SequenceCounter counter;
  for (const std::uint16_t sequence : {1, 3}) counter.count({.sequence = sequence, .ssrc = 7});
  EXPECT_EQ(counter.count({.sequence = 3, .ssrc = 8}), 1U);
  EXPECT_EQ(counter.count({.sequence = 5, .ssrc = 8}), 2U);
}

// The positions that a path reports.
struct Places final : PatternSink {
  std::vector<std::uint64_t> begins, passes;
  std::uint64_t end = 0;
  void stream_begins(std::uint64_t at_octet, std::uint32_t, std::uint32_t) override { begins.push_back(at_octet); }
  void passed(std::uint64_t at_octet, std::span<const std::uint8_t> inverted) override {
    passes.push_back(at_octet);
    end = std::max(end, at_octet + inverted.size());
  }
  void lost(std::uint64_t, std::uint64_t) override {}
};

class StreamPlaceTest : public ::testing::Test {
 protected:
  StreamPlaceTest() : path_({}, 1, 0, &places_) {}
  void take(std::uint32_t timestamp, double now_s, std::size_t octets = 160) {
    auto packet = test::rtp_packet({.sequence = sequence_++, .timestamp = timestamp, .octets = octets});
    path_.take(packet, static_cast<std::int64_t>(now_s * 1e9));
  }

  Places places_;
  RelayPath path_;
  std::uint16_t sequence_ = 0;
};

TEST_F(StreamPlaceTest, AJumpBackOfMoreThanAMinuteIsAnotherStream) {
  constexpr std::uint32_t kSeconds = 300;
  for (std::uint32_t s = 0; s < kSeconds; ++s) take(s * kOctetsPerSecond, s);
  const std::uint64_t end = places_.end;
  take(50 * kOctetsPerSecond, kSeconds);
  ASSERT_EQ(places_.begins.size(), 2U);
  EXPECT_EQ(places_.begins[1], end);
  EXPECT_EQ(places_.passes.back(), end) << "recorded octets are not overwritten";
  take(50 * kOctetsPerSecond + 160, kSeconds);
  EXPECT_EQ(places_.passes.back(), end + 160);
}

TEST_F(StreamPlaceTest, ALatePacketWithinAMinuteKeepsItsPlace) {
  for (const std::uint32_t s : {0, 20, 40, 41}) take(s * kOctetsPerSecond, s);
  take(30 * kOctetsPerSecond, 41);
  EXPECT_EQ(places_.begins.size(), 1U);
  EXPECT_EQ(places_.passes.back(), 30U * kOctetsPerSecond);
}

TEST_F(StreamPlaceTest, TimestampsThatRunAheadOfTheClockDoNotLengthenThePattern) {
  std::uint32_t timestamp = 0;
  for (int k = 0; k < 100; ++k) take(timestamp += 59 * kOctetsPerSecond, 0.02 * k, 13);
  // The payload, the two seconds, and ten more seconds.
  EXPECT_LE(places_.end, 100U * 13 + (2 + 10) * kOctetsPerSecond);
}

TEST_F(StreamPlaceTest, APauseOfTheSenderKeepsItsLength) {
  take(0, 0);
  take(50 * kOctetsPerSecond, 50);
  take(100 * kOctetsPerSecond, 99.9);
  EXPECT_EQ(places_.begins.size(), 1U);
  EXPECT_EQ(places_.passes.back(), 100U * kOctetsPerSecond);
}

}  // namespace
}  // namespace vqas
