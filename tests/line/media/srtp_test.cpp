#include "line/media/srtp.h"

#include <gtest/gtest.h>

#include <random>

#include "line/rtcp/rtcp_packet.h"
#include "line/rtp_blocks.h"
#include "line/rtp_line.h"

namespace vqas {
namespace {

using Packet = std::vector<std::uint8_t>;

Packet as_packet(std::span<const std::uint8_t> octets) {
  return {octets.begin(), octets.end()};
}

SrtpKeys keys(SrtpSuite suite) {
  return {draw_srtp_key(suite).value(), draw_srtp_key(suite).value()};
}

SrtpKeys turned(const SrtpKeys& one) {
  return {one.theirs, one.ours};
}

class SrtpTest : public ::testing::TestWithParam<SrtpSuite> {
 protected:
  const SrtpKeys keys_ = keys(GetParam());
  Srtp here_ = Srtp::create(keys_).value(), there_ = Srtp::create(turned(keys_)).value();
  RtpSender sender_{G711Law::mu, 7, 65530, 1};  // the sequence wraps
};

INSTANTIATE_TEST_SUITE_P(BothSuites, SrtpTest,
                         ::testing::Values(SrtpSuite::aes_cm_128_hmac_sha1_80, SrtpSuite::aes_cm_128_hmac_sha1_32));

TEST_P(SrtpTest, APacketComesAsItWasAndIsNotReadableOnTheWay) {
  const std::size_t tag = GetParam() == SrtpSuite::aes_cm_128_hmac_sha1_80 ? 10 : 4;
  for (int n = 0; n < 20; ++n) {
    const Packet packet = as_packet(sender_.packet(test::tone(n)));
    const Packet sent = as_packet(here_.protect(packet));
    ASSERT_EQ(sent.size(), packet.size() + tag);
    EXPECT_FALSE(std::equal(packet.begin() + 12, packet.end(), sent.begin() + 12));
    EXPECT_EQ(as_packet(there_.unprotect(sent)), packet);
    EXPECT_TRUE(there_.unprotect(sent).empty()) << "a copy";
  }
  const Packet goodbye = rtcp_packet({.from = 7, .leaving = {7}});
  const Packet sent = as_packet(here_.protect_rtcp(goodbye));
  EXPECT_EQ(sent.size(), goodbye.size() + 4 + 10) << "RTCP has the longer tag with both suites";
  EXPECT_EQ(as_packet(there_.unprotect_rtcp(sent)), goodbye);
}

TEST_P(SrtpTest, AChangeOfAnyOctetIsNoticedAndHarmsNoLaterPacket) {
  std::mt19937 random(3);
  for (int n = 0; n < 200; ++n) {
    const Packet packet = as_packet(sender_.packet(test::tone(n)));
    const Packet sent = as_packet(here_.protect(packet));
    Packet forged = sent;
    forged.at(random() % forged.size()) ^= static_cast<std::uint8_t>(1U << (random() % 8));
    EXPECT_TRUE(there_.unprotect(forged).empty());
    EXPECT_TRUE(there_.unprotect(std::span(sent).first(random() % sent.size())).empty());
    EXPECT_EQ(as_packet(there_.unprotect(sent)), packet);
  }
  EXPECT_TRUE(there_.unprotect({}).empty());
}

TEST_P(SrtpTest, ADirectionWhoseKeyStaysKeepsItsCountersWhenTheOtherKeyChanges) {
  for (int n = 0; n < 10; ++n) EXPECT_FALSE(there_.unprotect(here_.protect(sender_.packet(test::tone(n)))).empty());
  SrtpKeys other = keys_;
  other.theirs = draw_srtp_key(GetParam()).value();
  ASSERT_TRUE(here_.change(other));
  const Packet packet = as_packet(sender_.packet(test::tone(10)));
  EXPECT_EQ(as_packet(there_.unprotect(here_.protect(packet))), packet) << "the numbers have wrapped";
  ASSERT_TRUE(there_.change(turned(other)));
  const Packet back = as_packet(RtpSender(G711Law::mu, 9, 1, 1).packet(test::tone(0)));
  EXPECT_EQ(as_packet(here_.unprotect(there_.protect(back))), back);
}

TEST_P(SrtpTest, AnotherKeyOrPlainRtpIsRefused) {
  Srtp other = Srtp::create(keys(GetParam())).value();
  const Packet packet = as_packet(sender_.packet(test::tone(0)));
  EXPECT_TRUE(there_.unprotect(other.protect(packet)).empty());
  EXPECT_TRUE(there_.unprotect(packet).empty());
  EXPECT_TRUE(there_.unprotect_rtcp(rtcp_packet({.from = 7, .leaving = {7}})).empty());
}

// A line between two sockets; the far end's packets are changed on the way.
TEST(SrtpLine, TamperedPacketsAreCountedAndNeverPlayed) {
  auto far = bind_rtp_sockets({0x7F000001, 0}).value();
  const SrtpKeys both = keys(SrtpSuite::aes_cm_128_hmac_sha1_80);
  RtpLineOptions options;
  options.name = "rtp:test";
  options.remote = far.rtp.address();
  options.srtp = both;
  auto sockets = bind_rtp_sockets({0x7F000001, 0}).value();
  const SocketAddress own = sockets.rtp.address();
  auto line = RtpLine::over(options, std::move(sockets)).value();
  Srtp there = Srtp::create(turned(both)).value();
  RtpSender sender(G711Law::mu, 7, 1, 1);
  LineStatistics sum;
  std::string warnings;
  constexpr int kBlocks = 40;
  float loudest = 0;
  const auto exchange = [&](bool tampered) {
    for (int n = 0; n < kBlocks; ++n) {
      Packet packet = as_packet(there.protect(sender.packet(test::tone(n))));
      if (tampered) packet.at(50) ^= 1;
      far.rtp.send(packet, own);
      test::Block heard{};
      const auto time = line->exchange(test::tone(n), heard, {.number = 1, .busy = true});
      ASSERT_TRUE(time) << time.error().message;
      sum += time->noticed;
      warnings += line->take_warning();
      for (const float sample : heard) loudest = std::max(loudest, std::abs(sample));
    }
  };
  exchange(true);
  EXPECT_EQ(loudest, 0) << "nothing is played";
  EXPECT_FALSE(line->has_heard());
  EXPECT_GE(sum.packets_of_others, kBlocks - 2U);
  EXPECT_EQ(sum.packets_of_others, sum.packets_discarded);
  EXPECT_NE(warnings.find("packets come that SRTP refuses"), std::string::npos) << warnings;
  sum = {};
  exchange(false);
  EXPECT_GT(loudest, 0.25);
  EXPECT_GE(sum.packets, kBlocks - 2U);
  // What the line sends is of its key, and so are its reports and its goodbye.
  PacketReader reader;
  const auto sent = reader.read(far.rtp);
  ASSERT_FALSE(sent.empty());
  EXPECT_FALSE(there.unprotect(sent.front().octets).empty());
  line.reset();
  const auto reports = reader.read(far.rtcp);
  ASSERT_FALSE(reports.empty());
  EXPECT_TRUE(read_rtcp(reports.back().octets).leaving.empty());
  EXPECT_EQ(read_rtcp(there.unprotect_rtcp(reports.back().octets)).leaving.size(), 1U);
}

TEST(SrtpLine, AGoodbyeWithoutTheKeyIsIgnored) {
  auto far = bind_rtp_sockets({0x7F000001, 0}).value();
  const SrtpKeys both = keys(SrtpSuite::aes_cm_128_hmac_sha1_80);
  RtpLineOptions options;
  options.name = "rtp:test";
  options.remote = far.rtp.address();
  options.srtp = both;
  auto sockets = bind_rtp_sockets({0x7F000001, 0}).value();
  const SocketAddress own = sockets.rtp.address(), reports = sockets.rtcp.address();
  const auto line = RtpLine::over(options, std::move(sockets)).value();
  Srtp there = Srtp::create(turned(both)).value();
  RtpSender sender(G711Law::mu, 7, 1, 1);
  const Packet goodbye = rtcp_packet({.from = 7, .leaving = {7}});
  const auto is_lost = [&](int blocks) {
    for (int n = 0; n < blocks; ++n) {
      test::Block heard{};
      if (!line->exchange(test::tone(n), heard, {})) return true;
    }
    return false;
  };
  for (int n = 0; n < 5; ++n) {
    far.rtp.send(as_packet(there.protect(sender.packet(test::tone(n)))), own);
    ASSERT_FALSE(is_lost(1));
  }
  far.rtcp.send(goodbye, reports);
  EXPECT_FALSE(is_lost(10));
  far.rtcp.send(as_packet(there.protect_rtcp(goodbye)), reports);
  EXPECT_TRUE(is_lost(10));
}

}  // namespace
}  // namespace vqas
