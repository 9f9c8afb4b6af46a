#include "node/controller/run_ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vqas {
namespace {

ReceivedMeasurement received(const RunLedger& ledger, std::size_t direction, std::size_t place, double mos) {
  const Planned& planned = ledger.due(direction)[place];
  ReceivedMeasurement one;
  one.stimulus = ledger.stimuli()[planned.stimulus];
  one.measurement.sequence = planned.sequence;
  one.measurement.outcome = mos > 0 ? Outcome::scored : Outcome::not_found;
  if (mos > 0) one.measurement.mos_lqo = mos;
  one.measurement.recording = "at-the-receiver.flac";
  one.arrived_at_ns = 1'250'000'000;
  return one;
}

class Ledger : public ::testing::Test {
 protected:
  Ledger() : ledger_(plan(), {"M1", "F5"}) { ledger_.set_delay_basis(DelayBasis::virtual_time); }
  static RunPlan plan() {
    RunPlan plan;
    plan.sampling.first_count = plan.sampling.cap_count = 5;
    plan.sampling.max_failures = 3;
    return plan;
  }
  void complete(std::size_t direction, const ReceivedMeasurement& one) {
    EXPECT_TRUE(ledger_.received(direction, one));
    ledger_.left(direction, {one.measurement.sequence, 1'000'000'000, 0});
    ledger_.fetched(direction, one.measurement.sequence, "recordings/x.flac");
  }
  // Receives everything due in a direction; returns the number.
  std::size_t complete_all(std::size_t direction, double mos) {
    std::size_t count = 0;
    while (!ledger_.due(direction).empty()) {
      complete(direction, received(ledger_, direction, 0, mos));
      const bool settled = ledger_.settle_next().has_value();
      EXPECT_TRUE(settled);
      if (!settled) break;
      ++count;
    }
    return count;
  }
  RunLedger ledger_;
};

TEST_F(Ledger, BothDirectionsAndAllStimuliArePlanned) {
  ASSERT_TRUE(ledger_.plan_next_round());
  EXPECT_EQ(ledger_.due(0).size(), 10U);
  EXPECT_EQ(ledger_.due(1).size(), 10U);
  EXPECT_EQ(ledger_.results().directions[1].from, End::b);
  EXPECT_EQ(ledger_.expected_total(), 20U);
}

TEST_F(Ledger, AMeasurementCountsWhenCompleteAndInOrder) {
  ledger_.plan_next_round();
  const auto first = received(ledger_, 0, 0, 4), second = received(ledger_, 0, 1, 3);
  complete(0, second);
  EXPECT_FALSE(ledger_.settle_next()) << "the first one is missing";
  EXPECT_TRUE(ledger_.received(0, first));
  EXPECT_FALSE(ledger_.settle_next()) << "its recording and departure are missing";
  EXPECT_EQ(ledger_.unfetched(0), 1U);
  ledger_.fetched(0, first.measurement.sequence, "recordings/first.flac");
  EXPECT_FALSE(ledger_.settle_next()) << "its departure is missing";
  ledger_.left(0, {first.measurement.sequence, 1'000'000'000, 0});
  const auto place = ledger_.settle_next();
  ASSERT_TRUE(place);
  const Measurement& m = ledger_.results().directions[0].stimuli[place->stimulus].measurements.back();
  EXPECT_EQ(m.sequence, 1U);
  EXPECT_EQ(m.recording, "recordings/first.flac");
  EXPECT_DOUBLE_EQ(m.delay_ms.value(), 250.0);
  EXPECT_EQ(m.delay_basis, DelayBasis::virtual_time);
  EXPECT_TRUE(ledger_.settle_next());
  EXPECT_FALSE(ledger_.settle_next());
  EXPECT_EQ(ledger_.measured(), 2U);
}

TEST_F(Ledger, WithoutACommonClockThereIsNoDelay) {
  ledger_.set_delay_basis(DelayBasis::unknown);
  ledger_.plan_next_round();
  complete(0, received(ledger_, 0, 0, 4));
  const auto place = ledger_.settle_next();
  ASSERT_TRUE(place);
  EXPECT_FALSE(ledger_.results().directions[0].stimuli[place->stimulus].measurements.back().delay_ms);
}

// Two machines: b's clock is ahead by 700 ms, and the line delays by 250 ms.
class TwoMachines : public Ledger {
 protected:
  static constexpr std::int64_t kMs = 1'000'000, kAhead = 700 * kMs, kDelay = 250 * kMs;
  TwoMachines() {
    ledger_.set_delay_basis(DelayBasis::half_round_trip);
    ledger_.set_clock_uncertainty_ms(1);
    ledger_.plan_next_round();
  }
  // A transmission that leaves at `at_ms` by the clock of a. `lost_ms`: how far the frames of b's device are behind its
  // machine's clock.
  Measurement pass(std::size_t direction, std::int64_t at_ms, std::int64_t lost_ms) {
    auto one = received(ledger_, direction, 0, 4);
    const bool from_a = direction == 0;
    const std::int64_t left = at_ms * kMs + (from_a ? 0 : kAhead), came = left + kDelay + (from_a ? kAhead : -kAhead);
    const std::int64_t behind = lost_ms * kMs;
    one.arrived_at_ns = came - (from_a ? behind : 0);
    one.clock_offset_ns = from_a ? behind : 0;
    EXPECT_TRUE(ledger_.received(direction, one));
    ledger_.left(direction, {one.measurement.sequence, left - (from_a ? 0 : behind), from_a ? 0 : behind});
    ledger_.fetched(direction, one.measurement.sequence, "recordings/x.flac");
    const auto place = ledger_.settle_next();
    EXPECT_TRUE(place);
    return ledger_.results().directions[direction].stimuli[place->stimulus].measurements.back();
  }
};

TEST_F(TwoMachines, HalfTheRoundTripNeedsNoCommonClock) {
  EXPECT_FALSE(pass(0, 1000, 0).delay_ms) << "nothing has come back yet";
  const Measurement back = pass(1, 11'000, 0);
  EXPECT_NEAR(back.delay_ms.value_or(0), 250, 1e-6);
  EXPECT_EQ(back.delay_basis, DelayBasis::half_round_trip);
  EXPECT_NEAR(back.delay_uncertainty_ms.value_or(0), 1.5, 0.05) << "10 s of two crystals, and half of both devices'";
}

TEST_F(TwoMachines, UncalibratedDevicesMakeAnyDelayUncertain) {
  ledger_.set_device_uncertainty_ms(40);
  pass(0, 1000, 0);
  EXPECT_NEAR(pass(1, 11'000, 0).delay_uncertainty_ms.value_or(0), 41.5, 0.05);
}

TEST_F(TwoMachines, APeriodLostByADeviceDoesNotShiftHalfTheRoundTrip) {
  pass(0, 1000, 0);
  const Measurement back = pass(1, 6000, 20);
  EXPECT_NEAR(back.delay_ms.value_or(0), 250, 1e-6) << "20 ms of frames were lost at end b between the two";
}

TEST_F(TwoMachines, SynchronisedClocksGiveEachOneWayDelay) {
  ledger_.set_delay_basis(DelayBasis::synchronised);
  ledger_.set_clocks_apart_ns(0, -kAhead);
  ledger_.set_clocks_apart_ns(1, kAhead);
  for (const std::size_t direction : {0U, 1U}) {
    const Measurement one = pass(direction, 1000, 20);
    EXPECT_NEAR(one.delay_ms.value_or(0), 250, 1e-6);
    EXPECT_EQ(one.delay_basis, DelayBasis::synchronised);
    EXPECT_EQ(one.delay_uncertainty_ms, 1.0);
  }
}

TEST_F(Ledger, RepeatedReportsCountOnceAndUnknownOnesNever) {
  ledger_.plan_next_round();
  const auto one = received(ledger_, 0, 0, 4);
  complete(0, one);
  EXPECT_FALSE(ledger_.received(0, one));
  EXPECT_TRUE(ledger_.settle_next());
  EXPECT_FALSE(ledger_.received(0, one)) << "already in the results";
  auto unknown = received(ledger_, 0, 0, 4);
  unknown.measurement.sequence = 999;
  EXPECT_FALSE(ledger_.received(0, unknown));
  auto wrong = received(ledger_, 0, 0, 4);
  wrong.stimulus = "M7";
  EXPECT_FALSE(ledger_.received(0, wrong));
}

TEST_F(Ledger, FailuresAreRepeatedUnderNewNumbersUntilTheLimit) {
  ledger_.plan_next_round();
  EXPECT_EQ(complete_all(0, 0), 10U) << "five failures of each of two stimuli, more than the limit of three";
  EXPECT_EQ(complete_all(1, 4), 10U);
  EXPECT_TRUE(ledger_.round_complete());
  EXPECT_FALSE(ledger_.plan_next_round());
  ledger_.conclude();
  EXPECT_EQ(ledger_.results().directions[0].stimuli[0].stopped_because, StopReason::failures);
  EXPECT_EQ(ledger_.results().directions[0].stimuli[0].interval.n, 0U);
  EXPECT_EQ(ledger_.results().directions[1].stimuli[0].interval.n, 5U);
}

TEST_F(Ledger, OneFailureIsRepeatedInTheNextRound) {
  ledger_.plan_next_round();
  complete(0, received(ledger_, 0, 0, 0));
  EXPECT_TRUE(ledger_.settle_next());
  complete_all(0, 4);
  complete_all(1, 4);
  ASSERT_TRUE(ledger_.plan_next_round());
  ASSERT_EQ(ledger_.due(0).size(), 1U);
  EXPECT_EQ(ledger_.due(0)[0].sequence, 11U);
  EXPECT_TRUE(ledger_.due(1).empty());
}

TEST_F(Ledger, AtTheEndAMeasurementWithoutADepartureIsKeptWithoutADelay) {
  ledger_.plan_next_round();
  const auto one = received(ledger_, 0, 0, 4);
  EXPECT_TRUE(ledger_.received(0, one));
  ledger_.fetched(0, 1, "recordings/x.flac");
  EXPECT_FALSE(ledger_.settle_next());
  const auto place = ledger_.settle_next(true);
  ASSERT_TRUE(place);
  EXPECT_FALSE(ledger_.results().directions[0].stimuli[place->stimulus].measurements.back().delay_ms);
}

TEST_F(Ledger, StoppingSetsTheReasonOfUnfinishedStimuli) {
  ledger_.plan_next_round();
  complete_all(0, 4);
  ledger_.stop(StopReason::line_lost);
  ledger_.conclude();
  EXPECT_NE(ledger_.results().directions[0].stimuli[0].stopped_because, StopReason::line_lost);
  EXPECT_EQ(ledger_.results().directions[1].stimuli[0].stopped_because, StopReason::line_lost);
}

TEST_F(Ledger, ATransmissionOnALostLineCountsOnceAndNotAsAFailure) {
  ledger_.plan_next_round();
  EXPECT_TRUE(ledger_.under_way().empty()) << "nothing has begun";
  complete(0, received(ledger_, 0, 0, 4));
  ASSERT_TRUE(ledger_.settle_next());
  const Planned left_first = ledger_.due(0)[0], left_second = ledger_.due(0)[1], next = ledger_.due(1)[0];
  ledger_.left(0, {left_first.sequence, 2'000'000'000, 0});
  ledger_.left(0, {left_second.sequence, 9'000'000'000, 0});
  const auto under_way = ledger_.under_way();
  ASSERT_EQ(under_way.size(), 3U);
  EXPECT_EQ(under_way[0].second.sequence, left_first.sequence);
  EXPECT_EQ(under_way[1].second.sequence, left_second.sequence);
  EXPECT_EQ(under_way[2].first, 1U);
  EXPECT_EQ(under_way[2].second.sequence, next.sequence) << "the next that was due";
  for (const auto& [direction, planned] : under_way) ledger_.lose(direction, planned, "gone");
  EXPECT_EQ(ledger_.measured(), 4U);
  ledger_.stop(StopReason::line_lost);
  ledger_.conclude();
  std::size_t lost = 0;
  for (const DirectionRun& direction : ledger_.results().directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      EXPECT_EQ(stimulus.stopped_because, StopReason::line_lost);
      for (const Measurement& one : stimulus.measurements) {
        if (one.outcome != Outcome::line_lost) continue;
        ++lost;
        EXPECT_EQ(one.reason, "gone");
        EXPECT_FALSE(one.mos_lqo);
      }
    }
  }
  EXPECT_EQ(lost, 3U);
}

// A transmission without its trailing mark: complete as far as its score shows.
class LedgerOfBeginnings : public Ledger {
 protected:
  LedgerOfBeginnings() {
    ledger_.plan_next_round();
    auto one = received(ledger_, 0, 0, 4);
    one.measurement.marks_found = MarksFound::leading_only;
    complete(0, one);
  }
  Measurement settled(bool last) {
    const auto place = ledger_.settle_next(last);
    if (!place) return {};
    broken_off_ = place->broken_off;
    return ledger_.results().directions[0].stimuli[place->stimulus].measurements.back();
  }
  bool broken_off_ = false;
};

TEST_F(LedgerOfBeginnings, AnUnfinishedTransmissionIsNotScored) {
  ledger_.spare_lost(true);
  EXPECT_FALSE(ledger_.settle_next()) << "its sender may still be at it";
  const Measurement one = settled(true);
  EXPECT_EQ(one.outcome, Outcome::line_lost);
  EXPECT_FALSE(one.mos_lqo);
  EXPECT_TRUE(broken_off_);
  EXPECT_FALSE(one.reason.empty());
}

TEST_F(LedgerOfBeginnings, ALaterDepartureConfirmsThatItWasFinished) {
  ledger_.left(0, {2, 9'000'000'000, 0});
  EXPECT_EQ(settled(false).outcome, Outcome::scored);
  EXPECT_FALSE(broken_off_);
}

TEST_F(LedgerOfBeginnings, TheEndOfItsSendersRoundConfirmsThatItWasFinished) {
  ledger_.sender_finished(0);
  EXPECT_EQ(settled(false).outcome, Outcome::scored);
}

TEST_F(LedgerOfBeginnings, APlayedNoticeConfirmsThatItWasFinished) {
  ledger_.played(0, {1, {}});
  EXPECT_EQ(settled(true).outcome, Outcome::scored);
}

TEST_F(Ledger, SilenceIsNoLostCallUnlessTheSenderFinished) {
  ledger_.expect_played(0);
  ledger_.plan_next_round();
  const auto silence = [this](std::size_t place) {
    auto one = received(ledger_, 0, place, 4);
    one.measurement.mos_lqo.reset();
    one.measurement.outcome = Outcome::line_lost;
    one.measurement.marks_found = MarksFound::none;
    one.measurement.reason = "silence came";
    return one;
  };
  complete(0, silence(0));
  ledger_.played(0, {1, {}});
  const auto gone = ledger_.settle_next(true);
  ASSERT_TRUE(gone);
  EXPECT_FALSE(gone->broken_off) << "it left completely, and silence arrived: the call is gone";
  complete(0, silence(0));
  const auto cut_off = ledger_.settle_next(true);
  ASSERT_TRUE(cut_off);
  EXPECT_TRUE(cut_off->broken_off) << "its node died meanwhile";
}

TEST_F(Ledger, ATrailingMarkConfirmsTheEndWhateverTheSenderReports) {
  ledger_.plan_next_round();
  for (const MarksFound marks : {MarksFound::both, MarksFound::trailing_only}) {
    auto one = received(ledger_, 0, 0, 4);
    one.measurement.marks_found = marks;
    complete(0, one);
    const auto place = ledger_.settle_next();
    ASSERT_TRUE(place) << to_string(marks);
    EXPECT_EQ(ledger_.results().directions[0].stimuli[place->stimulus].measurements.back().outcome, Outcome::scored);
  }
}

TEST_F(Ledger, DepartedAndNotReceivedIsMissing) {
  ledger_.plan_next_round();
  complete(0, received(ledger_, 0, 0, 4));
  ledger_.left(0, {2, 9'000'000'000, 0});
  const auto missing = ledger_.missing();
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing[0].second.sequence, 2U);
}

TEST_F(Ledger, AScoreWhoseRecordingIsLostIsKept) {
  ledger_.plan_next_round();
  const auto one = received(ledger_, 0, 0, 4);
  ASSERT_TRUE(ledger_.received(0, one));
  EXPECT_FALSE(ledger_.settle_next(true));
  ledger_.give_up_recordings();
  const auto place = ledger_.settle_next(true);
  ASSERT_TRUE(place);
  EXPECT_EQ(ledger_.results().directions[0].stimuli[place->stimulus].measurements[0].recording, "");
}

TEST_F(Ledger, DeparturesThatAreNotDueAreIgnored) {
  ledger_.plan_next_round();
  ledger_.left(0, {60000, 0, 0});
  EXPECT_TRUE(ledger_.under_way().empty());
  const auto one = received(ledger_, 0, 0, 4);
  ledger_.left(0, {one.measurement.sequence, 1'000'000'000, 0});
  EXPECT_FALSE(ledger_.delay_ms(0, one.measurement.sequence));
  ledger_.received(0, one);
  EXPECT_NEAR(ledger_.delay_ms(0, one.measurement.sequence).value_or(0), 250, 1e-9);
}

TEST(LedgerAtACap, PlansWhatFitsTheLineTimeAndThenStops) {
  RunPlan plan;
  plan.b_to_a = false;
  plan.cap_line_time_s = 100;
  RunLedger ledger(plan, {"M1", "F5"});
  ASSERT_TRUE(ledger.plan_next_round(0));
  EXPECT_EQ(ledger.due(0).size(), 10U);  // a first guess of 10 s each
  RunPlan tight = plan;
  tight.cap_line_time_s = 40;
  RunLedger less(tight, {"M1", "F5"});
  ASSERT_TRUE(less.plan_next_round(0));
  EXPECT_EQ(less.due(0).size(), 4U);
  // Four took 34 s: there is no time for a fifth.
  EXPECT_FALSE(less.plan_next_round(34));
  less.conclude();
  for (const StimulusRun& stimulus : less.results().directions[0].stimuli)
    EXPECT_EQ(stimulus.stopped_because, StopReason::cap_line_time);
}

TEST(LedgerAtACap, PlansNoTransmissionThatWouldEndAfterIt) {
  RunPlan plan;
  plan.b_to_a = false;
  plan.cap_line_time_s = 60;
  // The long stimulus is due last, and the mean of those before it suggests that it fits.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    plan.seed = seed;
    RunLedger ledger(plan, {"M1", "F5"});
    ledger.set_line_seconds({3.5, 9});
    double used_s = 0;
    int made = 0;
    while (ledger.plan_next_round(used_s)) {
      for (; !ledger.due(0).empty(); ++made) {
        const Planned planned = ledger.due(0).front();
        used_s += planned.stimulus == 0 ? 3.5 : 9;
        ASSERT_TRUE(ledger.received(0, received(ledger, 0, 0, 3 + made % 2)));
        ledger.left(0, {planned.sequence, 1'000'000'000, 0});
        ledger.fetched(0, planned.sequence, "recordings/x.flac");
        ASSERT_TRUE(ledger.settle_next());
      }
      used_s += 0.7;  // delay and tail
    }
    EXPECT_LE(used_s, 60) << "seed " << seed;
    EXPECT_GT(used_s, 45) << "seed " << seed << ": line time was left over";
  }
}

TEST_F(Ledger, AStimulusThatSoundsDifferentIsMeasuredMore) {
  RunPlan plan;
  plan.b_to_a = false;
  RunLedger ledger(plan, {"M1", "F5"});
  ASSERT_TRUE(ledger.plan_next_round());
  std::uint32_t of_f5 = 0;
  const double around[] = {-0.003, 0.012, -0.015, 0.008, -0.001};
  for (int made = 0; !ledger.due(0).empty(); ++made) {
    const Planned planned = ledger.due(0).front();
    if (planned.stimulus == 1) of_f5 = planned.sequence;
    ASSERT_TRUE(ledger.received(0, received(ledger, 0, 0, 4 + around[made % 5] * (made < 5 ? 1 : -1))));
    ledger.left(0, {planned.sequence, 1'000'000'000, 0});
    ledger.fetched(0, planned.sequence, "recordings/x.flac");
    ASSERT_TRUE(ledger.settle_next());
  }
  const std::size_t expected = ledger.expected_total();
  EXPECT_FALSE(ledger.ask_for_more(End::a, 999));
  EXPECT_FALSE(ledger.ask_for_more(End::b, of_f5));
  ASSERT_TRUE(ledger.ask_for_more(End::a, of_f5));
  EXPECT_EQ(ledger.expected_total(), expected + 5);
  ASSERT_TRUE(ledger.plan_next_round());
  for (const Planned& one : ledger.due(0)) EXPECT_EQ(one.stimulus, 1U);
}

TEST_F(Ledger, ANoteCountsOnceHoweverOftenTheRunIsContinued) {
  RunPlan plan;
  plan.b_to_a = false;
  constexpr double kAround[] = {-0.003, 0.012, -0.015, 0.008, -0.001};
  RunContinuation earlier;
  RunLedger first(plan, {"M1"});
  earlier.so_far = first.results();
  std::vector<Measurement>& measured = earlier.so_far.directions[0].stimuli[0].measurements;
  // Interrupted after each of the ten that the goal and one note require together.
  for (std::uint32_t made = 1; made <= 10; ++made) {
    Measurement one;
    one.sequence = made;
    one.outcome = Outcome::scored;
    one.mos_lqo = 4 + kAround[(made - 1) % 5] * (made <= 5 ? 1 : -1);
    measured.push_back(one);
    RunLedger again(plan, {"M1"});
    again.restore(earlier);
    ASSERT_TRUE(again.ask_for_more(End::a, 1));
    EXPECT_EQ(again.expected_total(), 10U) << made;
    EXPECT_EQ(again.plan_next_round(), made < 10) << made;
  }
}

// A line in real time: reports count for the next plan before the recording is fetched.
class LedgerAhead : public ::testing::Test {
 protected:
  static RunPlan plan() {
    RunPlan plan;
    plan.b_to_a = false;
    plan.sampling.fallback.reset();
    return plan;
  }
  /// The `place`th that is due is received, without any other report yet.
  void receive(std::size_t place, double mos) { EXPECT_TRUE(ledger_.received(0, received(ledger_, 0, place, mos))); }
  std::vector<Planned> ahead() {
    std::vector<std::vector<Planned>> more;
    const bool any = ledger_.plan_ahead(3, more);
    EXPECT_EQ(any, !more[0].empty());
    return more[0];
  }
  RunLedger ledger_{plan(), {"M1"}};
};

TEST_F(LedgerAhead, ReceivedMeasurementsCountBeforeTheyAreSettled) {
  ASSERT_TRUE(ledger_.plan_next_round());
  const double scores[] = {3.0, 3.3, 2.6, 3.5, 2.9};
  for (std::size_t i = 0; i < 5; ++i) receive(i, scores[i]);
  EXPECT_EQ(ledger_.measured(), 0U);
  const auto more = ahead();
  ASSERT_GE(more.size(), 5U);
  EXPECT_EQ(more.front().sequence, 6U);
  EXPECT_THAT(ahead(), ::testing::IsEmpty()) << "it is asked for already";
}

TEST_F(LedgerAhead, ReceivedMeasurementsAreNotAwaited) {
  ASSERT_TRUE(ledger_.plan_next_round());
  const WorkLeft before = ledger_.work_left(0);
  receive(0, 3.0);
  receive(1, 3.3);
  EXPECT_EQ(ledger_.work_left(0).round_s, before.round_s - 2) << "of a second each";
  EXPECT_EQ(ledger_.work_left(0).later_s, before.later_s);
}

TEST_F(LedgerAhead, CertainMeasurementsArePlannedBeforeTheNextDecision) {
  ASSERT_TRUE(ledger_.plan_next_round());
  receive(0, 2.6);
  EXPECT_THAT(ahead(), ::testing::IsEmpty()) << "enough is under way";
  receive(1, 3.4);
  receive(2, 2.7);
  EXPECT_THAT(ahead(), ::testing::SizeIs(6)) << "scores so far apart cannot be near enough by the fifth, or the tenth";
}

TEST_F(LedgerAhead, UncertainMeasurementsAreNotPlanned) {
  ASSERT_TRUE(ledger_.plan_next_round());
  const double scores[] = {3.0, 3.01, 2.99, 3.02};
  for (std::size_t i = 0; i < 4; ++i) receive(i, scores[i]);
  EXPECT_THAT(ahead(), ::testing::IsEmpty());
}

TEST_F(LedgerAhead, NotFoundWithoutADepartureIsNotAFailure) {
  ledger_.set_departures_needed(true);
  ASSERT_TRUE(ledger_.plan_next_round());
  for (std::size_t i = 0; i < 5; ++i) receive(i, 0);
  EXPECT_THAT(ahead(), ::testing::SizeIs(5));
}

TEST_F(LedgerAhead, AReceiverThatStoppedWaitingBeforeTheDepartureCountsNowhere) {
  ledger_.set_departures_needed(true);
  ASSERT_TRUE(ledger_.plan_next_round());
  const std::uint32_t early = ledger_.due(0)[0].sequence, late = ledger_.due(0)[1].sequence;
  receive(0, 0);
  ledger_.left(0, {early, 1'000'000'000, 0});
  ledger_.left(0, {late, 8'000'000'000, 0});
  receive(1, 0);
  for (const std::uint32_t one : {early, late}) ledger_.fetched(0, one, "recordings/x.flac");
  EXPECT_TRUE(ledger_.settle_next());
  const auto& measured = ledger_.results().directions[0].stimuli[0].measurements;
  ASSERT_EQ(measured.size(), 1U);
  EXPECT_EQ(measured[0].sequence, late) << "it left, and was not found";
}

TEST_F(LedgerAhead, AnUnreachableSendersDepartureIsAwaited) {
  ledger_.set_departures_needed(true);
  ASSERT_TRUE(ledger_.plan_next_round());
  const std::uint32_t sequence = ledger_.due(0)[0].sequence;
  EXPECT_TRUE(ledger_.received(0, received(ledger_, 0, 0, 0), false));
  ledger_.left(0, {sequence, 1'000'000'000, 0});
  ledger_.fetched(0, sequence, "recordings/x.flac");
  EXPECT_TRUE(ledger_.settle_next());
  EXPECT_EQ(ledger_.measured(), 1U);
}

TEST_F(LedgerAhead, ATransmissionThatLeftAfterItsReceiversWaitIsNotEntered) {
  ledger_.set_departures_needed(true);
  ASSERT_TRUE(ledger_.plan_next_round());
  // The receiver's clock is 10 s ahead, and the line takes a quarter of a second.
  const auto clocks = [](std::int64_t ns) { return ns + 10'250'000'000; };
  ReceivedMeasurement found = received(ledger_, 0, 0, 4);
  found.arrived_at_ns = clocks(1'000'000'000);
  EXPECT_TRUE(ledger_.received(0, found));
  ledger_.left(0, {found.measurement.sequence, 1'000'000'000, 0});
  ledger_.fetched(0, found.measurement.sequence, "recordings/x.flac");
  ASSERT_TRUE(ledger_.settle_next());
  for (const bool in_time : {false, true}) {
    ReceivedMeasurement missed = received(ledger_, 0, 0, 0);
    missed.arrived_at_ns.reset();
    missed.heard_until_ns = clocks(20'000'000'000);
    // Neither end was reachable meanwhile: their reports come in any order.
    EXPECT_TRUE(ledger_.received(0, missed, false));
    ledger_.left(0, {missed.measurement.sequence, in_time ? 5'000'000'000 : 21'000'000'000, 0});
    ledger_.fetched(0, missed.measurement.sequence, "recordings/y.flac");
    EXPECT_EQ(ledger_.settle_next().has_value(), in_time);
    EXPECT_EQ(ledger_.measured(), in_time ? 2U : 1U);
  }
}

TEST_F(LedgerAhead, TheExpectedRestIncludesTheShareWithoutAScore) {
  ASSERT_TRUE(ledger_.plan_next_round());
  const double scores[] = {3.0, 0.0, 3.4, 2.4, 0.0};
  for (std::size_t i = 0; i < 5; ++i) {
    const ReceivedMeasurement one = received(ledger_, 0, 0, scores[i]);
    EXPECT_TRUE(ledger_.received(0, one));
    ledger_.left(0, {one.measurement.sequence, 1'000'000'000, 0});
    ledger_.fetched(0, one.measurement.sequence, "recordings/x.flac");
    EXPECT_TRUE(ledger_.settle_next());
  }
  Sampler sampler{SamplerOptions{}};
  for (const double score : {3.0, 3.4, 2.4}) sampler.add_score(score);
  const std::size_t scored = sampler.expected_more();
  EXPECT_EQ(ledger_.expected_more(0), scored + scored * 2 / 3);
  EXPECT_EQ(ledger_.expected_total(), 5 + ledger_.expected_more(0));
}

}  // namespace
}  // namespace vqas
