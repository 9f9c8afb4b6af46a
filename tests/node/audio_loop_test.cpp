// Two audio threads on a simulated line in this process.
#include "node/agent/audio_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>

#include "line/simulator_harness.h"
#include "node/play/outgoing.h"
#include "support/signals.h"

namespace vqas {
namespace {

using test::RunningSimulator;

Signal speech_like() {
  return test::noise(0.05, 1.5, 21);
}

// No block passes while it is held. On a line of virtual time whole rounds pass in milliseconds: what an end must know
// before a block is told while that block waits.
class HeldLine : public Line {
 public:
  explicit HeldLine(std::unique_ptr<Line> line) : line_(std::move(line)) {}
  LineDescription description() const override { return line_->description(); }
  Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round round) override {
    {
      std::unique_lock lock(mutex_);
      released_.wait(lock, [this] { return !held_; });
    }
    return line_->exchange(sent, heard, round);
  }
  Status stand() override { return line_->stand(); }
  void interrupt() override { line_->interrupt(); }

  void hold(bool held) {
    const std::lock_guard lock(mutex_);
    held_ = held;
    released_.notify_all();
  }

 private:
  std::unique_ptr<Line> line_;
  std::mutex mutex_;
  std::condition_variable released_;
  bool held_ = false;
};

// One end: its loop, and the events of the loop.
class LoopEnd {
 public:
  LoopEnd(const RunningSimulator& simulator, End end) : end_(end) {
    auto held = std::make_unique<HeldLine>(simulator.open(end));
    line = held.get();
    LoopEvents events;
    events.sent = [this](std::uint32_t sequence, std::int64_t at, std::optional<std::int64_t>) {
      const std::lock_guard lock(mutex_);
      sent.emplace_back(sequence, at);
    };
    events.captured = [this](Capture capture, std::optional<std::int64_t> at, const DeviceNotes&) {
      const std::lock_guard lock(mutex_);
      if (held_by_captures) line->hold(true);
      captures.push_back(std::move(capture));
      arrived.push_back(at);
      changed_.notify_all();
    };
    events.done = [this](std::uint64_t round, std::int64_t) {
      const std::lock_guard lock(mutex_);
      done = round;
      changed_.notify_all();
    };
    events.lost = [this](const Error& error) {
      const std::lock_guard lock(mutex_);
      lost = error;
      changed_.notify_all();
    };
    loop = std::make_unique<AudioLoop>(std::move(held), end, events);
  }

  ~LoopEnd() { release(); }

  // All are known before the first block of the first one. For an end that has no round.
  void start(std::vector<RoundJob> jobs) {
    line->hold(true);
    for (RoundJob& job : jobs) loop->start(std::move(job));
    line->hold(false);
  }
  void release() {
    held_by_captures = false;
    line->hold(false);
  }

  MarkData mark(End sender, std::uint16_t sequence) const {
    MarkData data;
    data.sender = sender;
    data.run_id = 99;
    data.sequence = sequence;
    return data;
  }
  RoundJob job(std::uint64_t number, std::uint16_t first, std::uint16_t count) const {
    RoundJob round;
    round.number = number;
    for (std::uint16_t n = first; n < first + count; ++n) {
      round.send.push_back(compose_outgoing(speech_like(), mark(end_, n), {}, NodeOptions()));
      round.expect.push_back({mark(other_end(end_), n), speech_like().size(), 10});
    }
    return round;
  }
  RoundJob sends(std::uint64_t number, std::uint16_t first, std::uint16_t count) const {
    RoundJob round = job(number, first, count);
    round.expect.clear();
    return round;
  }
  RoundJob hears(std::uint64_t number, std::uint16_t first, std::uint16_t count) const {
    RoundJob round = job(number, first, count);
    round.send.clear();
    return round;
  }
  template <typename Condition>
  bool wait(Condition condition) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, test::kDeadline, [&] { return condition(); });
  }

  std::vector<std::pair<std::uint32_t, std::int64_t>> sent;
  std::vector<Capture> captures;
  std::vector<std::optional<std::int64_t>> arrived;
  std::uint64_t done = 0;
  std::optional<Error> lost;
  HeldLine* line = nullptr;
  bool held_by_captures = false;  // the line is held as soon as one is there

 private:
  const End end_;
  std::mutex mutex_;
  std::condition_variable changed_;

 public:
  std::unique_ptr<AudioLoop> loop;
};

struct Heard {
  std::vector<std::vector<float>> at_a, at_b;
  std::vector<std::pair<std::uint32_t, std::int64_t>> sent_a;
  bool operator==(const Heard&) const = default;
};

// Two rounds; `b_first` selects the end that starts first.
Heard play(bool b_first) {
  LineConditions conditions;
  conditions.ber = 1e-4;
  const RunningSimulator simulator(symmetric_line(conditions, 50, -50, 3));
  LoopEnd a(simulator, End::a), b(simulator, End::b);
  for (std::uint64_t round = 1; round <= 2; ++round) {
    const auto first = static_cast<std::uint16_t>(10 * round);
    if (b_first) b.loop->start(b.job(round, first, 2));
    a.loop->start(a.job(round, first, 3));
    if (!b_first) b.loop->start(b.job(round, first, 2));
    // The third transmission of a is not expected by b, the third expectation of a never arrives and times out.
    EXPECT_TRUE(a.wait([&] { return a.done == round; }));
    EXPECT_TRUE(b.wait([&] { return b.done == round; }));
  }
  Heard heard;
  for (const Capture& one : a.captures) heard.at_a.push_back(one.recording.samples);
  for (const Capture& one : b.captures) heard.at_b.push_back(one.recording.samples);
  heard.sent_a = a.sent;
  return heard;
}

TEST(AudioLoop, CapturesDoNotDependOnWhichEndStartsFirst) {
  const Heard first = play(false);
  EXPECT_EQ(first.at_a.size(), 6U);
  EXPECT_EQ(first.at_b.size(), 4U);
  for (int n = 0; n < 3; ++n) {
    EXPECT_TRUE(play(true) == first);
    EXPECT_TRUE(play(false) == first);
  }
}

TEST(AudioLoop, TransmissionsOfTheOtherEndAreCapturedWithTheirLineTime) {
  LineConditions conditions;
  conditions.delay_s = 0.4;
  const RunningSimulator simulator(symmetric_line(conditions, 0, 0, 3));
  LoopEnd a(simulator, End::a), b(simulator, End::b);
  a.loop->start(a.job(1, 1, 2));
  b.loop->start(b.job(1, 1, 2));
  ASSERT_TRUE(a.wait([&] { return a.done == 1; }));
  ASSERT_TRUE(b.wait([&] { return b.done == 1; }));
  ASSERT_EQ(b.captures.size(), 2U);
  for (std::size_t n = 0; n < 2; ++n) {
    EXPECT_EQ(b.captures[n].marks, MarksFound::both);
    EXPECT_TRUE(b.captures[n].data_confirmed);
    ASSERT_TRUE(b.arrived[n]);
    // The line moves each transmission by at most half a sample, 62.5 us.
    EXPECT_NEAR(static_cast<double>(*b.arrived[n] - a.sent[n].second) * 1e-6, 400, 0.1);
  }
  EXPECT_EQ(a.sent[0].second, 200'000'000) << "the gap, then the first transmission";
}

TEST(AudioLoop, AnAbandonedRoundCausesNoEventsAndTheNextOneWorks) {
  const RunningSimulator simulator;
  LoopEnd a(simulator, End::a), b(simulator, End::b);
  a.loop->start(a.job(1, 1, 3));  // b is never started: a's first block waits
  a.loop->abandon();
  b.loop->start(b.job(2, 1, 1));
  a.loop->start(a.job(2, 1, 1));
  ASSERT_TRUE(a.wait([&] { return a.done == 2; }));
  ASSERT_TRUE(b.wait([&] { return b.done == 2; }));
  EXPECT_EQ(a.sent.size(), 1U);
  EXPECT_EQ(b.captures.size(), 1U);
  EXPECT_FALSE(a.lost || b.lost);
}

TEST(AudioLoop, ACancelledRoundEndsAfterTheCurrentTransmission) {
  const RunningSimulator simulator;
  LoopEnd a(simulator, End::a), b(simulator, End::b);
  a.loop->start(a.job(1, 1, 30));
  b.loop->start(b.job(1, 1, 30));
  ASSERT_TRUE(b.wait([&] { return !b.captures.empty(); }));
  const std::uint32_t last_a = a.loop->finish_sending(), last_b = b.loop->finish_sending();
  a.loop->listen_until(last_b);
  b.loop->listen_until(last_a);
  ASSERT_TRUE(a.wait([&] { return a.done == 1; }));
  ASSERT_TRUE(b.wait([&] { return b.done == 1; }));
  EXPECT_EQ(a.sent.size(), last_a);
  EXPECT_LT(last_a, 30U);
  ASSERT_EQ(b.captures.size(), last_a);
  EXPECT_EQ(b.captures.back().marks, MarksFound::both) << "the current transmission is sent and captured completely";
}

// Transmissions of a in its turn, then of b in its own, with the next turn of a announced ahead.
void take_turns(LoopEnd& a, LoopEnd& b) {
  std::vector<RoundJob> of_a{a.sends(1, 1, 2), a.hears(2, 1, 3), a.sends(3, 3, 1)};
  std::vector<RoundJob> of_b{b.hears(1, 1, 2), b.sends(2, 1, 3), b.hears(3, 3, 1)};
  for (std::vector<RoundJob>* const jobs : {&of_a, &of_b}) {
    for (std::size_t n = 1; n < jobs->size(); ++n) (*jobs)[n].append = (*jobs)[n].in_turn = true;
  }
  a.start(std::move(of_a));
  b.start(std::move(of_b));
}

TEST(AudioLoop, ATurnAnnouncedAheadBeginsWhenThePreviousOneWasReceived) {
  constexpr double kDelay_s = 0.3;
  LineConditions conditions;
  conditions.delay_s = kDelay_s;
  const RunningSimulator simulator(symmetric_line(conditions, 0, 0, 3));
  LoopEnd a(simulator, End::a), b(simulator, End::b);
  take_turns(a, b);
  ASSERT_TRUE(a.wait([&] { return a.done == 3; }));
  ASSERT_TRUE(b.wait([&] { return b.done == 3; }));
  ASSERT_EQ(a.sent.size(), 3U);
  ASSERT_EQ(b.sent.size(), 3U);
  ASSERT_EQ(a.captures.size(), 3U);
  ASSERT_EQ(b.captures.size(), 3U);
  for (const LoopEnd* const end : {&a, &b}) {
    for (const Capture& one : end->captures) EXPECT_EQ(one.marks, MarksFound::both);
  }
  const double whole_s = static_cast<double>(transmission_layout(speech_like().size(), {}).total) / kLineRateHz;
  const auto idle_s = [whole_s](std::int64_t left_ns, std::int64_t next_ns) {
    return static_cast<double>(next_ns - left_ns) * 1e-9 - whole_s;
  };
  EXPECT_NEAR(idle_s(a.sent[0].second, a.sent[1].second), 0.2, 1e-6) << "within a turn the gap alone";
  // The line's delay, the part of a capture after its last mark (0.5 s from that mark's beginning), and the gap.
  const double turn_s = kDelay_s + 0.5 - static_cast<double>(trailing_mark_length()) / kLineRateHz + 0.2;
  EXPECT_NEAR(idle_s(a.sent[1].second, b.sent[0].second), turn_s, 0.05);
  EXPECT_NEAR(idle_s(b.sent[2].second, a.sent[2].second), turn_s, 0.05);
}

TEST(AudioLoop, AnEmptyTurnDelaysNoLaterTurn) {
  const RunningSimulator simulator;
  LoopEnd a(simulator, End::a), b(simulator, End::b);
  RoundJob nothing, at_once = b.sends(3, 1, 1);
  nothing.number = 2;
  nothing.append = nothing.in_turn = at_once.append = true;
  RoundJob hears = a.hears(2, 1, 1);
  hears.append = true;
  a.start({a.sends(1, 1, 4), std::move(hears)});
  b.start({b.hears(1, 1, 4), std::move(nothing), std::move(at_once)});
  ASSERT_TRUE(a.wait([&] { return a.done == 2; }));
  ASSERT_TRUE(b.wait([&] { return b.done == 3; }));
  ASSERT_EQ(a.sent.size(), 4U);
  ASSERT_EQ(b.sent.size(), 1U);
  EXPECT_LT(b.sent[0].second, a.sent[1].second) << "while a still speaks";
}

TEST(AudioLoop, AWaitingTurnIsCancelledWithTheCurrentOne) {
  const RunningSimulator simulator;
  LoopEnd a(simulator, End::a), b(simulator, End::b);
  b.held_by_captures = true;
  take_turns(a, b);
  ASSERT_TRUE(b.wait([&] { return !b.captures.empty(); }));
  const std::uint32_t last_a = a.loop->finish_sending(), last_b = b.loop->finish_sending();
  EXPECT_EQ(last_b, 0U) << "its turn has not come";
  a.loop->listen_until(last_b);
  b.loop->listen_until(last_a);
  b.release();
  ASSERT_TRUE(a.wait([&] { return a.done == 3; }));
  ASSERT_TRUE(b.wait([&] { return b.done == 3; }));
  EXPECT_LE(a.sent.size(), 2U);
  EXPECT_TRUE(b.sent.empty());
}

TEST(AudioLoop, ADeadEndIsReportedToTheOther) {
  const RunningSimulator simulator;
  LoopEnd a(simulator, End::a);
  {
    LoopEnd b(simulator, End::b);
    a.loop->start(a.job(1, 1, 30));
    b.loop->start(b.job(1, 1, 30));
    ASSERT_TRUE(b.wait([&] { return !b.captures.empty(); }));
  }
  ASSERT_TRUE(a.wait([&] { return a.lost.has_value(); }));
  EXPECT_EQ(a.lost->code, ErrorCode::line_lost);
}

TEST(AudioLoop, AnEndThatMissedARoundGetsAnError) {
  const RunningSimulator simulator;
  LoopEnd a(simulator, End::a), b(simulator, End::b);
  a.loop->start(a.job(1, 1, 1));
  b.loop->start(b.job(2, 1, 1));
  ASSERT_TRUE(a.wait([&] { return a.lost.has_value(); }));
}

}  // namespace
}  // namespace vqas
