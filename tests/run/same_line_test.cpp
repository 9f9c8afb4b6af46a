#include "run/same_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vqas {
namespace {

using ::testing::HasSubstr;

RunResults simulated(double ber) {
  RunResults run;
  run.line = "sim:";
  run.simulated["a-to-b"].ber = run.simulated["b-to-a"].ber = ber;
  return run;
}

TEST(SameLine, AnotherBitErrorRatioIsNamedWithBothValues) {
  EXPECT_TRUE(check_same_line(simulated(1e-3), simulated(1e-3)));
  const Status other = check_same_line(simulated(1e-3), simulated(0));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::bad_input);
  EXPECT_THAT(other.error().message, HasSubstr("a-to-b ber was 0.001 and is 0.0"));
  EXPECT_THAT(other.error().message, HasSubstr("into a new folder"));
}

TEST(SameLine, OtherEquipmentIsNamedWithItsEnd) {
  RunResults before, now;
  before.line = now.line = "audio:";
  before.equipment["b"] = "alsa Card, 48000 Hz";
  now.equipment["b"] = "alsa Card, 8000 Hz";
  const Status other = check_same_line(before, now);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message,
              HasSubstr("the equipment of end b was \"alsa Card, 48000 Hz\" and is \"alsa Card, 8000 Hz\""));
}

TEST(SameLine, AnotherKindOrProfileIsRefused) {
  RunResults real;
  real.line = "rtp:";
  EXPECT_FALSE(check_same_line(simulated(0), real));
  EXPECT_FALSE(check_same_line(real, simulated(0)));
  RunResults other = simulated(0);
  other.profile = "[line]\ndelay_s = 0.3\n";
  EXPECT_FALSE(check_same_line(simulated(0), other));
}

TEST(SameLine, ClocksAndWhatAnEarlierReleaseDidNotTellMayDiffer) {
  RunResults before, now;
  before.line = now.line = "audio:";
  now.equipment["a"] = "alsa Card";
  now.clocks["a"] = {1.5, 0.1};
  now.duplex = Duplex::one;
  EXPECT_TRUE(check_same_line(before, now));
  RunResults one_way = simulated(0);
  one_way.simulated.erase("b-to-a");
  EXPECT_TRUE(check_same_line(simulated(0), one_way));
}

}  // namespace
}  // namespace vqas
