#include "relay/audio_path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <set>
#include <sstream>

#include "channel/binomial_bounds.h"
#include "channel/full_profile.h"
#include "support/random_errors.h"
#include "vqas/channel/profile_text.h"
#include "vqas/relay/conditions.h"

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
  Profile profile = with_ber(1e-3);
  profile.line.law = G711Law::a;
  for (const std::size_t block : {1, 160, 5000, 24000}) {
    AudioPath path(8000, profile, 4, 0);
    EXPECT_EQ(carried(path, heard, block), expected) << block;
  }
}

TEST(AudioPath, AtOtherRatesOnlyTheCodecsNoiseIsAdded) {
  for (const double rate : {16000.0, 44100.0, 48000.0}) {
    AudioPath path(rate, plain_profile(), 4, 0);
    const auto heard = tone(rate, 5);
    const auto out = carried(path, heard, 256);
    EXPECT_NEAR(static_cast<double>(out.size()), static_cast<double>(heard.size()), 0.2 * rate) << rate;
    const double snr = snr_db(std::span(out).subspan(static_cast<std::size_t>(rate)), rate);
    EXPECT_GT(snr, 36.0) << rate;  // 36.9 at 8 kHz
  }
}

TEST(AudioPath, ErrorsAreCountedAndChange) {
  AudioPath path(8000, plain_profile(), 4, 0);
  const auto heard = tone(8000, 10);
  carried(path, heard, 160);
  EXPECT_EQ(path.channel().counters().errors(), 0U);
  path.channel().change(with_ber(1e-2));
  carried(path, heard, 160);
  EXPECT_EQ(path.channel().counters().bits(), 2U * 640'000);
  EXPECT_TRUE(test::is_binomial(path.channel().counters().errors(), 640'000, 1e-2));
}

TEST(AudioPath, AChangeOfTheLawAppliesToTheNextSamples) {
  const auto heard = tone(8000, 1);
  Profile a_law = plain_profile();
  a_law.line.law = G711Law::a;
  AudioPath path(8000, plain_profile(), 4, 0), expected(8000, a_law, 4, 0);
  EXPECT_NE(carried(path, heard, 160), carried(expected, heard, 160));
  path.change(LiveChannel::made(a_law, path.channel().next()), a_law.line.law);
  EXPECT_EQ(carried(path, heard, 160), carried(expected, heard, 160));
}

// The keys of a profile's TOML, those of a table by the table's name.
std::set<std::string> keys_of(const Profile& profile) {
  std::set<std::string> keys;
  std::istringstream text(profile_toml(profile));
  bool in_table = false;
  for (std::string line; std::getline(text, line);) {
    const auto begin = line.find_first_not_of('[');
    in_table = in_table || begin > 0;
    if (line.starts_with('[')) {
      keys.insert(line.substr(begin, line.find_first_of(".]", begin) - begin));
    } else if (!in_table && !line.empty()) {
      keys.insert(line.substr(0, line.find(' ')));
    }
  }
  return keys;
}

TEST(AudioPath, EveryPartOfAProfileIsEitherCarriedOrNamedAsLeftOut) {
  const std::string errors = "[[errors]]\nkind = \"random\"\nber = 0.05\n";
  struct Case {
    const char* key;
    std::string with, without = {};  // as TOML
  };
  const std::vector<Case> cases{
      {"law", "law = \"a\""},
      {"delay_s", "delay_s = 1.5"},
      {"gain_db", "gain_db = -3"},
      {"band", "band = \"g712\""},
      {"circuit_noise_dbm0p", "circuit_noise_dbm0p = -50"},
      {"gain_ripple_db", "gain_ripple_db = 1"},
      {"sender_clock_ppm", "sender_clock_ppm = 50"},
      {"receiver_clock_ppm", "receiver_clock_ppm = 50"},
      {"fresh_phase", "fresh_phase = true"},
      {"analogue", "[analogue]\nhum_dbm0 = -30"},
      {"errors", errors},
      {"error_mask", "error_mask = 1\n" + errors, errors},
      {"release", errors + "[release]\nnetwork = \"satellite\"", errors},
      {"interruptions", "[[interruptions]]\nfill = \"ones\"\nstart_s = 0.5\nduration_s = 0.2"},
      {"slips", "[[slips]]\nat_s = 0.5\noctets = 8"},
      {"packets", "[packets]\nloss = \"random\"\nloss_ratio = 0.1"},
  };
  std::set<std::string> tried{"name", "summary"};
  const auto heard = tone(8000, 4);
  for (const Case& one : cases) {
    tried.insert(one.key);
    const auto with = parse_profile(one.with, "with.toml"), without = parse_profile(one.without, "without.toml");
    ASSERT_TRUE(with && without) << one.key << ": " << (with ? "" : with.error().message);
    AudioPath path(8000, *with, 4, 0), plain(8000, *without, 4, 0);
    const bool carried_by_path = carried(path, heard, 160) != carried(plain, heard, 160);
    const bool delayed = relay_conditions(*with).delay_ms != relay_conditions(*without).delay_ms;
    EXPECT_NE(carried_by_path || delayed, !left_out(*with, Relayed::sound).empty()) << one.key;
  }
  EXPECT_EQ(tried, keys_of(test::one_of_everything())) << "decide what the relay does with a new part";
}

}  // namespace
}  // namespace vqas
