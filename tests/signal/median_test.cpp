#include "vqas/signal/median.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace vqas {
namespace {

TEST(Median, OddNumberGivesTheMiddleValueInBothForms) {
  std::vector<double> values{9, 1, 5};
  EXPECT_EQ(median(values), 5);
  EXPECT_EQ(upper_median(values), 5);
  std::array<float, 1> one{3};
  EXPECT_EQ(upper_median(one), 3.0F);
}

TEST(Median, EvenNumberGivesTheMeanOfTwoOrTheUpperOne) {
  std::vector<double> values{8, 2, 4, 100};
  EXPECT_EQ(median(values), 6);
  EXPECT_EQ(upper_median(values), 8);
}

}  // namespace
}  // namespace vqas
