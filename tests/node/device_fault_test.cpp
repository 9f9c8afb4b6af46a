// Sound devices that lose, repeat, insert or zero samples at either end, and the resulting measurements: nodes,
// controller and the real audio line, on devices with planted faults of known size and position.
#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <cmath>
#include <thread>

#include "node/node_harness.h"
#include "node/planted_cable.h"
#include "vqas/corpus/corpus.h"
#include "vqas/node/line_only.h"
#include "vqas/signal/audio_file.h"
#include "vqas/sync/transmission.h"

namespace vqas {
namespace {

using test::PlantedFault;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Matcher;
using ::testing::StrEq;
using Kind = PlantedFault::Kind;

constexpr const char* kStimulus = "M4";

// A fault planted in a transmission, and the expected result.
struct Planted {
  const char* what;
  std::vector<PlantedFault> faults;
  Outcome outcome;
  const char* told;   // in the reason or the note; empty: no note
  bool timed = true;  // if it is scored: with a delay
};

class DeviceFaultTest : public test::NodeTest {
 protected:
  void SetUp() override {
    test::NodeTest::SetUp();
    const auto corpus = Corpus::load(test::corpus_folder());
    ASSERT_TRUE(corpus);
    stimulus_ = *corpus->recording(kStimulus);
    const auto layout = transmission_layout(stimulus_.size(), {});
    const double speech_s = static_cast<double>(layout.speech_start) / 8000;
    loud_s_ = speech_s + place_s(true);
    pause_s_ = speech_s + place_s(false);
    guard_s_ = speech_s - 0.045;
    end_s_ = static_cast<double>(layout.total) / 8000;
  }
  // The loudest or quietest 60 ms in the middle of the sentence.
  double place_s(bool loud) const {
    constexpr std::size_t kLength = 480;
    double best = -1;
    std::size_t found = 0;
    for (std::size_t n = 8000; n + 16000 < stimulus_.size(); n += 80) {
      double power = 0;
      for (std::size_t i = n; i < n + kLength; ++i) power += std::pow(stimulus_.samples[i], 2.0);
      if (best >= 0 && (power > best) != loud) continue;
      best = power;
      found = n;
    }
    return static_cast<double>(found) / 8000;
  }
  std::vector<std::unique_ptr<Node>> start_nodes_on(const test::PlantedCable& cable) const {
    return start_nodes([&cable](End own) { return cable.open(own); });
  }
  RunPlan plan_for(const std::vector<std::unique_ptr<Node>>& nodes) const {
    RunPlan plan = test::plan_for(nodes.at(0)->address(), nodes.at(1)->address(), folder_ / "run", {kStimulus});
    plan.within_s = 600;  // by a fast clock
    return plan;
  }
  // All of them in one run from a to b, in their order; spoilt transmissions are measured again after them.
  std::vector<Measurement> measure(const std::vector<Planted>& cases) {
    std::multimap<int, PlantedFault> faults;
    for (std::size_t n = 0; n < cases.size(); ++n) {
      for (const PlantedFault& one : cases[n].faults) faults.emplace(static_cast<int>(n) + 1, one);
    }
    const test::PlantedCable cable(std::move(faults), 40);
    const auto nodes = start_nodes_on(cable);
    RunPlan plan = plan_for(nodes);
    plan.b_to_a = false;
    plan.sampling.first_count = plan.sampling.cap_count = cases.size();
    plan.sampling.max_failures = cases.size() + 1;
    test::WatchedRun run(plan);
    EXPECT_TRUE(run.finish(300000));
    EXPECT_EQ(run.error, "");
    EXPECT_EQ(run.results().directions[0].stimuli[0].interval.n, cases.size()) << "spoilt transmissions were repeated";
    return run.all();
  }
  bool holds_all_samples(const Measurement& one) const {
    const auto heard = read_audio(folder_ / "run" / one.recording);
    if (!heard || heard->size() < stimulus_.size()) return false;
    const auto found =
        std::search(heard->samples.begin(), heard->samples.end(), stimulus_.samples.begin(), stimulus_.samples.end());
    return found != heard->samples.end();
  }

  Signal stimulus_;
  double loud_s_ = 0, pause_s_ = 0, guard_s_ = 0, end_s_ = 0;  // from a transmission's first sample
};

TEST_F(DeviceFaultTest, SpoilsAMeasurementOnlyIfTheSpeechShowsIt) {
  const auto fault = [](Kind kind, End at, double at_s, int periods, bool a_is_told, bool b_is_told,
                        bool stale = true) {
    return PlantedFault{kind, at, at_s, periods, a_is_told, b_is_told, stale};
  };
  const double loud = loud_s_;
  constexpr Outcome kScored = Outcome::scored, kFault = Outcome::audio_fault;
  const char* const kNote = "but no speech is missing";
  const std::vector<Planted> cases{
      {"nothing", {}, kScored, ""},
      {"a flag at the receiver", {fault(Kind::none, End::b, loud, 1, false, true)}, kScored, kNote},
      {"a flag at the sender", {fault(Kind::none, End::a, loud, 1, true, false)}, kScored, kNote},
      {"the receiver loses 5 ms of speech", {fault(Kind::missed, End::b, loud, 1, false, true)}, kFault, "receiver's"},
      {"the same, and no flag", {fault(Kind::missed, End::b, loud, 1, false, false)}, kFault, "receiver's"},
      {"the receiver loses 20 ms of the guard",
       {fault(Kind::missed, End::b, guard_s_, 4, false, true)},
       kFault,
       "receiver's"},
      {"the receiver loses 5 ms of a pause",
       {fault(Kind::missed, End::b, pause_s_, 1, false, true)},
       kFault,
       "receiver's"},
      {"the receiver inserts 10 ms", {fault(Kind::inserted, End::b, loud, 2, false, true)}, kFault, "receiver's"},
      {"the same, and no flag", {fault(Kind::inserted, End::b, loud, 2, false, false)}, kFault, "receiver's"},
      {"the receiver zeroes 20 ms", {fault(Kind::zeroed, End::b, loud, 4, false, true)}, kFault, "exact zeros"},
      {"the same, and only the sender knows",
       {fault(Kind::zeroed, End::b, loud, 4, true, false)},
       kFault,
       "exact zeros"},
      {"the sender skips 5 ms, the last is heard again",
       {fault(Kind::missed, End::a, loud, 1, true, false)},
       kFault,
       "sender's"},
      {"the same, and no flag", {fault(Kind::missed, End::a, loud, 1, false, false)}, kFault, "sender's"},
      {"the sender skips 10 ms near its end, and no flag",
       {fault(Kind::missed, End::a, end_s_ - 0.2, 2, false, false, false)},
       kFault,
       "sender's"},
      {"the sender is late by 5 ms and the last is heard instead",
       {fault(Kind::late, End::a, loud, 1, true, false)},
       kFault,
       "repetition"},
      {"the same, and only the receiver knows",
       {fault(Kind::late, End::a, loud, 1, false, true)},
       kFault,
       "repetition"},
      {"the sender is late by 20 ms and zeros are heard instead",
       {fault(Kind::late, End::a, loud, 4, true, false, false)},
       kFault,
       "exact zeros"},
      {"the sender is late in the guard", {fault(Kind::late, End::a, guard_s_, 4, true, true)}, kScored, kNote},
      {"the sender is late in the mark's data", {fault(Kind::late, End::a, 0.05, 1, true, true)}, kScored, kNote},
      {"both stand still",
       {fault(Kind::missed, End::a, loud, 4, true, true), fault(Kind::missed, End::b, loud, 4, true, true)},
       kScored,
       kNote,
       false},
      {"the sender skips and the receiver loses as much later",
       {fault(Kind::missed, End::a, loud, 4, true, true, false), fault(Kind::missed, End::b, loud + 1, 4, true, true)},
       kFault,
       "exact zeros"},
      {"the receiver inserts in a pause and loses as much later",
       {fault(Kind::inserted, End::b, pause_s_, 4, false, true),
        fault(Kind::missed, End::b, pause_s_ + 0.9, 4, false, true)},
       kFault,
       "receiver's"},
      {"the receiver inserts 1.2 s", {fault(Kind::inserted, End::b, loud, 240, false, false)}, kFault, "receiver's"},
      {"the receiver loses 1.2 s", {fault(Kind::missed, End::b, loud, 240, false, false)}, kFault, "receiver's"},
      {"the sender skips 1.2 s", {fault(Kind::missed, End::a, loud, 240, false, false)}, kFault, "sender's"},
      {"both stand still, and no flag",
       {fault(Kind::missed, End::a, loud, 4, false, false), fault(Kind::missed, End::b, loud, 4, false, false)},
       kScored,
       "no delay is given",
       false},
      {"the sender stands still in the gap",
       {fault(Kind::missed, End::a, end_s_ + 0.05, 2, true, true)},
       kScored,
       kNote},
  };
  const auto measured = measure(cases);
  ASSERT_GE(measured.size(), cases.size());
  for (std::size_t n = 0; n < measured.size(); ++n) {
    const Measurement& one = measured[n];
    const bool planted = n < cases.size();
    SCOPED_TRACE(std::to_string(n + 1) + ": " + (planted ? cases[n].what : "a repetition"));
    EXPECT_EQ(one.outcome, planted ? cases[n].outcome : Outcome::scored) << one.reason << one.note;
    const std::string told = planted ? cases[n].told : "";
    EXPECT_THAT(one.outcome == Outcome::scored ? one.note : one.reason,
                told.empty() && one.mos_lqo ? Matcher<std::string>(StrEq("")) : Matcher<std::string>(HasSubstr(told)));
    if (one.outcome != Outcome::scored) continue;
    EXPECT_TRUE(holds_all_samples(one)) << "a score of an incomplete transmission: " << one.mos_lqo.value_or(0);
    EXPECT_GE(one.mos_lqo.value_or(0), 4.5);
    const bool timed = !planted || cases[n].timed;
    EXPECT_EQ(one.delay_ms.has_value(), timed) << one.note;
    EXPECT_EQ(one.note.find("no delay is given") == std::string::npos, timed) << one.note;
    EXPECT_NEAR(one.delay_ms.value_or(timed ? 0 : 5), 5, 0.01);
  }
}

// Faults of the line itself, not of a device.
TEST_F(DeviceFaultTest, FaultsOfTheLineAreNotTheDevices) {
  const auto line = [this](Kind kind, int periods, bool stale) {
    return PlantedFault{kind, End::a, loud_s_, periods, false, false, stale};
  };
  const std::vector<Planted> cases{
      {"zeros of 20 ms", {line(Kind::late, 4, false)}, Outcome::scored, "exact zeros; no sound device reported a gap"},
      {"repetitions of 5 ms", {line(Kind::late, 1, true)}, Outcome::scored, "repetition"},
      {"nothing", {}, Outcome::scored, ""},
  };
  const auto measured = measure(cases);
  ASSERT_EQ(measured.size(), cases.size());
  for (std::size_t n = 0; n < cases.size(); ++n) {
    EXPECT_EQ(measured[n].outcome, Outcome::scored) << cases[n].what << ": " << measured[n].reason;
    EXPECT_THAT(measured[n].note, HasSubstr(cases[n].told)) << cases[n].what;
  }
  EXPECT_THAT(measured[2].note, IsEmpty());
}

// An end that receives its own mark back takes turns with the other.
TEST_F(DeviceFaultTest, AnEchoMakesTheDirectionsTakeTurns) {
  for (const float echo : {0.0F, 0.1F}) {
    std::filesystem::remove_all(folder_ / "run");
    const test::PlantedCable cable({}, 40, echo);
    const auto nodes = start_nodes_on(cable);
    RunPlan plan = plan_for(nodes);
    plan.sampling.first_count = plan.sampling.cap_count = 3;
    test::WatchedRun run(plan);
    ASSERT_TRUE(run.finish(120000));
    EXPECT_EQ(run.error, "");
    EXPECT_EQ(run.results().duplex, echo > 0 ? Duplex::one : Duplex::both);
    for (const Measurement& one : run.all()) {
      EXPECT_EQ(one.outcome, Outcome::scored) << one.reason;
      EXPECT_EQ(one.echo_return_loss_db.has_value(), echo > 0) << one.sequence;
      EXPECT_NEAR(one.echo_return_loss_db.value_or(20), 20, 1);
    }
  }
}

// Without a network the listener knows only its own device.
TEST_F(DeviceFaultTest, IsFoundByAListenerWithoutReportsOfTheSender) {
  constexpr double kWithin_s = 2;
  const test::PlantedCable cable(
      {{2, {Kind::missed, End::b, kWithin_s, 4, false, true}}, {3, {Kind::none, End::b, kWithin_s, 1, false, true}}},
      40);
  const auto corpus = Corpus::load(test::corpus_folder());
  auto sends = cable.open(End::a), hears = cable.open(End::b);
  ASSERT_TRUE(corpus && sends && hears);
  const std::atomic<bool> cancelled = false;
  std::thread sender([&] {
    SendPlan plan;
    plan.run_id = 7;
    plan.rounds = 1;
    EXPECT_TRUE(send_over_line(**sends, *corpus, plan, cancelled));
    sends->reset();
  });
  ListenPlan plan;
  plan.answers = false;
  plan.started_utc = "2026-11-22T00:00:00Z";
  const auto listened = listen_on_line(**hears, *corpus, plan, cancelled);
  // No end runs ahead of the other, and the sender's last silence is longer than a listener waits.
  std::array<float, kLineBlock> silence{}, heard{};
  for (bool there = true; there;) {
    const auto time = (*hears)->exchange(silence, heard, {1, true});
    // The listener's last interruption may still be there.
    there = time || time.error().code == ErrorCode::cancelled;
  }
  hears->reset();  // whatever ended this, the sender does not wait for it
  sender.join();
  ASSERT_TRUE(listened);
  EXPECT_THAT(listened->results.equipment.at("b"), HasSubstr("card"));
  std::size_t scored = 0;
  for (const StimulusRun& stimulus : listened->results.directions[0].stimuli) {
    for (const Measurement& one : stimulus.measurements) {
      SCOPED_TRACE(one.sequence);
      EXPECT_EQ(one.outcome, one.sequence == 2 ? Outcome::audio_fault : Outcome::scored) << one.reason;
      // What the device lost shows in the distance of the marks, too.
      EXPECT_THAT(one.note, one.sequence == 2   ? Matcher<std::string>(HasSubstr("delay changed by -20.0 ms"))
                            : one.sequence == 3 ? Matcher<std::string>(HasSubstr("1 input"))
                                                : Matcher<std::string>(IsEmpty()));
      EXPECT_TRUE(one.line);
      scored += one.mos_lqo ? 1 : 0;
    }
  }
  EXPECT_EQ(scored, corpus->stimuli().size() - 1);
}

}  // namespace
}  // namespace vqas
