#include "experiment/burst_recovery.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vqas::experiment {
namespace {

TEST(FrameDistance, is_zero_for_the_same_frame_and_the_level_for_a_gain) {
  std::vector<float> frame(160);
  for (std::size_t i = 0; i < frame.size(); ++i)
    frame[i] = 0.1F * static_cast<float>(std::sin(0.9 * static_cast<double>(i * i)));
  EXPECT_EQ(frame_distance(frame, frame), 0);
  auto louder = frame;
  for (float& sample : louder) sample *= 2;
  EXPECT_NEAR(frame_distance(frame, louder), 6.02, 0.05);
}

TEST(Recovery, counts_from_the_end_of_the_burst_to_a_calm_that_stays) {
  // 2 s of 20 ms frames; the burst ends after 1 s, and the frames are bad for 10 more.
  std::vector<double> distances(100, 0.1);
  for (std::size_t i = 30; i < 60; ++i) distances[i] = 9;
  EXPECT_NEAR(recovery_s(distances, 1, 1), 0.2, 1e-9);
  distances[62] = 5;  // calm for two frames only
  EXPECT_NEAR(recovery_s(distances, 1, 1), 0.26, 1e-9);
  EXPECT_NEAR(recovery_s(distances, 1.5, 1), 0, 1e-9);
  EXPECT_NEAR(recovery_s(std::vector<double>(100, 9.0), 1, 1), 1, 1e-9);
}

}  // namespace
}  // namespace vqas::experiment
