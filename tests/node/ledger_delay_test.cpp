// Which delays a ledger reports, and which it does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node/controller/run_ledger.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

class LedgerDelay : public ::testing::Test {
 protected:
  LedgerDelay() : ledger_(plan(), {"M1"}) { ledger_.plan_next_round(); }
  static RunPlan plan() {
    RunPlan plan;
    plan.sampling.first_count = plan.sampling.cap_count = 10;
    return plan;
  }
  // The next one, scored, which left at 1 s.
  ReceivedMeasurement next() const {
    ReceivedMeasurement one;
    one.stimulus = "M1";
    one.measurement.sequence = ledger_.due(0).front().sequence;
    one.measurement.outcome = Outcome::scored;
    one.measurement.mos_lqo = 4;
    one.arrived_at_ns = 1'250'000'000;
    return one;
  }
  static DeviceNotes device() {
    DeviceNotes notes;
    notes.real_device = true;
    return notes;
  }
  Measurement settle(const ReceivedMeasurement& one, const DeviceNotes& played = device()) {
    const std::uint32_t sequence = one.measurement.sequence;
    EXPECT_TRUE(ledger_.received(0, one));
    ledger_.left(0, {sequence, 1'000'000'000, 0});
    ledger_.played(0, {sequence, played});
    ledger_.fetched(0, sequence, "recordings/x.flac");
    EXPECT_TRUE(ledger_.settle_next());
    return ledger_.results().directions[0].stimuli[0].measurements.back();
  }
  RunLedger ledger_;
};

TEST_F(LedgerDelay, AnImpossibleOneIsNotReported) {
  ledger_.set_clock_uncertainty_ms(1);
  for (const DelayBasis basis : {DelayBasis::same_clock, DelayBasis::virtual_time, DelayBasis::synchronised}) {
    ledger_.set_delay_basis(basis);
    ReceivedMeasurement one = next();
    one.arrived_at_ns = 1'000'000'000 - 1'609'000'000;
    const Measurement before_it_left = settle(one);
    EXPECT_FALSE(before_it_left.delay_ms);
    EXPECT_FALSE(before_it_left.delay_uncertainty_ms);
    EXPECT_EQ(before_it_left.delay_basis, DelayBasis::unknown);
    EXPECT_NE(before_it_left.note.find("-1609.0 ms"), std::string::npos) << before_it_left.note;
    EXPECT_TRUE(before_it_left.mos_lqo) << "it comes from the recording";
    one = next();
    one.arrived_at_ns = 1'000'000'000 - 500'000;
    EXPECT_NEAR(settle(one).delay_ms.value_or(99), -0.5, 1e-6) << "within the error of the clocks";
  }
}

TEST_F(LedgerDelay, OneOfASpoiltTransmissionIsNotReported) {
  ledger_.set_delay_basis(DelayBasis::same_clock);
  ReceivedMeasurement spoilt = next();
  spoilt.measurement.outcome = Outcome::audio_fault;
  spoilt.measurement.mos_lqo.reset();
  DeviceNotes late = device(), unsent = device();
  late.noticed.inserted_samples = 4000;
  unsent.noticed.unsent_samples = 4000;
  const Measurement by_receiver = settle(spoilt), by_sender = settle(next(), late), cut = settle(next(), unsent);
  const Measurement whole = settle(next());
  EXPECT_EQ(cut.line.value_or(LineStatistics()).unsent_samples, 4000U);
  for (const Measurement* const one : {&by_receiver, &by_sender, &cut}) {
    EXPECT_EQ(one->outcome, Outcome::audio_fault);
    EXPECT_FALSE(one->delay_ms) << one->sequence;
    EXPECT_EQ(one->delay_basis, DelayBasis::unknown);
  }
  EXPECT_NEAR(whole.delay_ms.value_or(0), 250, 1e-6);
}

TEST_F(LedgerDelay, AStepOfADevicesClockBeyondTheUncertaintyTakesTheDelay) {
  ledger_.set_clock_uncertainty_ms(1);
  for (const DelayBasis basis : {DelayBasis::same_clock, DelayBasis::synchronised, DelayBasis::half_round_trip}) {
    ledger_.set_delay_basis(basis);
    ReceivedMeasurement stepped = next();
    stepped.clock_step_ms = 20;
    DeviceNotes sender = device();
    sender.clock_step_ms = 5;
    const Measurement by_receiver = settle(stepped), by_sender = settle(next(), sender);
    EXPECT_THAT(by_receiver.note, HasSubstr("0.0 ms at the sender and 20.0 ms at the receiver"));
    EXPECT_THAT(by_sender.note, HasSubstr("5.0 ms at the sender and 0.0 ms at the receiver"));
    for (const Measurement* const one : {&by_receiver, &by_sender}) {
      EXPECT_FALSE(one->delay_ms) << one->sequence;
      EXPECT_FALSE(one->delay_uncertainty_ms);
      EXPECT_EQ(one->delay_basis, DelayBasis::unknown);
      EXPECT_TRUE(one->mos_lqo) << "it comes from the recording";
    }
  }
}

TEST_F(LedgerDelay, AStepOfADevicesClockWithinTheUncertaintyWidensIt) {
  ledger_.set_clock_uncertainty_ms(1);
  ledger_.set_delay_basis(DelayBasis::same_clock);
  ReceivedMeasurement one = next();
  one.clock_step_ms = 0.25;
  DeviceNotes sender = device();
  sender.clock_step_ms = 0.5;
  const Measurement measured = settle(one, sender);
  EXPECT_NEAR(measured.delay_ms.value_or(0), 250, 1e-6);
  EXPECT_DOUBLE_EQ(measured.delay_uncertainty_ms.value_or(0), 1.75);
  EXPECT_EQ(measured.note, "");
}

TEST_F(LedgerDelay, WithoutAClockThereIsNoNoteOnItsStep) {
  ReceivedMeasurement stepped = next();
  stepped.clock_step_ms = 20;
  EXPECT_EQ(settle(stepped).note, "");
}

}  // namespace
}  // namespace vqas
