// Sounds that are not marks. tools/bench/sync_false_marks.cpp tests hours of more kinds.
#include <gtest/gtest.h>

#include "streams.h"

namespace vqas {
namespace {

using namespace test;

constexpr std::size_t kMinute = 60 * kLineRateHz;

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : random_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(random_() >> 11), -53);
  }

 private:
  std::mt19937_64 random_;
};

// Single tones, steady, sweeping, warbling and hopping within the marks' band.
std::vector<float> tones(std::uint64_t seed) {
  Chance chance(seed);
  std::vector<float> sound;
  double phase = 0;
  while (sound.size() < kMinute) {
    const double length = chance.between(80, 5600), from = chance.between(1100, 2000);
    const double to = chance.between(0, 1) < 0.5 ? from : chance.between(1100, 2000);
    const double warble = chance.between(0, 1) < 0.5 ? chance.between(3, 40) : 0, depth = chance.between(5, 150);
    const double amplitude = chance.between(0.02, 0.4);
    for (double n = 0; n < length; ++n) {
      const double swing = depth * std::sin(2 * std::numbers::pi * warble * n / kLineRateHz);
      phase += 2 * std::numbers::pi * (from + (to - from) * n / length + swing) / kLineRateHz;
      sound.push_back(static_cast<float>(amplitude * std::sin(phase)));
    }
  }
  return sound;
}

TEST(FalseMark, IsNotFoundInTonesWithinTheMarksBand) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const std::vector<float> sound = tones(seed);
    for (const End end : {End::a, End::b}) EXPECT_TRUE(detect(sound, end).empty()) << "seed " << seed;
  }
}

TEST(FalseMark, IsNotFoundInNoiseOfAnyBand) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    std::vector<float> sound = noise(0.1, 60, seed).samples;
    Chance chance(seed);
    // A resonance somewhere in the band makes the noise narrow.
    const double pole = chance.between(0.5, 0.99);
    const double turn = 2 * std::numbers::pi * chance.between(500, 2500) / kLineRateHz;
    double last = 0, before = 0;
    for (float& sample : sound) {
      const double next = sample + 2 * pole * std::cos(turn) * last - pole * pole * before;
      before = last, last = next;
      sample = static_cast<float>((1 - pole) * next);
    }
    for (const End end : {End::a, End::b}) EXPECT_TRUE(detect(sound, end).empty()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace vqas
