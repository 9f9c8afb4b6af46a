// Marks without their phases, as after a vocoder.
#include <gtest/gtest.h>

#include <complex>

#include "streams.h"

namespace vqas {
namespace {

using namespace test;

// Keeps the energy in bands of 100 Hz and frames of 20 ms and replaces the phases: noise of the same shape.
std::vector<float> without_phases(const std::vector<float>& stream, std::uint64_t seed) {
  constexpr std::size_t kFrame = 160;
  constexpr double kBandHz = 100;
  std::mt19937_64 random(seed);
  std::vector<float> out(stream.size(), 0.0F);
  for (double low = 300; low < 3400; low += kBandHz) {
    const double step = 2 * std::numbers::pi * (low + kBandHz / 2) / kLineRateHz;
    const double phase = 2 * std::numbers::pi * std::ldexp(static_cast<double>(random() >> 11), -53);
    for (std::size_t start = 0; start + 2 * kFrame <= stream.size(); start += kFrame) {
      std::complex<double> sum = 0;
      for (std::size_t n = 0; n < 2 * kFrame; ++n) {
        const double window = 0.5 - 0.5 * std::cos(std::numbers::pi * (static_cast<double>(n) + 0.5) / kFrame);
        sum += window * stream[start + n] * std::polar(1.0, -step * static_cast<double>(start + n));
      }
      // The windows of neighbouring frames sum to one.
      for (std::size_t n = 0; n < 2 * kFrame; ++n) {
        const double window = 0.5 - 0.5 * std::cos(std::numbers::pi * (static_cast<double>(n) + 0.5) / kFrame);
        const double at = step * static_cast<double>(start + n) + phase;
        out[start + n] += static_cast<float>(2.0 / kFrame * window * std::abs(sum) * std::cos(at));
      }
    }
  }
  return out;
}

struct Sent {
  std::vector<float> stream;
  double leading = 0, trailing = 0;
};

Sent send(End sender, std::uint64_t seed) {
  Sent sent;
  MarkData data = some_data(static_cast<std::uint16_t>(seed));
  data.sender = sender;
  const Transmission t = compose_transmission(babble(1.2, seed), data, {});
  append_silence(sent.stream, 4000 + seed % 160);
  sent.leading = static_cast<double>(sent.stream.size());
  sent.trailing = sent.leading + static_cast<double>(t.layout.trailing_start);
  append(sent.stream, t.signal.samples);
  append_silence(sent.stream, 6000);
  add_idle_noise(sent.stream, seed);
  return sent;
}

TEST(Vocoder, MarksAreFoundByTheirEnergyAndFlaggedAsCoarse) {
  for (const End end : {End::a, End::b}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const Sent sent = send(end, seed * 37);
      const auto found = detect(without_phases(sent.stream, seed), end);
      ASSERT_EQ(found.size(), 2U) << "seed " << seed;
      EXPECT_EQ(found[0].kind, MarkKind::leading);
      EXPECT_EQ(found[1].kind, MarkKind::trailing);
      EXPECT_NEAR(found[0].position, sent.leading, 160);
      EXPECT_NEAR(found[1].position, sent.trailing, 160);
      for (const FoundMark& mark : found) {
        EXPECT_TRUE(mark.coarse);
        EXPECT_FALSE(mark.data);
      }
    }
  }
}

TEST(Vocoder, TheOtherEndsMarksAreIgnored) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    EXPECT_TRUE(detect(without_phases(send(End::b, seed).stream, seed), End::a).empty()) << "seed " << seed;
    EXPECT_TRUE(detect(without_phases(send(End::a, seed).stream, seed), End::b).empty()) << "seed " << seed;
  }
}

TEST(Vocoder, AMarkThatKeptItsPhaseIsNeverReportedTwice) {
  const Sent sent = send(End::a, 5);
  const auto found = detect(sent.stream);
  ASSERT_EQ(found.size(), 2U);
  for (const FoundMark& mark : found) EXPECT_FALSE(mark.coarse);
}

TEST(Vocoder, DetectionDoesNotDependOnBlockSizes) {
  const std::vector<float> stream = without_phases(send(End::a, 9).stream, 9);
  const auto whole = detect(stream, End::a, stream.size());
  ASSERT_EQ(whole.size(), 2U);
  for (const std::size_t block : {std::size_t{37}, std::size_t{160}, std::size_t{4096}}) {
    const auto parts = detect(stream, End::a, block);
    ASSERT_EQ(parts.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_EQ(parts[i].position, whole[i].position);
      EXPECT_EQ(parts[i].confidence, whole[i].confidence);
    }
  }
}

}  // namespace
}  // namespace vqas
