#include "vqas/signal/clipping.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vqas {
namespace {

Signal tone() {
  Signal signal{std::vector<float>(2000), 8000};
  for (std::size_t n = 0; n < signal.size(); ++n) signal.samples[n] = 0.4F * std::sin(0.7F * static_cast<float>(n));
  return signal;
}

TEST(Clipping, AFlatTopIsFoundWhereverItBegins) {
  EXPECT_FALSE(has_flat_tops(tone()));
  for (std::size_t begin = 250; begin < 260; ++begin) {
    for (const float top : {0.5F, -0.5F}) {
      Signal clipped = tone();
      for (std::size_t n = begin; n < begin + 3; ++n) clipped.samples[n] = top;
      EXPECT_TRUE(has_flat_tops(clipped)) << begin;
      clipped.samples[begin + 1] = -top;
      EXPECT_FALSE(has_flat_tops(clipped)) << begin << ": a run has one sign";
    }
  }
  Signal at_the_end = tone();
  for (std::size_t n = 1997; n < 2000; ++n) at_the_end.samples[n] = 0.5F;
  EXPECT_TRUE(has_flat_tops(at_the_end));
}

// Clipped, then attenuated, then rounded to 16 bits.
TEST(Clipping, AFlatTopIsFoundInAQuietRecordingToo) {
  for (const double peak : {0.09, 0.057, 0.03, 0.01}) {
    Signal whole{std::vector<float>(8000), 8000};
    Signal clipped = whole;
    for (std::size_t n = 0; n < whole.size(); ++n) {
      const double x = std::sin(2 * std::numbers::pi * 500 * (static_cast<double>(n) + 0.3) / 8000);
      whole.samples[n] = static_cast<float>(std::nearbyint(x * peak * 32768) / 32768);
      clipped.samples[n] = static_cast<float>(std::nearbyint(std::clamp(x, -0.6, 0.6) / 0.6 * peak * 32768) / 32768);
    }
    EXPECT_TRUE(has_flat_tops(clipped)) << peak;
    EXPECT_FALSE(has_flat_tops(whole)) << peak;
  }
}

TEST(Clipping, AQuietOrEmptyRecordingHasNoFlatTop) {
  EXPECT_FALSE(has_flat_tops({std::vector<float>(100, 0.002F), 8000}));
  EXPECT_FALSE(has_flat_tops({{}, 8000}));
}

}  // namespace
}  // namespace vqas
