// The audio line on a simulated sound device.
#include "line/audio_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "line/fake_audio.h"
#include "vqas/line/open_line.h"
#include "vqas/signal/signal.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

class AudioLineTest : public ::testing::Test {
 protected:
  void open(const std::string& name) {
    auto options = parse_audio_line(name);
    ASSERT_TRUE(options) << options.error().message;
    options->patience = std::chrono::milliseconds(100);
    auto opened = AudioLine::open(*options, std::make_unique<test::FakeBackend>(device_));
    ASSERT_TRUE(opened) << opened.error().message;
    line_ = std::move(opened).value();
  }
  // Exchanges a block, with as many callbacks as it needs.
  BlockTime exchange(bool busy = true) {
    const std::size_t wanted =
        (line_blocks_ + 1) * kLineBlock * static_cast<std::size_t>(device_->request.rate_hz) / 8000;
    while (device_->frame < wanted + held_back_) device_->tick();
    ++line_blocks_;
    const auto time = line_->exchange(sent_, heard_, {1, busy});
    EXPECT_TRUE(time) << time.error().message;
    return time ? *time : BlockTime();
  }
  // In frames of the output. The device does not play its output back to its input.
  void expect_a_click_to_leave_when_announced() {
    const std::int64_t opened_ns = test::FakeDevice().now_ns;
    sent_[0] = 0.5F;
    const BlockTime time = exchange();
    sent_[0] = 0;
    const auto announced = static_cast<std::size_t>((time.time_ns + time.leaves_after_ns - opened_ns) / 125'000);
    const std::deque<float>& played = device_->looped;
    while (played.size() <= announced) exchange();
    EXPECT_EQ(std::find(played.begin(), played.end(), 0.5F) - played.begin(), static_cast<std::ptrdiff_t>(announced));
  }

  std::shared_ptr<test::FakeDevice> device_ = std::make_shared<test::FakeDevice>();
  std::unique_ptr<Line> line_;
  std::array<float, kLineBlock> sent_{}, heard_{};
  std::size_t line_blocks_ = 0;
  std::size_t held_back_ = 0;  // by the resampler, in frames
};

// Time from sending to receiving a click, from the times of the blocks.
double loop_ms(Line& line, std::array<float, kLineBlock>& sent, std::array<float, kLineBlock>& heard,
               const std::function<void()>& before_block) {
  std::int64_t left_ns = 0;
  constexpr std::size_t kAt = 37;
  double best = 0, arrived_ns = 0;
  for (int block = 0; block < 100; ++block) {
    sent.fill(0.0F);
    if (block == 20) sent[kAt] = 0.5F;
    before_block();
    const auto time = line.exchange(sent, heard, {1, true});
    EXPECT_TRUE(time);
    if (!time) return 0;
    if (block == 20) left_ns = time->time_ns + time->leaves_after_ns + static_cast<std::int64_t>(kAt) * 125'000;
    for (std::size_t i = 0; i < heard.size(); ++i) {
      if (std::fabs(heard[i]) <= best) continue;
      best = std::fabs(heard[i]);
      arrived_ns = static_cast<double>(time->time_ns) + static_cast<double>(i) * 125'000;
    }
  }
  EXPECT_GT(best, 0.3);
  return (arrived_ns - static_cast<double>(left_ns)) * 1e-6;
}

TEST_F(AudioLineTest, MeasuresTheDeviceLoopDelayToTheSample) {
  device_->loop_delay = 160;
  open("audio:card?rate=8000&period=80");
  EXPECT_DOUBLE_EQ(loop_ms(*line_, sent_, heard_,
                           [this] {
                             device_->tick();
                             device_->tick();
                           }),
                   20.0);
}

TEST_F(AudioLineTest, MeasuresTheLoopDelayAfterCorrectingItsLeadInBothDirections) {
  device_->loop_delay = 160;
  open("audio:card?rate=8000&period=80");
  // The device runs while no block is exchanged. The node then reads all its samples at once and writes more than it
  // needs.
  for (int i = 0; i < 20; ++i) device_->tick();
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(line_->exchange(sent_, heard_, {1, false}));
  EXPECT_DOUBLE_EQ(loop_ms(*line_, sent_, heard_,
                           [this] {
                             device_->tick();
                             device_->tick();
                           }),
                   20.0);
}

TEST_F(AudioLineTest, MeasuresTheLoopDelayAtAnotherRateToo) {
  device_->loop_delay = 1200;  // 25 ms
  device_->period = 240;
  open("audio:card?rate=48000&buffer_ms=1000");
  for (int i = 0; i < 60; ++i) device_->tick();  // the resampler's lead
  EXPECT_DOUBLE_EQ(loop_ms(*line_, sent_, heard_,
                           [this] {
                             for (int i = 0; i < 4; ++i) device_->tick();
                           }),
                   25.0);
}

TEST_F(AudioLineTest, FlagsAreCountedAndDoNotAffectTheSignal) {
  device_->source = [](std::size_t n) { return 0.1F * static_cast<float>(n % 7 + 1); };
  open("audio:card?rate=8000");
  exchange();
  device_->flags.input_overflow = device_->flags.output_underflow = true;
  const BlockTime time = exchange();
  EXPECT_EQ(time.noticed.input_overflows, 1U);
  EXPECT_EQ(time.noticed.output_underflows, 1U);
  EXPECT_EQ(time.noticed.flags(), 2U);
  EXPECT_EQ(time.noticed.lost_samples, 0U);
  EXPECT_EQ(exchange().noticed.flags(), 0U) << "reported once";
  for (std::size_t i = 0; i < heard_.size(); ++i) EXPECT_EQ(heard_[i], device_->source(320 + i));
}

TEST_F(AudioLineTest, TimeWithoutSamplesShowsAgainstTheClock) {
  device_->source = [](std::size_t) { return 0.1F; };
  open("audio:card?rate=8000");
  std::int64_t before = 0;
  for (int block = 0; block < 50; ++block) before = *exchange().clock_offset_ns;
  EXPECT_EQ(before, 0);
  device_->miss_a_period();
  std::int64_t after = 0;
  for (int block = 0; block < 50; ++block) after = *exchange().clock_offset_ns;
  EXPECT_EQ(after, device_->period_ns());
}

TEST_F(AudioLineTest, ALateCallbackIsNotLostTime) {
  device_->source = [](std::size_t) { return 0.1F; };
  open("audio:card?rate=8000");
  for (int block = 0; block < 100; ++block) {
    const std::int64_t on_time = device_->now_ns;
    if (block % 3 == 0) device_->now_ns += 7'000'000;
    device_->tick();
    device_->now_ns = on_time + device_->period_ns();
    EXPECT_EQ(exchange().clock_offset_ns.value_or(1) / 8'000'000, 0) << block;
  }
  EXPECT_EQ(*exchange().clock_offset_ns <= 0, true) << "the first callback was late itself";
}

TEST_F(AudioLineTest, ADeviceThatStopsIsALostLineWithoutAHang) {
  open("audio:card?rate=8000");
  exchange();
  const auto time = line_->exchange(sent_, heard_, {1, true});
  ASSERT_FALSE(time);
  EXPECT_EQ(time.error().code, ErrorCode::line_lost);
  EXPECT_THAT(time.error().message, HasSubstr("audio:card"));
  EXPECT_FALSE(line_->exchange(sent_, heard_, {1, true})) << "it stays lost";
  line_.reset();
  EXPECT_FALSE(device_->open);
  open("audio:card?rate=8000");
  line_blocks_ = device_->frame / kLineBlock;
  EXPECT_TRUE(device_->open) << "and can be opened again";
}

TEST_F(AudioLineTest, AnInterruptEndsTheWaiting) {
  open("audio:card?rate=8000");
  line_->interrupt();
  const auto time = line_->exchange(sent_, heard_, {1, true});
  ASSERT_FALSE(time);
  EXPECT_EQ(time.error().code, ErrorCode::cancelled);
  exchange();
}

TEST_F(AudioLineTest, PicksOneChannelAndLeavesTheOthersSilent) {
  device_->source = [](std::size_t n) { return n % 2 == 0 ? 0.5F : -0.5F; };
  open("audio:card?rate=8000&in_channel=3&out_channel=4");
  EXPECT_EQ(device_->request.input_channels, 3);
  EXPECT_EQ(device_->request.output_channels, 4);
  sent_.fill(0.3F);
  for (int block = 0; block < 20; ++block) exchange();
  EXPECT_EQ(heard_[0], 0.5F);
  EXPECT_EQ(heard_[1], -0.5F);
  EXPECT_TRUE(device_->others_silent);
  EXPECT_EQ(device_->looped.back(), 0.3F);
}

TEST_F(AudioLineTest, ZerosInTheMiddleAreReported) {
  device_->source = [](std::size_t) { return 0.1F; };
  open("audio:card?rate=8000");
  exchange();
  device_->tick();
  device_->tick(true);
  const BlockTime time = exchange();
  EXPECT_EQ(time.zeros_begin, 80U) << "the run has not ended, but is long enough";
  EXPECT_EQ(time.zeros_count, 80U);
  EXPECT_EQ(exchange().zeros_count, 0U);
  EXPECT_EQ(heard_[0], 0.1F);
}

TEST_F(AudioLineTest, ZerosThatHaveEndedAreReportedWithTheirPlace) {
  device_->source = [](std::size_t) { return 0.1F; };
  open("audio:card?rate=8000");
  device_->tick(true);
  device_->tick();
  device_->tick();
  const BlockTime time = exchange();
  EXPECT_EQ(time.zeros_begin, 0U);
  EXPECT_EQ(time.zeros_count, 80U);
}

TEST_F(AudioLineTest, ALateNodeGetsTheNumberOfInsertedSamples) {
  open("audio:card?rate=8000&buffer_ms=50");
  exchange();
  for (int i = 0; i < 20; ++i) device_->tick();  // 200 ms without a block
  std::uint32_t inserted = 0;
  for (int i = 0; i < 10; ++i) inserted += exchange().noticed.inserted_samples;
  EXPECT_GT(inserted, 8U * 100);
  EXPECT_LT(inserted, 8U * 200);
}

TEST_F(AudioLineTest, ANodeThatPausesForSecondsGetsTheNumberOfLostSamples) {
  open("audio:card?rate=8000");
  for (int i = 0; i < 500; ++i) device_->tick();  // 5 s; the ring holds 4
  const auto time = line_->exchange(sent_, heard_, {1, true});
  ASSERT_TRUE(time);
  EXPECT_NEAR(time->noticed.lost_samples, 8000, 200);
}

TEST_F(AudioLineTest, AnOutputThatStandsStillGetsTheNumberOfUnsentSamples) {
  open("audio:card?rate=8000&period=80");
  device_->output_stands = true;
  std::uint32_t unsent = 0;
  for (int block = 0; block < 250; ++block) unsent += exchange().noticed.unsent_samples;  // 5 s; the ring holds 4
  EXPECT_EQ(unsent, 8000U);
  device_->output_stands = false;
  EXPECT_EQ(exchange().noticed.unsent_samples, 0U) << "reported once";
}

TEST_F(AudioLineTest, WhatFollowsUnsentSamplesLeavesWhenAnnounced) {
  device_->source = [](std::size_t) { return 0.0F; };
  open("audio:card?rate=8000&period=80");
  exchange();
  device_->output_stands = true;
  for (int block = 0; block < 300; ++block) exchange();
  device_->output_stands = false;
  expect_a_click_to_leave_when_announced();
}

TEST_F(AudioLineTest, BehindTheLargestLeadSamplesLeaveWhenAnnounced) {
  device_->source = [](std::size_t) { return 0.0F; };
  device_->period = 8192;
  open("audio:card?rate=8000&period=8192&buffer_ms=2000");
  expect_a_click_to_leave_when_announced();
}

TEST(AudioLineName, IsCheckedBeforeAnythingIsOpened) {
  for (const auto& [name, part] :
       std::vector<std::pair<std::string, std::string>>{{"audio:card?rate=7999", "rate must be"},
                                                        {"audio:card?rate=fast", "rate must be"},
                                                        {"audio:card?speed=1", "no parameter \"speed\""},
                                                        {"audio:card?rate=8000&rate=8000", "given twice"},
                                                        {"audio:card?in_channel=0", "in_channel must be"},
                                                        {"audio:card?rate", "give \"rate\" a value"},
                                                        {"audio:ca%zz", "hexadecimal"}}) {
    const Status checked = check_line_name(name, End::a);
    ASSERT_FALSE(checked) << name;
    EXPECT_EQ(checked.error().code, ErrorCode::bad_input) << name;
    EXPECT_THAT(checked.error().message, HasSubstr(part)) << name;
  }
  EXPECT_TRUE(check_line_name("audio:USB%20Audio?host=alsa&rate=48000&period=256&in_channel=2", End::b));
}

TEST(AudioDevices, WithEqualNamesAreNumbered) {
  AudioDevice card;
  card.host = "alsa";
  card.name = "USB Audio";
  card.inputs = card.outputs = 1;
  std::vector<AudioDevice> devices{card, card, card};
  devices[1].number = 1;
  devices[2].number = 2;
  devices[2].host = "jack";
  number_alike(devices);
  EXPECT_EQ(devices[2].name, "USB Audio") << "of another system";
  const auto second = choose_device(devices, "USB Audio #2", "alsa", true);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->number, 1);
  const auto either = choose_device(devices, "USB Audio", "alsa", true);
  ASSERT_FALSE(either) << "never the wrong one of two";
  EXPECT_THAT(either.error().message, HasSubstr(audio_line_name(devices[0])));
  EXPECT_THAT(either.error().message, HasSubstr(audio_line_name(devices[1])));
  const auto options = parse_audio_line(audio_line_name(devices[1]));
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->input, "USB Audio #2") << "the name in the message can be used";
  const auto alone = choose_device({card}, "USB Audio #1", "alsa", true);
  EXPECT_TRUE(alone) << "the other one was unplugged";
}

TEST(AudioDevices, AreChosenByStableNames) {
  test::FakeBackend backend(std::make_shared<test::FakeDevice>());
  const auto devices = backend.devices();
  ASSERT_TRUE(devices);
  EXPECT_EQ(choose_device(*devices, "card", "", true)->name, "card");
  EXPECT_EQ(choose_device(*devices, "CAR", "fake", true)->name, "card");
  EXPECT_EQ(choose_device(*devices, "", "", false)->name, "card") << "the default one";
  const auto none = choose_device(*devices, "speaker", "", true);
  ASSERT_FALSE(none) << "it has no input";
  EXPECT_THAT(none.error().message, HasSubstr("audio:card?host=fake"));
  auto twice = *devices;
  twice.push_back(twice.back());
  EXPECT_FALSE(choose_device(twice, "card", "", true)) << "never the wrong one of two";
  AudioDevice odd;
  odd.host = "alsa";
  odd.name = "HDA Intel: ALC?";
  EXPECT_EQ(audio_line_name(odd), "audio:HDA%20Intel:%20ALC%3F?host=alsa");
}

}  // namespace
}  // namespace vqas
