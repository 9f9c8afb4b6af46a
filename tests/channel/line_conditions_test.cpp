#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "vqas/channel/line_direction.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(LineConditions, DefaultsAndEdgesAreValid) {
  EXPECT_TRUE(validate(LineConditions{}));
  LineConditions edges;
  edges.ber = 1e-12;
  edges.delay_s = 10;
  edges.gain_db = -40;
  edges.circuit_noise_dbm0p = -kInfinity;
  edges.gain_ripple_db = 0;
  edges.sender_clock_ppm = 1000;
  edges.receiver_clock_ppm = -1000;
  EXPECT_TRUE(validate(edges));
  edges.ber = 0.5;
  edges.delay_s = shortest_delay_s(edges);
  EXPECT_TRUE(validate(edges));
}

TEST(LineConditions, ValuesOutOfRangeAreNamed) {
  struct Case {
    const char* name;
    double LineConditions::*member;
    std::vector<double> values;
  };
  for (const Case& tested :
       {Case{"(ber)", &LineConditions::ber, {-1e-9, 1e-13, 0.51, kNan}},
        Case{"(delay_s)", &LineConditions::delay_s, {-1, 0, 0.011, 10.1, kNan, kInfinity}},
        Case{"(gain_db)", &LineConditions::gain_db, {-41, 41, kNan, -kInfinity}},
        Case{"(circuit_noise_dbm0p)", &LineConditions::circuit_noise_dbm0p, {-121, -19, kNan, kInfinity}},
        Case{"(gain_ripple_db)", &LineConditions::gain_ripple_db, {-0.1, 6.1, kNan}},
        Case{"(sender_clock_ppm)", &LineConditions::sender_clock_ppm, {-1001, 1001, kNan}},
        Case{"(receiver_clock_ppm)", &LineConditions::receiver_clock_ppm, {-1001, 1001, kNan}}}) {
    for (const double value : tested.values) {
      LineConditions conditions;
      conditions.*tested.member = value;
      const auto status = validate(conditions);
      ASSERT_FALSE(status) << tested.name << " " << value;
      EXPECT_EQ(status.error().code, ErrorCode::bad_input);
      EXPECT_THAT(status.error().message, HasSubstr(tested.name));
      EXPECT_THAT(status.error().message, HasSubstr("give "));
    }
  }
}

TEST(LineConditions, TooShortADelayIsRefusedWithTheSmallestOne) {
  LineConditions conditions;
  conditions.delay_s = 0.005;
  auto status = validate(conditions);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("give 0.011125 s or more"));
  conditions.band_limit = false;
  EXPECT_TRUE(validate(conditions));
  conditions.delay_s = 0.003;
  status = validate(conditions);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("give 0.003125 s or more"));
}

}  // namespace
}  // namespace vqas
