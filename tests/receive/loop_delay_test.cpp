#include "vqas/receive/loop_delay.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <functional>

#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

// A device whose output is its own input, and its faults by block.
class LoopedLine final : public Line {
 public:
  std::size_t lead = 2400, delay = 341;  // samples
  std::function<void(LoopedLine&, BlockTime&)> disturb;
  float gain = 1;
  int rate_hz = kLineRateHz;

  LineDescription description() const override {
    LineDescription description;
    description.rate_hz = rate_hz;
    return description;
  }
  void interrupt() override {}
  Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round /*round*/) override {
    if (index_ == 0) way_.assign(lead + delay, 0.0F);
    BlockTime time;
    time.index = index_++;
    time.leaves_after_ns = static_cast<std::int64_t>(lead) * 1'000'000'000 / rate_hz;
    if (disturb) disturb(*this, time);
    for (const float sample : sent) way_.push_back(gain * sample);
    for (float& sample : heard) {
      sample = way_.front();
      way_.pop_front();
    }
    return time;
  }
  void slip(std::size_t samples) { way_.insert(way_.begin(), samples, 0.0F); }
  void catch_up(std::size_t samples) { way_.erase(way_.begin(), way_.begin() + static_cast<std::ptrdiff_t>(samples)); }

 private:
  std::deque<float> way_;
  std::uint64_t index_ = 0;
};

constexpr double kTrue_ms = 341 / 8.0;

TEST(LoopDelay, IsTheDevices) {
  LoopedLine line;
  const auto delay = measure_loop_delay(line, 4);
  ASSERT_TRUE(delay);
  EXPECT_EQ(delay->heard, 4U);
  EXPECT_NEAR(delay->median_ms, kTrue_ms, 0.05);
  EXPECT_TRUE(delay->steady());
}

TEST(LoopDelay, IsTheDevicesAt16KhzToo) {
  LoopedLine line;
  line.rate_hz = kWideRateHz;
  line.lead = 4800;
  line.delay = 683;
  const auto delay = measure_loop_delay(line, 4);
  ASSERT_TRUE(delay);
  EXPECT_EQ(delay->heard, 4U);
  EXPECT_NEAR(delay->median_ms, 683 / 16.0, 0.05);
  EXPECT_TRUE(delay->steady());
}

TEST(LoopDelay, IsMeasuredWithALongLead) {
  LoopedLine line;
  line.lead = 2 * kLineRateHz;
  const auto delay = measure_loop_delay(line, 3);
  ASSERT_TRUE(delay);
  EXPECT_EQ(delay->heard, 3U);
  EXPECT_NEAR(delay->median_ms, kTrue_ms, 0.05);
}

TEST(LoopDelay, ASettlingDeviceIsWaitedFor) {
  LoopedLine line;
  line.slip(0);
  line.delay += 128;
  line.disturb = [](LoopedLine& one, const BlockTime& time) {
    if (time.index == 140) one.catch_up(128);
  };
  const auto delay = measure_loop_delay(line, 3);
  ASSERT_TRUE(delay);
  EXPECT_TRUE(delay->steady());
  EXPECT_NEAR(delay->median_ms, kTrue_ms, 0.05);
}

// A device's report during a mark; only this mark has another delay.
LoopDelay with_gaps(bool told, std::size_t every) {
  LoopedLine line;
  line.disturb = [told, every](LoopedLine& one, BlockTime& time) {
    const std::size_t at = time.index % (2 * every);
    if (time.index < 300) return;
    if (at == 0) one.slip(128);
    if (at == every) one.catch_up(128);
    if (told && at == 0) time.noticed.output_underflows = 1;
    if (told && at == every) time.noticed.input_overflows = 1;
  };
  const auto delay = measure_loop_delay(line, 6);
  EXPECT_TRUE(delay);
  return delay ? *delay : LoopDelay();
}

TEST(LoopDelay, AMarkNextToADeviceGapIsIgnored) {
  LoopedLine line;
  // The device slips within the third mark's segment, for some blocks.
  line.disturb = [](LoopedLine& one, BlockTime& time) {
    if (time.index == 475) {
      one.slip(128);
      time.noticed.output_underflows = 1;
    }
    if (time.index == 555) {
      one.catch_up(128);
      time.noticed.lost_samples = 128;
    }
  };
  const auto delay = measure_loop_delay(line, 6);
  ASSERT_TRUE(delay);
  EXPECT_GE(delay->disturbed, 1U);
  EXPECT_TRUE(delay->steady());
  EXPECT_NEAR(delay->median_ms, kTrue_ms, 0.05);
}

TEST(LoopDelay, DifferentDelaysGiveNoResult) {
  EXPECT_FALSE(with_gaps(false, 150).steady());
}

TEST(LoopDelay, FewMarksOfManyGiveNoResult) {
  const auto of = [](std::size_t heard, std::size_t sent) {
    LoopDelay delay;
    delay.sent = sent;
    delay.heard = heard;
    return delay.steady();
  };
  EXPECT_FALSE(of(1, 10));
  EXPECT_FALSE(of(2, 3));
  EXPECT_FALSE(of(5, 10));
  EXPECT_TRUE(of(3, 5));
  EXPECT_TRUE(of(6, 10));
}

TEST(LoopDelay, WithoutEchoesThereIsNoResult) {
  LoopedLine line;
  line.gain = 0;
  const auto delay = measure_loop_delay(line, 3);
  ASSERT_TRUE(delay);
  EXPECT_EQ(delay->heard, 0U);
  EXPECT_FALSE(delay->steady());
}

TEST(LoopDelay, TheMedianOfAnEvenNumberLiesBetween) {
  LoopedLine line;
  std::size_t marks = 0;
  // One sample more from the third of four marks on: 0.125 ms, within the tolerance.
  line.disturb = [&marks](LoopedLine& one, const BlockTime& time) {
    if (time.index == 447 && marks++ == 0) one.slip(1);
  };
  const auto delay = measure_loop_delay(line, 4);
  ASSERT_TRUE(delay);
  EXPECT_EQ(delay->heard, 4U);
  EXPECT_GT(delay->median_ms, kTrue_ms + 0.03);
  EXPECT_LT(delay->median_ms, kTrue_ms + 0.1);
}

}  // namespace
}  // namespace vqas
