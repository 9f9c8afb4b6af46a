// When a sound device has spoilt a measurement, and when it only reported that it might have.
#include "receive/device_notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run/line_statistics_json.h"
#include "support/signals.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

class ReceivingFault : public ::testing::Test {
 protected:
  ReceivingFault() {
    notes_.real_device = true;
    capture_.marks = MarksFound::both;
    capture_.clock_drift_ppm = 12;
    capture_.speech_start = 4000;
    for (int n = 0; n < 4; ++n) usual_.add(12.0 + n);
    // A second of silence in the middle of the sentence.
    reference_ = test::noise(0.2, 3, 1);
    std::fill(reference_.samples.begin() + 8000, reference_.samples.begin() + 16000, 0.0F);
  }
  CaptureEvidence evidence() const { return evidence_of(notes_, capture_, reference_, track_); }
  std::optional<std::string> fault() const { return receiving_fault(notes_, evidence(), usual_); }
  std::string note() const { return note_in_words(notes_.noticed, evidence()); }
  void flag() { notes_.noticed.input_overflows = 1; }

  DeviceNotes notes_;
  Capture capture_;
  Signal reference_;
  UsualDrift usual_;
  std::vector<DelayPiece> track_;
};

TEST_F(ReceivingFault, AFlagAloneIsANote) {
  EXPECT_EQ(note(), "");
  flag();
  EXPECT_FALSE(fault());
  EXPECT_THAT(note(), HasSubstr("no speech is missing"));
}

TEST_F(ReceivingFault, AFlagWithAStepBetweenTheMarksIsAFault) {
  flag();
  capture_.clock_drift_ppm = 12 + 120;  // 5 samples over 5 s
  ASSERT_TRUE(fault());
  capture_.clock_drift_ppm.reset();  // beyond any clock's drift
  ASSERT_TRUE(fault());
  EXPECT_THAT(*fault(), HasSubstr("between the marks"));
}

TEST_F(ReceivingFault, AFlagWithAStepWithinTheSpeechIsAFaultDespiteRegularMarks) {
  track_ = {{0, 1, 500}, {1, 1, 480}, {2, 1, 500}};
  EXPECT_FALSE(fault()) << "no flag: the line's";
  flag();
  ASSERT_TRUE(fault());
  EXPECT_THAT(*fault(), HasSubstr("20.0 ms within the speech"));
}

TEST_F(ReceivingFault, AStepWithoutAFlagIsTheLines) {
  capture_.clock_drift_ppm.reset();
  EXPECT_FALSE(fault());
}

TEST_F(ReceivingFault, AClockOffsetIsNotAFault) {
  flag();
  capture_.clock_drift_ppm = 150;
  usual_ = {};
  EXPECT_FALSE(fault()) << "two crystals may differ by that";
  usual_.add(149);
  EXPECT_FALSE(fault());
}

TEST_F(ReceivingFault, OneEarlierMeasurementDefinesTheUsualDrift) {
  flag();
  usual_ = {};
  usual_.add(0);
  capture_.clock_drift_ppm = 120;
  EXPECT_TRUE(fault());
}

TEST_F(ReceivingFault, ALagIsAFaultUnlessTheMarksShowAllSamples) {
  notes_.lag_ms = 20;
  EXPECT_FALSE(fault()) << "both marks are at their distance";
  capture_.marks = MarksFound::leading_only;
  capture_.clock_drift_ppm.reset();
  ASSERT_TRUE(fault());
  EXPECT_THAT(*fault(), HasSubstr("20.0 ms"));
  notes_.lag_ms = 1;
  EXPECT_FALSE(fault());
}

TEST_F(ReceivingFault, ZerosInsideTheSpeechAreAFault) {
  notes_.zeros = {{4000 + 1000, 4000 + 1160}};
  EXPECT_FALSE(fault()) << "no flag: the line's own silence";
  EXPECT_THAT(note(), HasSubstr("20.0 ms of the speech are exact zeros; no sound device reported"));
  flag();
  ASSERT_TRUE(fault());
  EXPECT_THAT(*fault(), HasSubstr("exact zeros"));
}

TEST_F(ReceivingFault, RepetitionsInsideTheSpeechAreAFault) {
  notes_.repeats = {{4000 + 1000, 4000 + 1160}};
  EXPECT_FALSE(fault()) << "no flag: the line's own concealment";
  EXPECT_THAT(note(), HasSubstr("repetition"));
  flag();
  ASSERT_TRUE(fault());
  EXPECT_THAT(*fault(), HasSubstr("20.0 ms of the speech are a repetition"));
}

TEST_F(ReceivingFault, ZerosFromAPauseIntoSpeechAreAFault) {
  flag();
  notes_.zeros = {{4000 + 9000, 4000 + 16080}};
  ASSERT_TRUE(fault());
  EXPECT_THAT(*fault(), HasSubstr("10.0 ms"));
}

TEST_F(ReceivingFault, ZerosAndRepetitionsInAPauseAreNotAFault) {
  flag();
  notes_.zeros = {{4000 + 9000, 4000 + 9160}, {0, 4000}};
  notes_.repeats = notes_.zeros;
  EXPECT_FALSE(fault());
  EXPECT_THAT(note(), HasSubstr("no speech is missing"));
}

TEST_F(ReceivingFault, SamplesLostByTheNodeAreAlwaysAFault) {
  notes_.noticed.lost_samples = 80;
  ASSERT_TRUE(fault());
  EXPECT_THAT(*fault(), HasSubstr("10.0 ms"));
}

TEST_F(ReceivingFault, ALineWithoutDevicesHasNone) {
  notes_.real_device = false;
  notes_.noticed.lost_samples = 80;
  capture_.clock_drift_ppm.reset();
  track_ = {{0, 1, 500}, {1, 1, 480}};  // as for a jitter buffer
  EXPECT_FALSE(fault());
}

TEST(SendingFault, IsJudgedByTheReceiversCapture) {
  DeviceNotes notes;
  notes.real_device = true;
  const UsualDrift usual;
  const auto marks = [](bool both, std::optional<double> drift_ppm) {
    CaptureEvidence evidence;
    evidence.both = both;
    evidence.drift_ppm = drift_ppm;
    return evidence;
  };
  CaptureEvidence repeated = marks(true, 3), zeroed = marks(true, 3);
  repeated.repeated_ms = zeroed.zeroed_ms = 20;
  EXPECT_FALSE(sending_fault(notes, marks(true, 3), usual));
  EXPECT_FALSE(sending_fault(notes, repeated, usual));
  notes.noticed.output_underflows = 2;
  EXPECT_FALSE(sending_fault(notes, marks(true, 3), usual));
  EXPECT_TRUE(sending_fault(notes, repeated, usual));
  EXPECT_TRUE(sending_fault(notes, zeroed, usual));
  EXPECT_TRUE(sending_fault(notes, marks(true, std::nullopt), usual));
  EXPECT_TRUE(sending_fault(notes, marks(true, 900), usual));
  EXPECT_FALSE(sending_fault(notes, marks(false, std::nullopt), usual)) << "a flag alone, without marks";
  notes.noticed = {};
  notes.noticed.inserted_samples = 160;
  EXPECT_TRUE(sending_fault(notes, marks(true, 3), usual));
}

TEST(SendingFault, SamplesThatTheDeviceDidNotTakeAreAlwaysOne) {
  DeviceNotes notes;
  notes.real_device = true;
  notes.noticed.unsent_samples = 800;
  CaptureEvidence whole;
  whole.both = true;
  whole.drift_ppm = 3;
  const auto fault = sending_fault(notes, whole, {});
  ASSERT_TRUE(fault);
  EXPECT_THAT(*fault, HasSubstr("100.0 ms were not sent"));
  EXPECT_FALSE(receiving_fault(notes, whole, {})) << "the sender's alone";
}

TEST(FaultOfAPacketLine, IsNotReportedAsASoundDevices) {
  DeviceNotes notes;
  notes.real_device = true;
  notes.noticed.packets = 300;
  CaptureEvidence zeroed;
  zeroed.both = true;
  zeroed.drift_ppm = 3;
  zeroed.zeroed_ms = 20;
  const auto is_no_device = ::testing::Not(HasSubstr("sound device"));
  EXPECT_THAT(note_in_words(notes.noticed, zeroed), ::testing::AllOf(HasSubstr("exact zeros"), is_no_device));
  notes.noticed.inserted_samples = 496;  // lateness of the machine
  const auto stalled = sending_fault(notes, zeroed, {});
  ASSERT_TRUE(stalled);
  EXPECT_THAT(*stalled, ::testing::AllOf(HasSubstr("62.0 ms"), HasSubstr("too busy"), is_no_device));
  notes.noticed.inserted_samples = 0;
  notes.noticed.output_overflows = 1;  // a packet that the system did not accept
  const auto unsent = sending_fault(notes, zeroed, {});
  ASSERT_TRUE(unsent);
  EXPECT_THAT(*unsent, ::testing::AllOf(HasSubstr("1 packets"), is_no_device));
  EXPECT_THAT(note_in_words(notes.noticed, {}), is_no_device);
}

TEST(DeviceNotes, AreSummedOverABlockRange) {
  std::vector<BlockTime> blocks(10);
  for (std::size_t n = 0; n < blocks.size(); ++n) {
    blocks[n].clock_offset_ns = static_cast<std::int64_t>(n) * 1'000'000;
    blocks[n].noticed.input_overflows = 1;
  }
  blocks[3].zeros_begin = 100;
  blocks[3].zeros_count = 60;
  blocks[4].zeros_count = 40;
  const DeviceNotes notes = notes_of(blocks, 2, 5, true);
  EXPECT_EQ(notes.noticed.input_overflows, 4U);
  EXPECT_DOUBLE_EQ(notes.lag_ms, 3);
  ASSERT_EQ(notes.zeros.size(), 1U) << "a run continues in the next block";
  EXPECT_EQ(notes.zeros[0].begin, 160 + 100);
  EXPECT_EQ(notes.zeros[0].end, 320 + 40);
  EXPECT_TRUE(notes.repeats.empty());
  EXPECT_EQ(notes_of(blocks, 8, 50, true).noticed.input_overflows, 2U);
}

class ClockStep : public ::testing::Test {
 protected:
  static constexpr std::size_t kUsed = 20;  // its half second begins 0.1 s before the first block
  static constexpr double kDrift_ms = 0.1;  // 200 ppm of half a second
  ClockStep() {
    for (std::size_t n = 0; n < blocks_.size(); ++n) blocks_[n].clock_offset_ns = static_cast<std::int64_t>(n) * 4'000;
  }
  void step(std::size_t block, double ms) {
    for (std::size_t n = block; n < blocks_.size(); ++n) *blocks_[n].clock_offset_ns += std::llround(ms * 1e6);
  }
  double largest_ms(std::size_t first = 0) const {
    return largest_clock_step_ms(blocks_, first, first + kUsed, blocks_.size() - 1);
  }
  std::vector<BlockTime> blocks_ = std::vector<BlockTime>(300);
};

TEST_F(ClockStep, DriftAloneIsWhatItIsWithinHalfASecond) {
  EXPECT_NEAR(largest_ms(), kDrift_ms, 1e-9);
}

TEST_F(ClockStep, ALossOrAnInsertionAfterTheOffsetWasTakenCounts) {
  step(150, 10);
  EXPECT_NEAR(largest_ms(), 10 + kDrift_ms, 1e-9);
  step(150, -20);
  EXPECT_NEAR(largest_ms(), 10, kDrift_ms);
}

TEST_F(ClockStep, AStepThereAndBackCountsAlthoughTheLagDoesNotShowIt) {
  step(150, 10);
  step(200, -10);
  EXPECT_NEAR(largest_ms(), 10 + kDrift_ms, 1e-9);
  EXPECT_LT(notes_of(blocks_, 0, 299, true).lag_ms, kLag_ms);
}

TEST_F(ClockStep, BeforeTheOffsetWasTakenOnlyAFallCounts) {
  step(10, 10);
  EXPECT_NEAR(largest_ms(), kDrift_ms, 1e-9) << "lost before the transmission: the offset includes it";
  step(15, -10);
  EXPECT_NEAR(largest_ms(), 10, kDrift_ms) << "inserted, or callbacks that were late until then";
}

TEST_F(ClockStep, OneOutsideTheBlocksDoesNotCount) {
  step(150, 10);
  EXPECT_NEAR(largest_ms(150), kDrift_ms, 1e-9);
  EXPECT_NEAR(largest_clock_step_ms(blocks_, 0, kUsed, 149), kDrift_ms, 1e-9);
  EXPECT_EQ(largest_clock_step_ms(blocks_, 300, 300, 400), 0);
}

TEST_F(ClockStep, WithoutAClockItIsUnknown) {
  blocks_.assign(30, {});
  EXPECT_EQ(largest_ms(), 0);
}

TEST(LineStatisticsJson, IsReadBack) {
  LineStatistics statistics;
  statistics.input_overflows = 1;
  statistics.packets_late = 7;
  statistics.jitter_ms = 1.25;
  statistics.sent_late_ms = 3.5;
  EXPECT_EQ(line_statistics_from(to_json(statistics)), statistics);
  statistics.far = FarReport{2, -1, 0.25, 3, 61.5, {}, 60, {}};
  EXPECT_EQ(line_statistics_from(to_json(statistics)), statistics);
  EXPECT_FALSE(line_statistics_from(nlohmann::ordered_json::parse(R"({"packets": -1})")));
  EXPECT_FALSE(line_statistics_from(nlohmann::ordered_json::parse(R"({"jitter_ms": "much"})")));
  EXPECT_FALSE(line_statistics_from(nlohmann::ordered_json::parse(R"({"far": {"reports": 1}})")));
  EXPECT_FALSE(line_statistics_from(nlohmann::ordered_json::parse("[1]")));
}

TEST_F(ReceivingFault, AnotherSendersPacketsInTheStreamAreAFault) {
  notes_.noticed.packets = 200;
  notes_.noticed.packets_contradicting = 1;
  ASSERT_TRUE(fault());
  EXPECT_THAT(*fault(), HasSubstr("another sender"));
  notes_.noticed.packets_contradicting = 0;
  notes_.noticed.source_changes = 1;
  ASSERT_TRUE(fault());
  EXPECT_THAT(*fault(), HasSubstr("sender of the packets changed"));
}

TEST_F(ReceivingFault, AResetOfTheJitterBufferWithinTheRecordingIsAFault) {
  notes_.noticed.packets = 200;
  notes_.noticed.buffer_resets = 1;
  EXPECT_FALSE(fault()) << "before the recording";
  notes_.reset_within = true;
  ASSERT_TRUE(fault());
  EXPECT_THAT(*fault(), HasSubstr("jitter buffer was reset"));
}

TEST_F(ReceivingFault, UnplayedPacketsOfAnotherSenderAreANote) {
  notes_.noticed.packets = 200;
  notes_.noticed.packets_of_others = notes_.noticed.packets_discarded = 40;
  EXPECT_FALSE(fault());
  EXPECT_THAT(note(), HasSubstr("40 packets of another sender"));
}

}  // namespace
}  // namespace vqas
