// Inner loops, each against its definition written in the plainest way, at sizes with and without a rest.
#include "score/dsp/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <vector>

#include "score/recipes.h"
#include "signal/fft.h"

namespace vqas::scoring {
namespace {

template <typename Value>
std::vector<Value> noise(std::size_t count, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<Value> values(count);
  for (Value& value : values) value = static_cast<Value>(random.normal());
  return values;
}

TEST(RealFft, IsTheFourierTransformAndItsInverse) {
  for (const std::size_t size : {8U, 12U, 64U, 100U}) {
    const RealFft fft(size);
    const auto values = noise<float>(size, size);
    FftBuffer<float> in(size);
    std::copy(values.begin(), values.end(), in.begin());
    FftBuffer<Complex> out(fft.row());
    fft.forward(in.data(), out.data());
    for (std::size_t bin = 0; bin < fft.bins(); ++bin) {
      std::complex<double> wanted;
      for (std::size_t n = 0; n < size; ++n) {
        const double angle = -2 * std::numbers::pi * static_cast<double>(bin * n) / static_cast<double>(size);
        wanted += static_cast<double>(values[n]) * std::polar(1.0, angle);
      }
      EXPECT_NEAR(out[bin].real(), wanted.real(), 1e-5 * static_cast<double>(size)) << size << ", bin " << bin;
      EXPECT_NEAR(out[bin].imag(), wanted.imag(), 1e-5 * static_cast<double>(size)) << size << ", bin " << bin;
    }
    FftBuffer<float> back(size);
    fft.inverse(out.data(), back.data());
    for (std::size_t n = 0; n < size; ++n) {
      EXPECT_NEAR(back[n] / static_cast<float>(size), values[n], 1e-5) << size << ", sample " << n;
    }
  }
}

TEST(Kernels, RunningMediansAreTheMediansOfWhatIsAround) {
  for (const std::size_t count : {1U, 3U, 4U, 15U, 16U, 17U, 100U}) {
    const auto values = noise<double>(count + kMedianOf - 1, count);
    std::vector<double> medians(count);
    running_medians(values, medians);
    for (std::size_t n = 0; n < count; ++n) {
      std::vector<double> around(values.begin() + static_cast<std::ptrdiff_t>(n),
                                 values.begin() + static_cast<std::ptrdiff_t>(n + kMedianOf));
      std::nth_element(around.begin(), around.begin() + kMedianOf / 2, around.end());
      EXPECT_EQ(medians[n], around[kMedianOf / 2]) << count << ", " << n;
    }
  }
}

TEST(Kernels, SmoothingTwiceIsTwoLowPassesOneBehindTheOther) {
  auto values = noise<float>(std::size_t{12} * kLanes, 5);
  for (float& value : values) value = std::abs(value);
  constexpr double kSmoothing = 0.9;
  constexpr double kScale = 0.125;
  std::vector<std::int32_t> exponents(values.size());
  smooth_twice(values, kSmoothing, kScale, exponents);
  double first = 0;
  double second = 0;
  for (std::size_t n = 0; n < values.size(); ++n) {
    first = kSmoothing * first + (1 - kSmoothing) * kScale * values[n];
    second = kSmoothing * second + (1 - kSmoothing) * first;
    EXPECT_EQ(exponents[n], std::ilogb(second)) << n;
  }
}

TEST(Kernels, EnergiesAreSumsOfEachPiece) {
  constexpr int kLength = 48;
  for (const std::size_t pieces : {1U, 3U, 4U, 5U, 16U, 19U}) {
    const auto padded = noise<float>(1 + pieces * kLength, pieces);
    const float* x = padded.data() + 1;
    std::vector<float> square(pieces);
    std::vector<float> magnitude(pieces);
    std::vector<float> difference(pieces);
    energies(x, kLength, square);
    magnitude_sums(x, kLength, magnitude);
    difference_energies(x, 0.9F, kLength, difference);
    for (std::size_t k = 0; k < pieces; ++k) {
      double squares = 0;
      double magnitudes = 0;
      double differences = 0;
      for (int n = 0; n < kLength; ++n) {
        const float* at = x + k * kLength + n;
        squares += static_cast<double>(at[0]) * at[0];
        magnitudes += std::abs(at[0]);
        differences += std::pow(at[0] - 0.9 * at[-1], 2);
      }
      EXPECT_NEAR(square[k], squares, 1e-4 * squares) << pieces << ", " << k;
      EXPECT_NEAR(magnitude[k], magnitudes, 1e-4 * magnitudes) << pieces << ", " << k;
      EXPECT_NEAR(difference[k], differences, 1e-4 * differences) << pieces << ", " << k;
    }
  }
}

TEST(Kernels, ErrorEnergyIsTheSumOfSquaredDifferences) {
  for (const std::size_t count : {1U, 7U, 16U, 37U}) {
    const auto values = noise<float>(count, 1);
    const auto expected = noise<float>(count, 2);
    double error = 0;
    double all = 0;
    for (std::size_t n = 0; n < count; ++n) {
      error += std::pow(static_cast<double>(values[n]) - expected[n], 2);
      all += std::pow(static_cast<double>(values[n]), 2);
    }
    const ErrorEnergy found = error_energy(values, expected);
    EXPECT_NEAR(found.error, error, 1e-6 * error) << count;
    EXPECT_NEAR(found.all, all, 1e-6 * all) << count;
  }
}

TEST(Kernels, TheLargestShiftedSumIsThatOfTheSumOfShiftedRows) {
  constexpr auto kWidth = static_cast<int>(kSummedAtOnce);
  const std::vector<int> shift{0, 3, -5, kWidth, -kWidth, 17};
  std::vector<float> rows(shift.size() * 3 * kSummedAtOnce, 0.0F);
  const auto values = noise<float>(shift.size() * kSummedAtOnce, 9);
  std::vector<double> sum(kSummedAtOnce, 0.0);
  for (std::size_t row = 0; row < shift.size(); ++row) {
    for (int k = 0; k < kWidth; ++k) {
      const float value = values[row * kSummedAtOnce + static_cast<std::size_t>(k)];
      rows[(3 * row + 1) * kSummedAtOnce + static_cast<std::size_t>(k)] = value;
      const int to = k + shift[row];
      if (to >= 0 && to < kWidth) sum[static_cast<std::size_t>(to)] += value;
    }
  }
  EXPECT_NEAR(largest_shifted_sum(rows, shift), *std::max_element(sum.begin(), sum.end()), 1e-5);
}

TEST(Kernels, StepsFromAMiddleAreRoundedAndLimited) {
  const auto values = noise<double>(37, 3);
  std::vector<int> steps(values.size());
  steps_from(values, 0.1, 0.25, 6, steps);
  for (std::size_t n = 0; n < values.size(); ++n) {
    const double wanted = std::clamp(std::round((values[n] - 0.1) / 0.25), -6.0, 6.0);
    EXPECT_NEAR(steps[n], wanted, std::abs(std::abs((values[n] - 0.1) / 0.25 - wanted) - 0.5) < 1e-9 ? 1 : 0) << n;
  }
}

TEST(Kernels, RelativeToEnergyDividesByTheRootOfWhatWasAdded) {
  const auto values = noise<float>(37, 4);
  std::vector<double> before(values.size());
  std::iota(before.begin(), before.end(), 1.0);
  std::vector<double> behind = before;
  for (double& one : behind) one += 2.25;
  std::vector<float> found(values.size());
  relative_to_energy(values, before, behind, 0.1, found);
  for (std::size_t n = 0; n < values.size(); ++n) EXPECT_NEAR(found[n], values[n] / std::sqrt(2.35), 1e-5) << n;
}

}  // namespace
}  // namespace vqas::scoring
