#include "vqas/signal/rounding.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vqas {
namespace {

TEST(Rounding, GivesTheDoubleThatTheDecimalNumberIsReadAs) {
  EXPECT_EQ(rounded_to(3.0299999, 1e-2), 3.03);
  EXPECT_EQ(rounded_to(0.30000000000000004, 1e-4), 0.3);
  EXPECT_EQ(rounded_to(-2.71828, 1e-3), -2.718);
  EXPECT_EQ(rounded_to(1234.5, 1), 1235);
}

TEST(Rounding, NeverGivesMinusZero) {
  EXPECT_FALSE(std::signbit(rounded_to(-1e-9, 1e-4)));
}

}  // namespace
}  // namespace vqas
