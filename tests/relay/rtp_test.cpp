#include "relay/rtp.h"

#include <gtest/gtest.h>

#include "relay/packets.h"
#include "vqas/channel/random.h"

namespace vqas {
namespace {

using test::Octets;
using test::rtp_packet;

TEST(Rtp, TheFixedHeaderIsRead) {
  const Octets packet =
      rtp_packet({.sequence = 0xABCD, .timestamp = 0x01020304, .payload_type = 0x80 | 8, .ssrc = 0xCAFE});
  const RtpParse parse = parse_rtp(packet);
  ASSERT_TRUE(parse);
  EXPECT_EQ(parse.header.payload_type, kPayloadPcma);
  EXPECT_TRUE(parse.header.marker);
  EXPECT_EQ(parse.header.sequence, 0xABCD);
  EXPECT_EQ(parse.header.timestamp, 0x01020304U);
  EXPECT_EQ(parse.header.ssrc, 0xCAFEU);
  EXPECT_EQ(parse.header.payload_begin, 12U);
  EXPECT_EQ(parse.header.payload_size, 160U);
}

TEST(Rtp, SourcesExtensionAndPaddingAreNotPayload) {
  Octets packet = rtp_packet({.octets = 2 * 4 + 4 + 4 + 100 + 3});
  packet[0] = 0x80 | 0x20 | 0x10 | 2;
  packet[12 + 8 + 3] = 1;  // the extension's length in words
  packet.back() = 3;
  const RtpParse parse = parse_rtp(packet);
  ASSERT_TRUE(parse);
  EXPECT_EQ(parse.header.payload_begin, 12U + 8 + 8);
  EXPECT_EQ(parse.header.payload_size, 100U);
}

TEST(Rtp, FaultyPacketsAreRejectedWithAReason) {
  EXPECT_EQ(parse_rtp({}).fault, RtpFault::too_short);
  Octets packet = rtp_packet({.octets = 0});
  EXPECT_EQ(parse_rtp(packet).header.payload_size, 0U);
  EXPECT_EQ(parse_rtp(std::span(packet).first(11)).fault, RtpFault::too_short);
  packet[0] = 0x40;
  EXPECT_EQ(parse_rtp(packet).fault, RtpFault::version);
  packet[0] = 0x81;  // a missing source
  EXPECT_EQ(parse_rtp(packet).fault, RtpFault::too_short);
  packet = rtp_packet({.octets = 4, .fill = 0xFF});
  packet[0] = 0x90;  // an extension of 65535 words
  EXPECT_EQ(parse_rtp(packet).fault, RtpFault::too_short);
  packet[0] = 0xA0;  // 255 octets of padding in four
  EXPECT_EQ(parse_rtp(packet).fault, RtpFault::padding);
  packet.back() = 0;
  EXPECT_EQ(parse_rtp(packet).fault, RtpFault::padding);
}

// A payload inside the packet, or a fault: whatever the octets are. Run with the seed below.
TEST(Rtp, AnyOctetsGiveAPayloadInsideThePacketOrAFault) {
  Random random(20261121);
  std::uint64_t lawful = 0;
  for (int i = 0; i < 200'000; ++i) {
    Octets packet(random.next() % 64);
    for (auto& octet : packet) octet = static_cast<std::uint8_t>(random.next());
    if (!packet.empty() && i % 2 == 0) packet[0] = static_cast<std::uint8_t>((packet[0] & 0x3FU) | 0x80U);
    const RtpParse parse = parse_rtp(packet);
    [[maybe_unused]] const bool control = is_rtcp(packet);
    if (!parse) continue;
    ++lawful;
    ASSERT_LE(parse.header.payload_begin + parse.header.payload_size, packet.size());
  }
  EXPECT_GT(lawful, 1000U);
}

TEST(Rtp, ControlPacketsAreRecognised) {
  Octets packet = rtp_packet({.payload_type = 200});
  EXPECT_TRUE(is_rtcp(packet));
  packet[1] = 0x80;  // PCMU with a marker
  EXPECT_FALSE(is_rtcp(packet));
  EXPECT_FALSE(is_rtcp(std::span(packet).first(4)));
}

}  // namespace
}  // namespace vqas
