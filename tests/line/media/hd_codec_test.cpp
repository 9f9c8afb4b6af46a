// Codecs at an end of HD voice: speech of the corpus at 16 kHz, its delay and its score in wideband.
#include <gtest/gtest.h>

#include <vector>

#include "line/line_name.h"
#include "line/media/codec_call.h"
#include "line/rtp_line.h"
#include "line/sip/sip_name.h"
#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

RtpFormat wide(RtpEncoding encoding) {
  RtpFormat format(encoding);
  format.rate_hz = kWideRateHz;
  return format;
}

// With every `lost`th packet lost; 0: none.
test::HeardCall call(RtpEncoding encoding, std::size_t lost) {
  return test::codec_call(wide(encoding), [lost](std::size_t n) { return lost == 0 || n % lost != lost / 2; });
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
  const test::HeardCall heard = call(GetParam().encoding, 0);
  const double mos = test::mos_of(heard);
  RecordProperty("mos", std::to_string(mos));
  EXPECT_GE(mos, GetParam().least_mos);
  EXPECT_LE(mos, GetParam().most_mos);
  EXPECT_EQ(test::codec_delay(heard.signal), GetParam().delay_samples);
}

TEST_P(HdCodecTest, LostPacketsAreConcealedAndShiftNothing) {
  const test::HeardCall heard = call(GetParam().encoding, 20);
  const double mos = test::mos_of(heard);
  RecordProperty("mos", std::to_string(mos));
  EXPECT_GT(mos, 1.5) << "of 5 % lost";
  EXPECT_EQ(test::codec_delay(heard.signal), GetParam().delay_samples);
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
