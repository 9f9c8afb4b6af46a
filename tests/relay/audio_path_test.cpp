#include "relay/audio_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "channel/binomial_bounds.h"
#include "support/random_errors.h"
#include "vqas/channel/profile_text.h"

namespace vqas {
namespace {

std::vector<float> tone(double rate_hz, double seconds) {
  std::vector<float> samples(static_cast<std::size_t>(rate_hz * seconds));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    samples[i] = static_cast<float>(0.5 * std::sin(2 * std::numbers::pi * 1020.3 * static_cast<double>(i) / rate_hz));
  }
  return samples;
}
double snr_db(std::span<const float> samples, double rate_hz) {
  std::complex<double> sum = 0;
  double power = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double sample = static_cast<double>(samples[i]);
    sum += sample * std::polar(1.0, -2 * std::numbers::pi * 1020.3 * static_cast<double>(i) / rate_hz);
    power += sample * sample;
  }
  const double tone_power = 2 * std::norm(sum) / static_cast<double>(samples.size());
  return 10 * std::log10(tone_power / (power - tone_power));
}
Profile with_ber(double ber) {
  Profile profile = plain_profile();
  profile.errors = {RandomRate{ber}};
  return profile;
}
std::vector<float> carried(AudioPath& path, const std::vector<float>& heard, std::size_t block) {
  std::vector<float> out;
  for (std::size_t begin = 0; begin < heard.size(); begin += block) {
    const auto part = path.process(std::span(heard).subspan(begin, std::min(block, heard.size() - begin)));
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

TEST(AudioPath, At8kHzOutputIsTheCodecWithRandomErrorsForAnyBlockSize) {
  const auto heard = tone(8000, 3);
  std::vector<std::uint8_t> octets(heard.size());
  g711_encode(heard, octets, G711Law::a);
  test::random_errors(1e-3, 4, 0).process(octets);
  std::vector<float> expected(heard.size());
  g711_decode(octets, expected, G711Law::a);
  for (const std::size_t block : {1, 160, 5000, 24000}) {
    AudioPath path(8000, G711Law::a, with_ber(1e-3), 4, 0);
    EXPECT_EQ(carried(path, heard, block), expected) << block;
  }
}

TEST(AudioPath, AtOtherRatesOnlyTheCodecsNoiseIsAdded) {
  for (const double rate : {16000.0, 44100.0, 48000.0}) {
    AudioPath path(rate, G711Law::mu, plain_profile(), 4, 0);
    const auto heard = tone(rate, 5);
    const auto out = carried(path, heard, 256);
    EXPECT_NEAR(static_cast<double>(out.size()), static_cast<double>(heard.size()), 0.2 * rate) << rate;
    const double snr = snr_db(std::span(out).subspan(static_cast<std::size_t>(rate)), rate);
    EXPECT_GT(snr, 36.0) << rate;  // 36.9 at 8 kHz
  }
}

TEST(AudioPath, ErrorsAreCountedAndChange) {
  AudioPath path(8000, G711Law::mu, plain_profile(), 4, 0);
  const auto heard = tone(8000, 10);
  carried(path, heard, 160);
  EXPECT_EQ(path.channel().counters().errors(), 0U);
  path.channel().change(with_ber(1e-2));
  carried(path, heard, 160);
  EXPECT_EQ(path.channel().counters().bits(), 2U * 640'000);
  EXPECT_TRUE(test::is_binomial(path.channel().counters().errors(), 640'000, 1e-2));
}

}  // namespace
}  // namespace vqas
