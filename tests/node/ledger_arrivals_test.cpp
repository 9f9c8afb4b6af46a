// To which transmission a ledger gives an arrival, where marks were lost. The line takes 250 ms, and a transmission
// leaves every 5 s.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "node/controller/run_ledger.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kSecond = 1'000'000'000, kApart = 5 * kSecond, kDelay = kSecond / 4;

class LedgerArrivals : public ::testing::Test {
 protected:
  explicit LedgerArrivals(std::vector<std::string> stimuli = {"M1"}) : ledger_(plan(), stimuli) {
    ledger_.set_delay_basis(DelayBasis::same_clock);
    ledger_.set_clock_uncertainty_ms(1);
    ledger_.set_departures_needed(true);
    ledger_.plan_next_round();
    for (const Planned& one : ledger_.due(0)) stimulus_of_[one.sequence] = one.stimulus;
  }
  static RunPlan plan() {
    RunPlan plan;
    plan.b_to_a = false;
    plan.sampling.first_count = plan.sampling.cap_count = 5;
    return plan;
  }
  static std::int64_t left_ns(std::uint32_t sequence) { return sequence * kApart; }
  void leave(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t n = first; n <= last; ++n) ledger_.left(0, {n, left_ns(n), 0});
  }
  ReceivedMeasurement report(std::uint32_t sequence, MarksFound marks) const {
    ReceivedMeasurement one;
    one.stimulus = ledger_.stimuli()[stimulus_of_.at(sequence)];
    one.measurement.sequence = sequence;
    one.measurement.marks_found = marks;
    one.measurement.outcome = Outcome::scored;
    one.measurement.mos_lqo = 4;
    return one;
  }
  void take(const ReceivedMeasurement& one) {
    EXPECT_TRUE(ledger_.received(0, one));
    ledger_.fetched(0, one.measurement.sequence, "recordings/x.flac");
    while (ledger_.settle_next()) {
    }
  }
  void numbered(std::uint32_t sequence) {
    ReceivedMeasurement one = report(sequence, MarksFound::both);
    one.arrived_at_ns = left_ns(sequence) + kDelay;
    take(one);
  }
  /// The marks of `owner` carry no number, and its receiver takes them for those of `told`.
  void guessed(std::uint32_t told, std::uint32_t owner, bool scored = true,
               MarksFound marks = MarksFound::trailing_only) {
    ReceivedMeasurement one = report(told, marks);
    one.number_guessed = true;
    one.arrived_at_ns = left_ns(owner) + kDelay;
    if (!scored) {
      one.measurement.outcome = Outcome::not_found;
      one.measurement.mos_lqo.reset();
      one.measurement.reason = "its speech is not the expected one";
    }
    take(one);
  }
  void nothing(std::uint32_t sequence) {
    ReceivedMeasurement one = report(sequence, MarksFound::none);
    one.measurement.outcome = Outcome::not_found;
    one.measurement.mos_lqo.reset();
    one.heard_until_ns = left_ns(sequence + 1) + kDelay;
    take(one);
  }
  /// Everything that can arrive has arrived.
  void end() {
    ledger_.sender_finished(0);
    while (ledger_.settle_next(true)) {
    }
  }
  std::map<std::uint32_t, Measurement> all() const {
    std::map<std::uint32_t, Measurement> found;
    for (const StimulusRun& run : ledger_.results().directions[0].stimuli) {
      for (const Measurement& one : run.measurements) found.emplace(one.sequence, one);
    }
    return found;
  }
  static void expect_on_time(const Measurement& one) {
    EXPECT_EQ(one.outcome, Outcome::scored) << one.sequence << ": " << one.reason;
    EXPECT_NEAR(one.delay_ms.value_or(0), 250, 1e-6) << one.sequence << ": " << one.note;
  }
  static void expect_lost(const Measurement& one) {
    EXPECT_EQ(one.outcome, Outcome::not_found) << one.sequence;
    EXPECT_FALSE(one.mos_lqo) << one.sequence;
    EXPECT_FALSE(one.delay_ms) << one.sequence;
    EXPECT_EQ(one.delay_basis, DelayBasis::unknown) << one.sequence;
  }
  static void expect_scored_without_delay(const Measurement& one) {
    EXPECT_EQ(one.outcome, Outcome::scored) << one.sequence;
    EXPECT_FALSE(one.delay_ms) << one.sequence;
    EXPECT_THAT(one.note, HasSubstr("carries no number")) << one.sequence;
  }

  RunLedger ledger_;
  std::map<std::uint32_t, std::size_t> stimulus_of_;
};

class LedgerArrivalsOfTwoStimuli : public LedgerArrivals {
 protected:
  LedgerArrivalsOfTwoStimuli() : LedgerArrivals({"M1", "F5"}) {}
};

TEST_F(LedgerArrivals, ATrailingMarkAfterALostTransmissionIsThatOfTheNextOne) {
  leave(1, 2);
  guessed(1, 2);
  EXPECT_EQ(all().size(), 0U) << "a later arrival may tell";
  nothing(2);
  leave(3, 5);
  for (const std::uint32_t n : {3U, 4U, 5U}) numbered(n);
  const auto found = all();
  ASSERT_EQ(found.size(), 5U);
  expect_lost(found.at(1));
  EXPECT_THAT(found.at(1).reason, HasSubstr("is that of 2"));
  for (const std::uint32_t n : {2U, 3U, 4U, 5U}) expect_on_time(found.at(n));
  EXPECT_EQ(found.at(2).marks_found, MarksFound::trailing_only);
  EXPECT_THAT(found.at(2).note, HasSubstr("took its mark for that of 1"));
}

// Its recording was compared with another sentence: there is no score, but it arrived.
TEST_F(LedgerArrivalsOfTwoStimuli, ATrailingMarkOfAnotherStimulusIsGivenToItsTransmission) {
  std::uint32_t lost = 1;
  while (stimulus_of_.at(lost) == stimulus_of_.at(lost + 1)) ++lost;
  leave(1, 10);
  for (std::uint32_t n = 1; n < lost; ++n) numbered(n);
  guessed(lost, lost + 1, false);
  nothing(lost + 1);
  for (std::uint32_t n = lost + 2; n <= 10; ++n) numbered(n);
  const auto found = all();
  ASSERT_EQ(found.size(), 10U);
  expect_lost(found.at(lost));
  EXPECT_EQ(found.at(lost + 1).outcome, Outcome::not_found);
  EXPECT_EQ(found.at(lost + 1).marks_found, MarksFound::trailing_only);
  EXPECT_FALSE(found.at(lost + 1).delay_ms) << "it would follow from the length of the other sentence";
  for (const auto& [n, one] : found) {
    if (n != lost && n != lost + 1) expect_on_time(one);
  }
}

TEST_F(LedgerArrivals, ATrailingMarkAtItsOwnTimeKeepsItsNumber) {
  leave(1, 5);
  guessed(1, 1);
  numbered(2);
  guessed(3, 3);
  numbered(4);
  guessed(5, 5);
  const auto found = all();
  ASSERT_EQ(found.size(), 5U);
  for (const auto& [n, one] : found) {
    expect_on_time(one);
    EXPECT_EQ(one.note, "") << n;
  }
}

// The first is settled before a number tells how long transmissions take.
TEST_F(LedgerArrivals, SeveralTrailingMarksAfterALossCountOnceEach) {
  leave(1, 5);
  guessed(1, 2);
  guessed(2, 3);
  nothing(3);
  numbered(4);
  numbered(5);
  end();
  const auto found = all();
  ASSERT_EQ(found.size(), 5U);
  expect_scored_without_delay(found.at(1));
  expect_lost(found.at(2));
  for (const std::uint32_t n : {3U, 4U, 5U}) expect_on_time(found.at(n));
}

TEST_F(LedgerArrivals, ReportsInAnyOrderGiveTheSameOwners) {
  numbered(3);
  nothing(2);
  guessed(1, 2);
  leave(1, 5);
  numbered(5);
  numbered(4);
  end();
  const auto found = all();
  ASSERT_EQ(found.size(), 5U);
  expect_lost(found.at(1));
  for (const std::uint32_t n : {2U, 3U, 4U, 5U}) expect_on_time(found.at(n));
}

// It arrives when its receiver has given it up, and before the next one leaves.
TEST_F(LedgerArrivals, ALateMarkIsNotThatOfTheNextTransmission) {
  leave(1, 5);
  numbered(1);
  nothing(2);
  guessed(3, 2);
  numbered(4);
  numbered(5);
  const auto found = all();
  ASSERT_EQ(found.size(), 5U);
  expect_lost(found.at(2));
  expect_lost(found.at(3));
  for (const std::uint32_t n : {1U, 4U, 5U}) expect_on_time(found.at(n));
}

TEST_F(LedgerArrivals, MarksWithoutNumbersHaveADelayWhereOnlyOneTransmissionHadLeft) {
  for (std::uint32_t n = 1; n <= 5; ++n) {
    leave(n, n);
    guessed(n, n, true, MarksFound::both);
    EXPECT_EQ(all().size(), n < 5 ? n - 1 : n) << "the next one may have left, too";
  }
  const auto found = all();
  ASSERT_EQ(found.size(), 5U);
  for (const auto& [n, one] : found) expect_on_time(one);
}

TEST_F(LedgerArrivals, MarksWithoutNumbersAfterALossHaveNoDelay) {
  leave(1, 5);
  for (std::uint32_t n = 1; n <= 4; ++n) guessed(n, n + 1, true, MarksFound::both);
  nothing(5);
  end();
  const auto found = all();
  ASSERT_EQ(found.size(), 5U);
  for (std::uint32_t n = 1; n <= 4; ++n) expect_scored_without_delay(found.at(n));
  expect_lost(found.at(5));
}

TEST_F(LedgerArrivals, MarksWithoutNumbersHaveNoDelayWhereTheClocksCannotBeCompared) {
  ledger_.set_delay_basis(DelayBasis::half_round_trip);
  leave(1, 5);
  for (std::uint32_t n = 1; n <= 5; ++n) guessed(n, n, true, MarksFound::both);
  end();
  const auto found = all();
  ASSERT_EQ(found.size(), 5U);
  for (const auto& [n, one] : found) expect_scored_without_delay(one);
}

TEST_F(LedgerArrivals, AMarkThatFitsNoDepartureHasNoDelay) {
  leave(1, 5);
  numbered(1);
  ReceivedMeasurement between = report(2, MarksFound::trailing_only);
  between.number_guessed = true;
  between.arrived_at_ns = left_ns(2) + kDelay + 2 * kSecond;
  take(between);
  numbered(3);
  const auto found = all();
  ASSERT_EQ(found.size(), 3U);
  expect_scored_without_delay(found.at(2));
}

TEST_F(LedgerArrivals, ARecordingThatIsGoneIsNamedInTheNote) {
  leave(1, 2);
  ReceivedMeasurement one = report(1, MarksFound::both);
  one.measurement.recording = "at-the-receiver.flac";
  one.arrived_at_ns = left_ns(1) + kDelay;
  EXPECT_TRUE(ledger_.received(0, one));
  ledger_.recording_lost(0, 1, "the node has none");
  EXPECT_TRUE(ledger_.settle_next());
  const auto found = all();
  expect_on_time(found.at(1));
  EXPECT_EQ(found.at(1).recording, "");
  EXPECT_EQ(found.at(1).note, "its recording is missing: the node has none");
}

}  // namespace
}  // namespace vqas
