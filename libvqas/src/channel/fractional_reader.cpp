#include "channel/fractional_reader.h"

#include <cassert>
#include <cmath>

#include "channel/kaiser.h"

namespace vqas {
namespace {

constexpr double kAttenuationDb = 75;
constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;

// The fraction in 64 bits; 0 <= part < 1.
std::uint64_t to_fraction(double part) {
  return static_cast<std::uint64_t>(std::ldexp(part, 64));
}

// Row p holds the weights of samples -23..24 for a position p / phases after sample 0; they sum to 1.
std::vector<float> make_table(std::size_t phases, std::size_t taps) {
  const double half = static_cast<double>(taps) / 2;
  std::vector<float> table((phases + 1) * taps);
  std::vector<double> row(taps);
  for (std::size_t p = 0; p <= phases; ++p) {
    const double position = static_cast<double>(p) / static_cast<double>(phases);
    double sum = 0;
    for (std::size_t i = 0; i < taps; ++i) {
      const double t = static_cast<double>(i) - (half - 1) - position;
      row[i] = sinc(t) * kaiser_window(t / half, kAttenuationDb);
      sum += row[i];
    }
    for (std::size_t i = 0; i < taps; ++i) table[p * taps + i] = static_cast<float>(row[i] / sum);
  }
  return table;
}

}  // namespace

FractionalReader::FractionalReader(double step)
    : table_(make_table(kPhases, kTaps)),
      step_whole_(static_cast<std::int64_t>(std::floor(step))),
      step_fraction_(to_fraction(step - std::floor(step))),
      phase_(kHalf) {
  assert(step >= 0.5 && step <= 1.5);
}

void FractionalReader::set_phase(double phase) {
  assert(phase >= -0.5 && phase < 0.5);
  phase_ = to_fraction(phase + 0.5);
}

float FractionalReader::read() {
  assert(ready());
  std::uint64_t fraction = fraction_ + phase_;
  std::int64_t whole = whole_ + (fraction < phase_ ? 1 : 0);
  whole -= fraction < kHalf ? 1 : 0;
  fraction -= kHalf;

  constexpr int kRowBits = 8;
  static_assert(kPhases == std::size_t{1} << kRowBits);
  const float* const row = &table_[(fraction >> (64 - kRowBits)) * kTaps];
  const float* const next_row = row + kTaps;
  const auto between = static_cast<float>(static_cast<double>((fraction << kRowBits) >> 11) * 0x1p-53);
  const auto oldest = static_cast<std::uint64_t>(whole - static_cast<std::int64_t>(kTaps) / 2 + 1);
  const float* const samples = &ring_[oldest % kRing];

  // Parallel sums, so that the compiler may use vector registers without changing the order of additions.
  constexpr std::size_t kLanes = 8;
  std::array<float, kLanes> sums{};
  for (std::size_t i = 0; i < kTaps; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t tap = i + lane;
      sums[lane] += samples[tap] * (row[tap] + between * (next_row[tap] - row[tap]));
    }
  }
  const float result = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));

  const std::uint64_t before = fraction_;
  fraction_ += step_fraction_;
  whole_ += step_whole_ + (fraction_ < before ? 1 : 0);
  return result;
}

}  // namespace vqas
