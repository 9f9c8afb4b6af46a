#include "node/play/outgoing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "support/signals.h"
#include "vqas/channel/line_direction.h"

namespace vqas {
namespace {

MarkData data(std::uint16_t sequence) {
  MarkData mark;
  mark.sequence = sequence;
  return mark;
}

class Outgoing : public ::testing::Test {
 protected:
  const Signal speech_ = test::sine(440, 0.1, 3);
  const TransmissionOptions options_;
  const TransmissionLayout layout_ = transmission_layout(speech_.size(), options_);
  const Transmission plain_ = compose_transmission(speech_, data(5), options_);
  NodeOptions node_;
};

TEST_F(Outgoing, IsTheTransmissionAfterAGap) {
  const PlayItem item = compose_outgoing(speech_, data(5), options_, node_);
  EXPECT_EQ(item.sequence, 5U);
  EXPECT_EQ(item.silence, 1600U);
  EXPECT_EQ(item.samples, plain_.signal.samples);
}

TEST_F(Outgoing, TheGapIsLongerThanAnySilenceInsideATransmission) {
  for (const double guard_s : {0.05, 0.1, 0.2, 1.0}) {
    const PlayItem item = compose_outgoing(speech_, data(5), {guard_s, options_.mark_level_dbov}, node_);
    EXPECT_GT(static_cast<double>(item.silence), end_silence_for_guard(guard_s) * kLineRateHz) << guard_s;
  }
}

TEST_F(Outgoing, SubstitutedSpeechLeavesMarksAndPositionsUnchanged) {
  node_.substitution = {Substitution::Part::speech, test::noise(0.2, 1, 3)};
  const PlayItem item = compose_outgoing(speech_, data(5), options_, node_);
  ASSERT_EQ(item.samples.size(), plain_.signal.size());
  for (std::size_t n = 0; n < item.samples.size(); ++n) {
    const bool speech = n >= layout_.speech_start && n < layout_.speech_start + layout_.speech_length;
    if (!speech) {
      ASSERT_EQ(item.samples[n], plain_.signal.samples[n]) << n;
      continue;
    }
    const std::size_t at = n - layout_.speech_start;
    const Signal& other = node_.substitution.signal;
    ASSERT_EQ(item.samples[n], at < other.size() ? other.samples[at] : 0.0F) << n;
  }
}

TEST_F(Outgoing, TheWholeTransmissionCanBeReplaced) {
  node_.substitution = {Substitution::Part::all, test::noise(0.2, 60, 3)};
  const PlayItem item = compose_outgoing(speech_, data(5), options_, node_);
  ASSERT_EQ(item.samples.size(), plain_.signal.size());
  EXPECT_TRUE(std::equal(item.samples.begin(), item.samples.end(), node_.substitution.signal.samples.begin()));
}

TEST_F(Outgoing, RandomWaitsAreInRangeAndRepeatWithTheirSeed) {
  node_.max_send_delay_s = 3;
  node_.seed = 9;
  std::set<std::size_t> waits;
  for (std::uint16_t sequence = 1; sequence <= 50; ++sequence) {
    const std::size_t silence = compose_outgoing(speech_, data(sequence), options_, node_).silence;
    EXPECT_GE(silence, 1600U);
    EXPECT_LE(silence, 1600U + 24000U);
    EXPECT_EQ(silence, compose_outgoing(speech_, data(sequence), options_, node_).silence);
    waits.insert(silence);
  }
  EXPECT_GT(waits.size(), 45U);
  EXPECT_GT(*waits.rbegin(), 1600U + 20000U);
}

}  // namespace
}  // namespace vqas
