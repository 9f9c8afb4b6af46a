#include "signal/twice_rate.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

namespace vqas {
namespace {

using Taps = std::array<float, TwiceRate::kTaps>;

// A low-pass of 4 kHz at 16 kHz, of gain 1.
Taps design() {
  constexpr double kBeta = 5.65;  // Kaiser: 0.1102 (60 - 8.7)
  constexpr double kMiddle = (TwiceRate::kTaps - 1) / 2.0;
  std::array<double, TwiceRate::kTaps> exact{};
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double t = static_cast<double>(i) - kMiddle;
    const double x = std::numbers::pi * t / 2;
    const double edge = t / kMiddle;
    exact.at(i) = (t == 0 ? 1 : std::sin(x) / x) * std::cyl_bessel_i(0, kBeta * std::sqrt(1 - edge * edge));
  }
  const double sum = std::accumulate(exact.begin(), exact.end(), 0.0);
  Taps taps{};
  std::ranges::transform(exact, taps.begin(), [sum](double tap) { return static_cast<float>(tap / sum); });
  return taps;
}

const Taps& taps() {
  static const Taps designed = design();
  return designed;
}

// The last samples of `used` go to the front, before the next block.
template <typename History>
void keep_last(History& history, std::size_t used) {
  const auto end = history.begin() + static_cast<std::ptrdiff_t>(used);
  std::copy(end - (TwiceRate::kTaps - 1), end, history.begin());
}

}  // namespace

void TwiceRate::up(std::span<const float> narrow, std::span<float> wide) {
  assert(narrow.size() <= kMost && wide.size() == 2 * narrow.size());
  const auto fresh = std::span(up_).subspan(kTaps - 1);
  for (std::size_t i = 0; i < narrow.size(); ++i) {
    fresh[2 * i] = 2 * narrow[i];
    fresh[2 * i + 1] = 0;
  }
  for (std::size_t i = 0; i < wide.size(); ++i)
    wide[i] = std::inner_product(taps().begin(), taps().end(), &up_.at(i), 0.0F);
  keep_last(up_, kTaps - 1 + wide.size());
}

void TwiceRate::down(std::span<const float> wide, std::span<float> narrow) {
  assert(narrow.size() <= kMost && wide.size() == 2 * narrow.size());
  std::ranges::copy(wide, down_.begin() + (kTaps - 1));
  for (std::size_t i = 0; i < narrow.size(); ++i)
    narrow[i] = std::inner_product(taps().begin(), taps().end(), &down_.at(2 * i), 0.0F);
  keep_last(down_, kTaps - 1 + wide.size());
}

}  // namespace vqas
