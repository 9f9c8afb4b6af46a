#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "channel/analogue_stage.h"
#include "channel/band_filter.h"
#include "vqas/channel/line_direction.h"
#include "vqas/channel/octet_channel.h"
#include "vqas/channel/packet_path.h"
#include "vqas/channel/profile_library.h"
#include "vqas/channel/profile_text.h"
#include "vqas/signal/level.h"

namespace vqas {
namespace {

std::vector<float> tone(std::size_t count, double hz, double amplitude) {
  std::vector<float> samples(count);
  for (std::size_t i = 0; i < count; ++i) {
    samples[i] = static_cast<float>(amplitude * std::sin(2 * std::numbers::pi * hz * static_cast<double>(i) / 8000));
  }
  return samples;
}

// Level of a tone in `samples`, in dB, against a sine of amplitude 1.
double level_at(std::span<const float> samples, double hz) {
  double re = 0;
  double im = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double angle = 2 * std::numbers::pi * hz * static_cast<double>(i) / 8000;
    re += samples[i] * std::cos(angle);
    im += samples[i] * std::sin(angle);
  }
  return 20 * std::log10(2 * std::hypot(re, im) / static_cast<double>(samples.size()));
}

std::vector<float> through(const Profile& profile, const std::vector<float>& sent, std::size_t block = 160) {
  EXPECT_TRUE(validate(profile)) << validate(profile).error().message;
  LineDirection line(profile, 5, 0);
  std::vector<float> heard;
  for (std::size_t i = 0; i < sent.size(); i += block) {
    line.push(std::span(sent).subspan(i, std::min(block, sent.size() - i)));
    std::vector<float> part(line.available());
    line.pull(part);
    heard.insert(heard.end(), part.begin(), part.end());
  }
  return heard;
}

TEST(ProfiledLine, PlainProfileEqualsThePlainLine) {
  LineConditions conditions;
  conditions.ber = 1e-3;
  const auto sent = tone(16000, 1020, 0.4);
  LineDirection plain(conditions, 5, 0);
  plain.push(sent);
  std::vector<float> expected(plain.available());
  plain.pull(expected);
  EXPECT_EQ(through(profile_of(conditions), sent), expected);
}

TEST(ProfiledLine, DoesNotDependOnBlockSizesWithEveryPart) {
  Profile profile = find_profile("satellite-isdn").value();
  profile.analogue = {true, -20, 15, 50, -40, -9, 20, 0.1};
  profile.errors = {RandomRate{1e-3}};
  profile.slips = {{0.5, -80, 0}};
  profile.packets.emplace();
  profile.packets->loss = LossKind::random;
  profile.packets->loss_ratio = 0.1;
  profile.line.delay_s = 0.5;
  const auto sent = tone(24000, 700, 0.2);
  const auto whole = through(profile, sent, 8000);
  EXPECT_EQ(through(profile, sent, 160), whole);
  EXPECT_EQ(through(profile, sent, 1), whole);
}

// The delay includes the latency of all parts.
TEST(ProfiledLine, HasItsDelayWhateverItsParts) {
  for (const int parts : {0, 1, 2, 3}) {
    Profile profile = plain_profile();
    profile.line.delay_s = 0.3;
    if ((parts & 1) != 0) profile.packets.emplace();
    if ((parts & 2) != 0) profile.slips = {{100, -400, 0}};
    std::vector<float> sent(8000, 0.0F);
    sent[1000] = 0.5F;
    const auto heard = through(profile, sent);
    const auto peak = std::max_element(heard.begin(), heard.end());
    EXPECT_EQ(peak - heard.begin(), 1000 + 2400) << parts;
  }
}

TEST(ProfiledLine, AnEchoHasItsDelayAndLoss) {
  Profile profile = plain_profile();
  profile.analogue.echo_loss_db = 20;
  profile.analogue.echo_delay_s = 0.2;
  std::vector<float> sent(8000, 0.0F);
  sent[1000] = 0.5F;
  const auto heard = through(profile, sent);
  const float first = heard[1000 + 2000];
  EXPECT_NEAR(heard[1000 + 2000 + 1600], 0.1F * first, 0.003F);
}

TEST(ProfiledLine, ALongDistanceLineLosesTheTopOfTheBand) {
  Profile profile = plain_profile();
  profile.band = Band::long_distance;
  const auto at = [&](double hz) {
    const auto heard = through(profile, tone(24000, hz, 0.5));
    return level_at(std::span(heard).last(8000), hz) - 20 * std::log10(0.5);
  };
  EXPECT_NEAR(at(1020), 0, 0.2);
  EXPECT_NEAR(at(2500), 0, 0.2);
  EXPECT_LT(at(3000), -30);
}

TEST(AnalogueStage, HumsAtItsLevelAndClipsAtItsPeak) {
  AnalogueParts parts;
  parts.hum_hz = 60;
  parts.hum_dbm0 = -30;
  AnalogueStage hum(parts, G711Law::mu);
  std::vector<float> samples(8000, 0.0F);
  hum.process(samples);
  // A sine of -30 dBm0 is -36.18 dBov; its amplitude is 3.01 dB above.
  EXPECT_NEAR(level_at(samples, 60), -36.18 + 3.01, 0.05);

  parts = {};
  parts.clip_dbov = -12;
  AnalogueStage clip(parts, G711Law::mu);
  samples = tone(800, 400, 0.9);
  clip.process(samples);
  EXPECT_NEAR(*std::max_element(samples.begin(), samples.end()), db_to_amplitude(-12), 1e-6);
  EXPECT_NEAR(*std::min_element(samples.begin(), samples.end()), -db_to_amplitude(-12), 1e-6);
}

TEST(AnalogueStage, BringsSoftAndLoudSoundsToOneLevelWithinItsRange) {
  AnalogueParts parts;
  parts.agc = true;
  parts.agc_target_dbov = -26;
  parts.agc_range_db = 12;
  const auto settled = [&](double dbov) {
    AnalogueStage agc(parts, G711Law::mu);
    auto samples = tone(40000, 500, std::numbers::sqrt2 * db_to_amplitude(dbov));
    agc.process(samples);
    return rms_dbov(std::span(samples).last(8000));
  };
  EXPECT_NEAR(settled(-34), -26, 0.3);
  EXPECT_NEAR(settled(-18), -26, 0.3);
  EXPECT_NEAR(settled(-45), -33, 0.3);
}

TEST(ProfiledLine, CountsTheErrorsOfBothLegsOfTheWander) {
  Profile profile = plain_profile();
  profile.errors = {RandomRate{1e-3}, RandomRate{1e-3}};
  LineDirection line(profile, 5, 0);
  std::vector<float> block(8000);
  for (int i = 0; i < 60; ++i) {
    line.push(block);
    line.pull(block);
  }
  const double expected = static_cast<double>(line.bits()) * 2 * 1e-3 * (1 - 1e-3);
  EXPECT_NEAR(static_cast<double>(line.bit_errors()), expected, 5 * std::sqrt(expected));
  EXPECT_EQ(line.packets(), nullptr);
}

}  // namespace
}  // namespace vqas
