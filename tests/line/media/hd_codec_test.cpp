// Codecs at an end of HD voice: speech of the corpus at 16 kHz, its delay and its score in wideband.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "line/line_name.h"
#include "line/rtp_line.h"
#include "line/rtp_stream.h"
#include "line/sip/sip_name.h"
#include "support/places.h"
#include "vqas/score/score.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

constexpr std::int64_t kBlock_ns = 20'000'000;
constexpr int kDelay = 3;  // blocks

const Signal& speech() {
  static const Signal read = [] {
    const auto found = read_audio(std::string(test::source_dir()) + "/corpus/16k/M4.wav");
    EXPECT_TRUE(found);
    return found ? *found : Signal{};
  }();
  return read;
}

RtpFormat wide(RtpEncoding encoding) {
  RtpFormat format(encoding);
  format.rate_hz = kWideRateHz;
  return format;
}

// What a receiver plays of the sentence, with every `lost`th packet lost; 0: none.
Signal call(RtpEncoding encoding, std::size_t lost) {
  RtpSender sender(wide(encoding), 7, 0xFFF0, 0xFFFFF000);
  RtpReceiver receiver(wide(encoding), kDelay);
  Signal heard{{}, kWideRateHz};
  for (std::size_t n = 0; n < speech().size() / kWideBlock + 10; ++n) {
    std::vector<float> block(kWideBlock);
    for (std::size_t i = 0; i < kWideBlock && n * kWideBlock + i < speech().size(); ++i)
      block[i] = speech().samples[n * kWideBlock + i];
    const auto packet = sender.packet(block);
    const auto now_ns = static_cast<std::int64_t>(n) * kBlock_ns;
    const bool comes = lost == 0 || n % lost != lost / 2;
    EXPECT_EQ(comes && receiver.take(packet, now_ns), comes);
    receiver.play_next_at(now_ns);
    receiver.play(block);
    heard.samples.insert(heard.samples.end(), block.begin(), block.end());
  }
  return heard;
}

double mos_of(const Signal& heard) {
  const Score score = Scorer(ScoreMode::wideband).score(speech(), heard);
  EXPECT_EQ(score.outcome, Outcome::scored) << score.reason;
  return score.mos_lqo.value_or(0);
}

// The lag with the highest correlation, in samples, beyond the jitter buffer.
int codec_delay(const Signal& heard) {
  double best = 0;
  int lag = -1;
  for (int d = -40; d < 200; ++d) {
    double sum = 0;
    for (int n = 16000; n < 32000; ++n) {
      sum += static_cast<double>(speech().samples.at(static_cast<std::size_t>(n))) *
             heard.samples.at(static_cast<std::size_t>(n + d + kDelay * static_cast<int>(kWideBlock)));
    }
    if (sum > best) {
      best = sum;
      lag = d;
    }
  }
  return lag;
}

struct Expected {
  RtpEncoding encoding;
  double least_mos, most_mos;
  int delay_samples;
};
const std::vector<Expected> kExpected{
    {RtpEncoding::l16wb, 4.6, 4.65, 0},
    {RtpEncoding::g722, 3.8, 4.5, 22},
    {RtpEncoding::opus, 3.8, 4.65, 104},
    {RtpEncoding::pcmu, 2.0, 3.4, 64},
};

class HdCodecTest : public ::testing::TestWithParam<Expected> {};

INSTANTIATE_TEST_SUITE_P(Each, HdCodecTest, ::testing::ValuesIn(kExpected),
                         [](const auto& one) { return facts_of(one.param.encoding).word; });

TEST_P(HdCodecTest, SpeechHasTheScoreAndDelayOfTheCodecAt16Khz) {
  const Signal heard = call(GetParam().encoding, 0);
  const double mos = mos_of(heard);
  RecordProperty("mos", std::to_string(mos));
  EXPECT_GE(mos, GetParam().least_mos);
  EXPECT_LE(mos, GetParam().most_mos);
  EXPECT_EQ(codec_delay(heard), GetParam().delay_samples);
}

TEST_P(HdCodecTest, LostPacketsAreConcealedAndShiftNothing) {
  const Signal heard = call(GetParam().encoding, 20);
  const double mos = mos_of(heard);
  RecordProperty("mos", std::to_string(mos));
  EXPECT_GT(mos, 1.5) << "of 5 % lost";
  EXPECT_EQ(codec_delay(heard), GetParam().delay_samples);
}

TEST(HdLineName, AsksForALineOf16KhzAndNeedsACodecThatCarriesIt) {
  const std::string ends = "rtp:127.0.0.1:20000/127.0.0.1:20002";
  EXPECT_EQ(rtp_description(*parse_rtp_line(ends + "?codec=g722&hd=yes")).rate_hz, kWideRateHz);
  EXPECT_EQ(rtp_description(*parse_rtp_line(ends + "?codec=g722")).rate_hz, kLineRateHz);
  const auto narrow = parse_rtp_line(ends + "?codec=gsm&hd=yes");
  ASSERT_FALSE(narrow);
  EXPECT_NE(narrow.error().message.find("hd=yes needs a codec of HD voice: g722, l16wb or opus"), std::string::npos);
  EXPECT_FALSE(parse_rtp_line(ends + "?codec=g722&hd=maybe"));
  EXPECT_EQ(parse_sip_line("sip:4711@pbx.example;codec=opus,pcmu;hd=yes")->media.rate_hz, kWideRateHz);
  EXPECT_FALSE(parse_sip_line("sip:4711@pbx.example;codec=pcmu,pcma;hd=yes"));
}

TEST(HdParameters, OfOpusNameTheRateOfThisEnd) {
  EXPECT_EQ(parameters_of(RtpEncoding::opus, kWideRateHz),
            "maxplaybackrate=16000;sprop-maxcapturerate=16000;useinbandfec=1");
  EXPECT_EQ(parameters_of(RtpEncoding::g722, kWideRateHz), "");
}

}  // namespace
}  // namespace vqas
