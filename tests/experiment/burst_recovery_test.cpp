#include "experiment/burst_recovery.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/normal.h"
#include "vqas/channel/profile_library.h"

namespace vqas::experiment {
namespace {

TEST(FrameDistance, SameFrameIsZeroAndAGainIsItsLevel) {
  std::vector<float> frame(160);
  for (std::size_t i = 0; i < frame.size(); ++i)
    frame[i] = 0.1F * static_cast<float>(std::sin(0.9 * static_cast<double>(i * i)));
  EXPECT_EQ(frame_distance(frame, frame), 0);
  auto louder = frame;
  for (float& sample : louder) sample *= 2;
  EXPECT_NEAR(frame_distance(frame, louder), 6.02, 0.05);
}

TEST(Recovery, CountsFromTheEndOfTheBurstToALastingCalm) {
  // 2 s of 20 ms frames; the burst ends after 1 s, and 10 more frames are bad.
  std::vector<double> distances(100, 0.1);
  for (std::size_t i = 30; i < 60; ++i) distances[i] = 9;
  EXPECT_NEAR(recovery_s(distances, 1, 1), 0.2, 1e-9);
  distances[62] = 5;  // calm for two frames only
  EXPECT_NEAR(recovery_s(distances, 1, 1), 0.26, 1e-9);
  EXPECT_NEAR(recovery_s(distances, 1.5, 1), 0, 1e-9);
  EXPECT_NEAR(recovery_s(std::vector<double>(100, 9.0), 1, 1), 1, 1e-9);
}

constexpr double kMemory_s = 0.5;

// A line on which a burst spoils everything during it and for some time after; errors outside bursts slightly spoil
// every fourth frame.
std::vector<float> heard_with_memory(const Profile& profile, const Signal& speech) {
  std::vector<float> heard = speech.samples;
  if (profile.errors.empty()) return heard;
  const auto* bursts = std::get_if<Bursts>(&profile.errors[0]);
  for (std::size_t i = 0; i < heard.size(); ++i) {
    if (i / 160 % 4 == 0) heard[i] *= bursts == nullptr ? 1.5F : 1.4F;
  }
  if (bursts == nullptr) return heard;
  const double delay_s = profile.line.delay_s - shortest_delay_s(profile);
  const double period_s = bursts->gap_s + bursts->burst_s;
  for (std::size_t i = 0; i < heard.size(); ++i) {
    const double t = static_cast<double>(i) / kLineRateHz - delay_s;
    if (t < 0) continue;
    const double in_period_s = std::fmod(t, period_s);
    const bool within = in_period_s >= bursts->gap_s;
    const bool after = t > period_s && in_period_s < kMemory_s;
    if (within || after) heard[i] *= 10;
  }
  return heard;
}

TEST(Recovery, RecoveryEqualsTheMemoryOfTheLine) {
  test::Normal normal(0.01, 4);
  Signal speech{std::vector<float>(62 * kLineRateHz), kLineRateHz};
  for (float& sample : speech.samples) sample = static_cast<float>(normal());
  const auto points = measure_bursts(speech, heard_with_memory);
  std::size_t tables = 0;
  for (const Profile& profile : built_in_profiles()) tables += profile.name.starts_with("bursts-") ? 1 : 0;
  ASSERT_EQ(points.size(), tables);
  for (const ExperimentPoint& point : points) {
    ASSERT_TRUE(point.recovery_s) << point.label;
    EXPECT_NEAR(*point.recovery_s, kMemory_s, 0.021) << point.series << ", " << point.label;
  }
}

}  // namespace
}  // namespace vqas::experiment
