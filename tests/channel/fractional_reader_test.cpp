#include "channel/fractional_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "channel/tone.h"
#include "support/signals.h"

namespace vqas {
namespace {

std::vector<float> read_all(FractionalReader& reader, std::span<const float> sent) {
  std::vector<float> read;
  for (const float sample : sent) {
    reader.write(sample);
    while (reader.ready()) read.push_back(reader.read());
  }
  return read;
}

TEST(FractionalReader, AtWholePositionsReadsTheSamplesUnchanged) {
  const auto sent = test::noise(1, 0.2, 3).samples;
  FractionalReader reader(1);
  const auto read = read_all(reader, sent);
  ASSERT_EQ(read.size(), sent.size() - FractionalReader::kLatency);
  EXPECT_TRUE(std::equal(read.begin(), read.end(), sent.begin()));
}

// The output holds the tone, moved by the phase; the rest are its images and the interpolation error.
TEST(FractionalReader, IsFlatUpTo3600HertzAndImagesAreBelowSixtyDecibels) {
  for (const double frequency : {50.0, 300.0, 1020.0, 2010.0, 3000.0, 3400.0, 3600.0}) {
    const auto sent = test::sine(frequency, 0.5, 1).samples;
    for (const double phase : {-0.5, -0.376, -0.25, 0.001953125 / 2, 0.1, 0.31, 0.499}) {
      FractionalReader reader(1);
      reader.set_phase(phase);
      const auto read = read_all(reader, sent);
      const auto fit = test::fit_tone(std::span(read).subspan(100), frequency);
      EXPECT_NEAR(20 * std::log10(fit.amplitude / 0.5), 0, 0.05) << frequency << " Hz, phase " << phase;
      // Position 100 + phase of a sine that started at 0.
      const double expected = 2 * std::numbers::pi * frequency * (100 + phase) / 8000;
      EXPECT_NEAR(std::remainder(fit.phase - expected, 2 * std::numbers::pi), 0, 0.001) << frequency << " " << phase;
    }
  }
}

TEST(FractionalReader, ImagesOfATonePassingThroughAllPhasesAreBelowSixtyDecibels) {
  for (const double frequency : {300.0, 1020.0, 3400.0, 3600.0}) {
    const auto sent = test::sine(frequency, 0.5, 4).samples;
    FractionalReader reader(1.001);  // all phases, 32 times
    const auto read = read_all(reader, sent);
    const auto fit = test::fit_tone(std::span(read).subspan(100), frequency * 1.001);
    EXPECT_GT(fit.snr_db, 60) << frequency << " Hz";
  }
}

TEST(FractionalReader, KeepsItsPositionOverMillionsOfSamples) {
  constexpr double kStep = 1.0001;
  constexpr std::uint64_t kSent = 4'000'000;
  FractionalReader reader(kStep);
  std::uint64_t read = 0;
  for (std::uint64_t n = 0; n < kSent; ++n) {
    reader.write(0);
    for (; reader.ready(); ++read) reader.read();
  }
  // Output m is ready once sample floor(m · step) + latency is written.
  const auto last = static_cast<double>(kSent - 1 - FractionalReader::kLatency);
  EXPECT_EQ(read, static_cast<std::uint64_t>(std::ceil((last + 1) / kStep)));
}

TEST(FractionalReader, PhaseMovesOnlyWhatComesAfterIt) {
  const auto sent = test::sine(1020, 0.5, 0.5).samples;
  FractionalReader still(1);
  FractionalReader moved(1);
  float largest_later = 0;
  for (std::size_t n = 0; n < sent.size(); ++n) {
    still.write(sent[n]);
    moved.write(sent[n]);
    if (n == 2000) moved.set_phase(0.25);
    while (still.ready()) {
      ASSERT_TRUE(moved.ready());
      const float difference = std::abs(still.read() - moved.read());
      if (n < 2000) {
        EXPECT_EQ(difference, 0) << n;
      }
      largest_later = std::max(largest_later, difference);
    }
    EXPECT_FALSE(moved.ready());
  }
  const double steepest = 0.5 * 2 * std::numbers::pi * 1020 / 8000;  // of the sine, per sample
  EXPECT_NEAR(largest_later, 0.25 * steepest, 0.02 * steepest);
}

}  // namespace
}  // namespace vqas
