#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "line/rtcp/rtcp_packet.h"
#include "line/rtcp/rtcp_session.h"
#include "line/rtcp/rtp_reception.h"

namespace vqas {
namespace {

constexpr std::int64_t kMs = 1'000'000;

RtcpReport full_report() {
  RtcpReport report{0x1234};
  report.sender = {0x83AA7E80'40000000, 4711, 100, 16000};
  report.blocks = {{0x99, 13, -2, 0x10005, 81, 0xCAFE0001, 65536}, {0x98, 255, 0x7FFFFF, 7, 0, 0, 0}};
  report.voip = {{0x99, 13, 2, 40, 1, 120, 3000, 61, 60, 41}};
  report.leaving = {0x1234};
  return report;
}

TEST(RtcpPacket, IsReadBack) {
  EXPECT_EQ(read_rtcp(rtcp_packet(full_report())), full_report());
  RtcpReport receiver = full_report();
  receiver.sender.reset();
  receiver.voip[0].mos_lq_tenths.reset();
  EXPECT_EQ(read_rtcp(rtcp_packet(receiver)), receiver);
}

TEST(RtcpPacket, ArbitraryOctetsAreNoReport) {
  const std::vector<std::uint8_t> good = rtcp_packet(full_report());
  std::mt19937 random(5);
  for (int n = 0; n < 20000; ++n) {
    std::vector<std::uint8_t> octets = good;
    if (n % 2 == 0) octets.resize(random() % octets.size());
    for (int i = 0; i < 3 && !octets.empty(); ++i)
      octets[random() % octets.size()] = static_cast<std::uint8_t>(random());
    (void)read_rtcp(octets);
  }
  EXPECT_EQ(read_rtcp({}), RtcpReport());
  EXPECT_TRUE(read_rtcp(std::span(good).first(good.size() - 1)).leaving.empty()) << "cut short";
}

// RFC 3550, A.3, and the wrap of the sequence number.
TEST(RtpReception, CountsWhatIsExpectedOverAWrapAndCopiesAsReceived) {
  RtpReception heard(7, 0xFFFE);
  for (const int sequence : {0xFFFE, 0xFFFF, 1, 0, 3, 3, 4}) heard.take(static_cast<std::uint16_t>(sequence));
  EXPECT_EQ(heard.highest(), 0x10004U);
  EXPECT_EQ(heard.expected(), 7U);
  EXPECT_EQ(heard.received(), 7U) << "one is missing, and one came twice";
}

TEST(RtpReception, ABurstIsToldFromSingleLosses) {
  RtpReception heard(7, 0);
  const auto play = [&heard](int there, int missing) {
    for (int n = 0; n < there; ++n) heard.play(true);
    for (int n = 0; n < missing; ++n) heard.play(false);
  };
  play(100, 1);  // alone
  play(100, 2);
  play(3, 2);
  play(100, 1);
  play(20, 1);
  const auto bursts = heard.bursts();
  EXPECT_GT(bursts.burst_density, 0.5) << "4 of 7";
  EXPECT_LT(bursts.burst_density, 0.65);
  EXPECT_LT(bursts.gap_density, 0.02);
  EXPECT_GT(bursts.gap_packets, 50);
  RtpReception clean(7, 0);
  for (int n = 0; n < 50; ++n) clean.play(true);
  EXPECT_EQ(clean.bursts().burst_density, 0);
  EXPECT_EQ(clean.bursts().gap_packets, 50);
}

// Two ends of a call in virtual time, whose clocks are far apart.
class RtcpCall : public ::testing::Test {
 protected:
  static constexpr std::int64_t kAhead_ns = 77'777 * kMs;

  // 20 ms at both ends: each packet of a takes `way_ms`, unless it is lost.
  void go_on(int blocks) {
    for (const int end = block_ + blocks; block_ < end; ++block_) {
      const std::int64_t now_ns = 1'000'000 * kMs + block_ * 20 * kMs;
      a_.sent(static_cast<std::uint32_t>(block_) * 160, 160);
      b_.sent(static_cast<std::uint32_t>(block_) * 160 + 5, 160);
      const bool lost = every_ > 0 && block_ % every_ == 0;
      if (!lost) heard_by_b_.take(static_cast<std::uint16_t>(block_));
      const auto from_a = a_.due(now_ns, {}, 60);
      const auto from_b = b_.due(now_ns + kAhead_ns, heard_by_b_, 80);
      reports_ += from_b.empty() ? 0 : 1;
      if (!from_a.empty()) b_.take(read_rtcp(from_a), now_ns + kAhead_ns + way_ms_ * kMs);
      if (!from_b.empty()) a_.take(read_rtcp(from_b), now_ns + way_ms_ * kMs);
    }
  }

  RtcpSession a_{0xA, 1}, b_{0xB, 2};
  RtpReception heard_by_b_{0xA, 0};
  int block_ = 0, every_ = 0, reports_ = 0;
  std::int64_t way_ms_ = 35;
};

TEST_F(RtcpCall, TheRoundTripIsFoundWhateverTheClocks) {
  EXPECT_FALSE(a_.far());
  go_on(50 * 20);
  const auto far = a_.far();
  ASSERT_TRUE(far && far->round_trip_ms);
  EXPECT_NEAR(*far->round_trip_ms, 70, 0.1);
  EXPECT_EQ(far->packets_lost, 0);
  EXPECT_EQ(far->buffer_ms, 80.0);
  EXPECT_EQ(far->reports, static_cast<std::uint32_t>(reports_));
  EXPECT_EQ(a_.far()->reports, 0U) << "each report counts once";
}

TEST_F(RtcpCall, LossesAreReportedSinceTheBeginningAndSinceTheReportBefore) {
  every_ = 10;
  go_on(50 * 60);
  EXPECT_NEAR(a_.far()->loss_fraction, 0.1, 0.02);
  EXPECT_NEAR(a_.far()->packets_lost, 300, 60);
  every_ = 0;
  heard_by_b_.discard();
  heard_by_b_.jitter_ms = 12.5;
  go_on(50 * 30);
  EXPECT_EQ(a_.far()->loss_fraction, 0) << "none is lost any more";
  EXPECT_NEAR(a_.far()->packets_lost, 300, 2);
  EXPECT_NEAR(a_.far()->jitter_ms, 12.5, 0.13) << "in timestamp units of 0.125 ms";
}

TEST_F(RtcpCall, AReportIsSentEveryFiveSecondsOnAverageAndTheFirstOneSoon) {
  go_on(50 * 4);
  EXPECT_GE(reports_, 1);
  go_on(50 * 996);
  EXPECT_NEAR(reports_, 200, 15);
}

TEST_F(RtcpCall, WhatAReportDoesNotSayIsNotKeptFromAnEarlierOne) {
  go_on(50 * 20);
  ASSERT_TRUE(a_.far()->round_trip_ms);
  RtcpReport report{0xB};
  report.blocks = {{0xA, 128, 1000, 7, 80, 0, 0}};
  a_.take(report, 0);
  const auto far = a_.far();
  EXPECT_EQ(far->reports, 1U);
  EXPECT_EQ(far->packets_lost, 1000);
  EXPECT_FALSE(far->round_trip_ms);
  EXPECT_FALSE(far->buffer_ms);
}

TEST_F(RtcpCall, AReportOnAnotherStreamIsIgnored) {
  RtcpReport report{0xB};
  report.blocks = {{0xC, 128, 1000, 7, 80, 0, 0}};
  a_.take(report, 0);
  EXPECT_FALSE(a_.far());
}

}  // namespace
}  // namespace vqas
