// Runs inserted by a sound system, and signals that resemble them.
#include "line/spoilt_runs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "support/places.h"
#include "support/signals.h"
#include "vqas/channel/g711.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

struct Found {
  int zeros = 0, repeats = 0;  // samples at 8 kHz
  std::uint64_t first_repeat = 0;
};

// In blocks of the line, as in the audio line.
Found look(std::span<const float> samples, int rate_hz = 8000) {
  SpoiltRuns runs(rate_hz);
  Found found;
  const std::size_t size = kLineBlock * static_cast<std::size_t>(rate_hz) / 8000;
  for (std::uint64_t n = 0; (n + 1) * size <= samples.size(); ++n) {
    runs.add(samples.subspan(n * size, size));
    BlockTime block;
    block.index = n;
    runs.note(block);
    found.zeros += block.zeros_count;
    if (found.repeats == 0) found.first_repeat = n * kLineBlock + block.repeats_begin;
    found.repeats += block.repeats_count;
  }
  return found;
}

std::vector<float> noise(double seconds, int rate_hz) {
  return test::noise(0.1, seconds, 7, rate_hz).samples;
}

// Repeats the samples [at, at + count) in place of those that follow.
void repeat(std::vector<float>& samples, std::size_t at, std::size_t count, int times = 1) {
  for (int n = 1; n <= times; ++n) {
    std::copy_n(samples.begin() + static_cast<std::ptrdiff_t>(at), count,
                samples.begin() + static_cast<std::ptrdiff_t>(at + static_cast<std::size_t>(n) * count));
  }
}

TEST(SpoiltRuns, APeriodReceivedTwiceIsARepetition) {
  for (const std::size_t period : {64U, 160U, 256U, 1024U}) {
    auto samples = noise(2, 8000);
    repeat(samples, 5000, period);
    const Found found = look(samples);
    EXPECT_NEAR(found.repeats, static_cast<double>(period), static_cast<double>(period) / 2) << period;
    EXPECT_EQ(found.zeros, 0);
    EXPECT_NEAR(static_cast<double>(found.first_repeat), static_cast<double>(5000 + period), 170.0 + period);
  }
}

TEST(SpoiltRuns, RepetitionsAtAnotherRateOrManyTimesAreFound) {
  auto samples = noise(2, 48000);
  repeat(samples, 30000, 256);
  EXPECT_GE(look(samples, 48000).repeats, 21);  // half of 5.3 ms
  auto often = noise(2, 8000);
  repeat(often, 5000, 160, 10);
  EXPECT_GE(look(often).repeats, 1400);
}

TEST(SpoiltRuns, ZerosOfTwoMillisecondsAreReported) {
  auto samples = noise(1, 8000);
  std::fill_n(samples.begin() + 3000, 15, 0.0F);
  EXPECT_EQ(look(samples).zeros, 0);
  std::fill_n(samples.begin() + 3000, 480, 0.0F);
  EXPECT_NEAR(look(samples).zeros, 480, 2);
  EXPECT_EQ(look(samples).repeats, 0) << "zeros are not a repetition";
}

TEST(SpoiltRuns, ATonesPeriodIsNotARepetition) {
  std::vector<float> tone(16000);
  for (std::size_t n = 0; n < tone.size(); ++n) {
    tone[n] = n % 8 < 4 ? 0.25F : -0.25F;  // 1000 Hz, every period alike
  }
  EXPECT_EQ(look(tone).repeats, 0);
  EXPECT_EQ(look(std::vector<float>(16000, 0.001F)).repeats, 0) << "an offset is not a repetition either";
}

std::vector<float> through_g711(const std::vector<float>& samples, G711Law law) {
  std::vector<std::uint8_t> octets(samples.size());
  std::vector<float> decoded(samples.size());
  g711_encode(samples, octets, law);
  g711_decode(octets, decoded, law);
  return decoded;
}

// In pauses of speech a code may repeat; loud segments do not repeat.
TEST(SpoiltRuns, SpeechThroughG711DoesNotRepeatItself) {
  std::size_t looked_at = 0;
  for (const auto& file : std::filesystem::directory_iterator(std::string(test::source_dir()) + "/corpus/8k")) {
    const auto clean = read_audio(file.path());
    if (!clean) continue;
    ++looked_at;
    for (const G711Law law : {G711Law::mu, G711Law::a}) {
      const std::vector<float> coded = through_g711(clean->samples, law);
      SpoiltRuns runs(8000);
      for (std::uint64_t n = 0; (n + 1) * kLineBlock <= coded.size(); ++n) {
        const auto part = std::span(coded).subspan(n * kLineBlock, kLineBlock);
        runs.add(part);
        BlockTime block;
        block.index = n;
        runs.note(block);
        if (block.repeats_count == 0) continue;
        double power = 0;
        for (const float sample : part.subspan(block.repeats_begin, block.repeats_count)) power += sample * sample;
        EXPECT_LT(std::sqrt(power / block.repeats_count), 0.003) << file.path() << " at " << n * kLineBlock;
      }
    }
  }
  EXPECT_GE(looked_at, 12U);
}

}  // namespace
}  // namespace vqas
