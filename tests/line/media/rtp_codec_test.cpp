// Each codec between a sender and a receiver with a clock of their own: speech of the corpus, its delay and its score.
#include "line/media/rtp_codec.h"

#include <gtest/gtest.h>
#include <opus.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "line/media/codec_call.h"
#include "line/rtp_stream.h"
#include "support/normal.h"
#include "support/places.h"
#include "vqas/score/score.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

using test::kBlock_ns;
using test::kBufferBlocks;
using test::mos_of;
using Block = std::array<float, kLineBlock>;
using Packet = std::vector<std::uint8_t>;

Block block_of(std::size_t number) {
  Block block{};
  std::ranges::copy(test::spoken_block(kLineRateHz, number), block.begin());
  return block;
}

test::HeardCall whole_call(RtpEncoding encoding) {
  return test::codec_call(RtpFormat(encoding), [](std::size_t) { return true; });
}

struct Expected {
  RtpEncoding encoding;
  double least_mos;
  int delay_samples;  // of the codec, as libvqas/doc/codecs.md says
  std::size_t most_octets;
};
// The scores are those of the codec itself, less 0.005 to 0.05.
const std::vector<Expected> kExpected{
    {RtpEncoding::pcmu, 4.09, 0, 160}, {RtpEncoding::pcma, 4.10, 0, 160},   {RtpEncoding::g722, 4.19, 0, 160},
    {RtpEncoding::l16, 4.55, 0, 320},  {RtpEncoding::l16wb, 4.50, 32, 640}, {RtpEncoding::opus, 4.18, 52, 200},
    {RtpEncoding::gsm, 3.26, 0, 33},
};

class RtpCodecTest : public ::testing::TestWithParam<Expected> {};

INSTANTIATE_TEST_SUITE_P(Each, RtpCodecTest, ::testing::ValuesIn(kExpected),
                         [](const auto& one) { return facts_of(one.param.encoding).word; });

TEST_P(RtpCodecTest, SpeechKeepsItsScoreAndHasTheDelayOfBufferAndCodec) {
  const test::HeardCall heard = whole_call(GetParam().encoding);
  EXPECT_EQ(heard.sum.packets_lost, 0U);
  EXPECT_EQ(heard.sum.packets_discarded, 0U);
  EXPECT_NEAR(heard.sum.jitter_ms, 0, 1e-6) << "the timestamps' clock is right";
  const double mos = mos_of(heard);
  RecordProperty("mos", std::to_string(mos));
  EXPECT_GE(mos, GetParam().least_mos);
  EXPECT_EQ(test::codec_delay(heard.signal), GetParam().delay_samples);
}

TEST_P(RtpCodecTest, LostPacketsAreConcealedAndShiftNothing) {
  const auto lost = [](std::size_t n) { return n % 20 != 10; };
  const test::HeardCall heard = test::codec_call(RtpFormat(GetParam().encoding), lost);
  EXPECT_GT(heard.sum.packets_lost, 5U);
  EXPECT_EQ(heard.sum.concealed_samples, heard.sum.packets_lost * kLineBlock);
  EXPECT_EQ(test::codec_delay(heard.signal), GetParam().delay_samples);
  const double mos = mos_of(heard);
  RecordProperty("mos", std::to_string(mos));
  EXPECT_GT(mos, 2.0) << "of 5 % lost";
}

TEST_P(RtpCodecTest, PacketsOfWrongSizeOrGarbageAreRefusedWithoutDamage) {
  const RtpFormat format(GetParam().encoding);
  const auto codec = make_codec(format);
  std::mt19937 random(11);
  for (int n = 0; n < 300; ++n) {
    Packet payload(random() % 700);
    for (auto& octet : payload) octet = static_cast<std::uint8_t>(random());
    Block block{};
    if (codec->fits(payload)) {
      codec->decode(payload, block);
    } else {
      codec->conceal(payload.size() % 2 == 0 ? std::span<const std::uint8_t>() : codec->encode(block), block);
    }
    EXPECT_TRUE(std::ranges::all_of(block, [](float sample) { return std::fabs(sample) <= 1; })) << n;
  }
  EXPECT_FALSE(codec->fits({}));
  const auto encoded = codec->encode(block_of(50));
  Packet right(encoded.begin(), encoded.end());
  EXPECT_LE(right.size(), GetParam().most_octets);
  if (GetParam().encoding != RtpEncoding::opus) {
    right.push_back(0);
    EXPECT_FALSE(codec->fits(right)) << "one octet more";
  }
}

TEST_P(RtpCodecTest, RefusedPacketsLeaveTheStreamAsItWas) {
  const RtpFormat format(GetParam().encoding);
  RtpSender sender(format, 7, 1, 1);
  RtpReceiver receiver(format, kBufferBlocks), undisturbed(format, kBufferBlocks);
  constexpr std::size_t kHeader = 12, kFrom = 50, kBlocks = 40;
  for (std::size_t n = 0; n < kBlocks; ++n) {
    const auto sent = sender.packet(block_of(kFrom + n));
    const Packet packet(sent.begin(), sent.end());
    const auto now_ns = static_cast<std::int64_t>(n) * kBlock_ns;
    const Packet cut(packet.begin(), packet.begin() + kHeader + (GetParam().encoding == RtpEncoding::opus ? 0 : 7));
    EXPECT_FALSE(receiver.take(cut, now_ns)) << "too short";
    Packet other = packet;
    other[1] = 0x7F;
    EXPECT_FALSE(receiver.take(other, now_ns)) << "another payload type";
    EXPECT_TRUE(receiver.take(packet, now_ns));
    EXPECT_TRUE(undisturbed.take(packet, now_ns));
    Block block{}, expected{};
    receiver.play(block);
    undisturbed.play(expected);
    EXPECT_EQ(block, expected) << n;
  }
  EXPECT_EQ(receiver.notice().packets, kBlocks);
}

// The padding of RFC 3550, 5.1 is no part of the payload.
TEST_P(RtpCodecTest, PaddingIsTakenAway) {
  const RtpFormat format(GetParam().encoding);
  RtpSender sender(format, 7, 1, 1);
  RtpReceiver receiver(format, kBufferBlocks);
  const auto sent = sender.packet(block_of(50));
  Packet packet(sent.begin(), sent.end());
  packet[0] |= 0x20;
  packet.insert(packet.end(), {0, 0, 0, 4});
  EXPECT_TRUE(receiver.take(packet, 0));
  packet.back() = 0;
  EXPECT_FALSE(receiver.take(packet, 0)) << "padding of no length";
}

// The configuration number of an Opus packet says its band: RFC 6716, 3.1.
TEST(OpusCodec, NoMoreIsSentThanTheOtherEndPlays) {
  RtpFormat format(RtpEncoding::opus);
  format.rate_hz = kWideRateHz;
  const auto band_of_speech = [&format] {
    const auto codec = make_codec(format);
    std::vector<float> block(line_block(format.rate_hz));
    int band = 0;
    test::Normal noise(0.1, 1);
    for (int n = 0; n < 50; ++n) {
      for (float& sample : block) sample = static_cast<float>(noise());
      band = opus_packet_get_bandwidth(codec->encode(block).data());
    }
    return band;
  };
  EXPECT_EQ(band_of_speech(), OPUS_BANDWIDTH_WIDEBAND);
  format.far_plays_hz = 8000;
  EXPECT_EQ(band_of_speech(), OPUS_BANDWIDTH_NARROWBAND);
}

TEST(OpusCodec, ALostPacketIsRepairedFromTheNextOne) {
  const auto lost = [](std::size_t n) { return n % 5 != 2; };
  RtpFormat repeats(RtpEncoding::opus), alone(RtpEncoding::opus);
  alone.repeats = false;
  EXPECT_GT(mos_of(test::codec_call(repeats, lost)), mos_of(test::codec_call(alone, lost)) + 0.2) << "of 20 % lost";
}

}  // namespace
}  // namespace vqas
