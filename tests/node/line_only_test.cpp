// Two ends connected only by the line: no control socket, no file, no clock.
#include "vqas/node/line_only.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <future>

#include "node/line_only/status_marks.h"
#include "node/line_only/unannounced_receiver.h"
#include "node/line_only_ends.h"
#include "node/node_harness.h"
#include "receive/measure_capture.h"
#include "sync/symbol_shaping.h"

namespace vqas {
namespace {

using LineOnly = test::LineOnlyTest;
using test::RunningSimulator;

TEST(LineSigns, EveryRoundHoldsEachStimulusOnceInAnotherOrder) {
  constexpr std::size_t kCount = 12;
  std::set<std::vector<std::size_t>> orders;
  for (std::uint32_t round = 0; round < 20; ++round) {
    std::vector<std::size_t> order;
    for (std::uint32_t n = 1; n <= kCount; ++n) order.push_back(stimulus_of(77, round * kCount + n, kCount));
    orders.insert(order);
    std::sort(order.begin(), order.end());
    for (std::size_t n = 0; n < kCount; ++n) EXPECT_EQ(order[n], n);
  }
  EXPECT_GT(orders.size(), 18U);
}

TEST(LineSigns, AreReadBackAndNotTakenFromAnotherCorpusOrAStimulus) {
  for (unsigned flags = 0; flags < 16; ++flags) {
    Sign sign{(flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0, (flags & 8) != 0};
    if (flags == 4) sign = {.broken_off = true};
    MarkData data = sign_mark(sign, End::b, 5, 9, 0xBEEF);
    EXPECT_EQ(sign_of(data, 0xBEEF), sign);
    EXPECT_FALSE(sign_of(data, 0xBE0F));
    data.stimulus = 3;
    EXPECT_FALSE(sign_of(data, 0xBEEF));
  }
}

TEST_F(LineOnly, TheListenersAnswersEndTheSending) {
  SendPlan send;
  send.run_id = 4711;
  const Both both = run(test::varied_line(1e-4, 3), send, listen_plan(2));
  ASSERT_TRUE(both.sent) << both.sent.error().message;
  EXPECT_TRUE(both.sent->finished);
  EXPECT_EQ(both.sent->sent, 24U) << "exactly two of each";
  EXPECT_EQ(both.sent->answered, 24U);
  EXPECT_EQ(both.sent->scored, 24U);
  EXPECT_EQ(both.sent->not_wanted, 12U);
  ASSERT_TRUE(both.heard) << both.heard.error().message;
  EXPECT_EQ(both.heard->end, ListenEnd::sender_finished);
  EXPECT_EQ(both.heard->reached + both.heard->abandoned, 12U);
  EXPECT_GE(both.heard->abandoned, 1U) << "two scores seldom reach the goal; at the cap no goal is reached";
  EXPECT_EQ(scored(*both.heard), 24U);
  EXPECT_EQ(kept_.size(), 24U);
  for (const StimulusRun& one : both.heard->results.directions[0].stimuli) {
    ASSERT_EQ(one.measurements.size(), 2U) << one.stimulus;
    EXPECT_GT(one.interval.mean, 2) << one.stimulus;
    for (const Measurement& m : one.measurements) EXPECT_EQ(m.marks_found, MarksFound::both);
  }
}

TEST_F(LineOnly, At16KhzTheScoresAreOnTheWidebandScaleAndAnswersAreRead) {
  SimulatedLine line = test::varied_line(0, 3);
  line.codec = LineCodec::g722;
  line.a_to_b.band_limit = line.b_to_a.band_limit = false;
  SendPlan send;
  send.run_id = 4711;
  const Both both = run(line, send, listen_plan(2));
  ASSERT_TRUE(both.sent) << both.sent.error().message;
  EXPECT_EQ(both.sent->answered, 24U);
  EXPECT_EQ(both.sent->scored, 24U);
  ASSERT_TRUE(both.heard) << both.heard.error().message;
  EXPECT_EQ(both.heard->results.mode, ScoreMode::wideband);
  EXPECT_EQ(both.heard->results.codec, LineCodec::g722);
  for (const StimulusRun& one : both.heard->results.directions[0].stimuli) {
    ASSERT_EQ(one.measurements.size(), 2U) << one.stimulus;
    const Measurement& m = one.measurements[0];
    EXPECT_EQ(m.mode, ScoreMode::wideband);
    EXPECT_GT(m.mos_lqo.value_or(0), 3.2) << one.stimulus << ": G.722 at 64 kbit/s; " << m.reason;
    EXPECT_EQ(m.note, "") << "the upper band arrived";
  }
}

TEST_F(LineOnly, BehindAGatewayAListenerAt16KhzSaysThatThePathIsNarrowband) {
  SimulatedLine line = test::varied_line(0, 3);
  line.codec = LineCodec::gateway;
  SendPlan send;
  send.run_id = 4712;
  send.rounds = 2;
  ListenPlan listen = listen_plan(2);
  listen.narrowband_too = true;
  const Both both = run(line, send, listen);
  ASSERT_TRUE(both.heard) << both.heard.error().message;
  EXPECT_EQ(scored(*both.heard), 24U);
  for (const StimulusRun& one : both.heard->results.directions[0].stimuli) {
    const Measurement& m = one.measurements.at(0);
    EXPECT_THAT(m.note, ::testing::HasSubstr("the path is narrowband")) << one.stimulus;
    EXPECT_LT(m.mos_lqo.value_or(5), m.narrowband_mos_lqo.value_or(0)) << one.stimulus << ": both were asked for";
  }
}

TEST_F(LineOnly, AListenerOnALineOf8KhzRefusesBothScales) {
  const test::RunningSimulator simulator(test::varied_line(0, 3));
  const auto line = simulator.open(End::b);
  ListenPlan listen = listen_plan(2);
  listen.narrowband_too = true;
  const Status possible = check_listening(*line, *corpus_, listen);
  ASSERT_FALSE(possible);
  EXPECT_THAT(possible.error().message, ::testing::HasSubstr("needs a line at 16 kHz"));
}

TEST_F(LineOnly, WithoutAWayBackTheListenerReportsHowManyRoundsAreMissing) {
  SimulatedLine line = test::varied_line(0, 4);
  line.b_to_a.ber = 0.5;
  SendPlan send;
  send.run_id = 12;
  send.rounds = 2;
  ListenPlan listen = listen_plan(5);
  listen.answers = false;
  const Both both = run(line, send, listen);
  ASSERT_TRUE(both.sent) << both.sent.error().message;
  EXPECT_EQ(both.sent->sent, 24U);
  EXPECT_EQ(both.sent->answered, 0U);
  EXPECT_TRUE(both.sent->finished);
  ASSERT_TRUE(both.heard) << both.heard.error().message;
  EXPECT_EQ(both.heard->end, ListenEnd::sender_finished);
  EXPECT_EQ(scored(*both.heard), 24U);
  EXPECT_EQ(both.heard->reached, 0U);
  EXPECT_EQ(both.heard->rounds_needed, 3U);
  for (const StimulusRun& one : both.heard->results.directions[0].stimuli)
    EXPECT_EQ(one.stopped_because, StopReason::sender_finished) << "not stopped by a user";
}

TEST_F(LineOnly, ASenderWithoutAnswersEndsWithAdvice) {
  SimulatedLine line = test::varied_line(0, 4);
  line.b_to_a.ber = 0.5;
  SendPlan send;
  send.answer_within_s = 3;
  std::vector<std::string> noticed;
  send.noticed = [&noticed](const std::string& what) { noticed.push_back(what); };
  const Both both = run(line, send, listen_plan(2));
  ASSERT_FALSE(both.sent);
  EXPECT_EQ(both.sent.error().code, ErrorCode::line_lost);
  EXPECT_THAT(both.sent.error().message, ::testing::HasSubstr("--rounds"));
  ASSERT_EQ(noticed.size(), 1U) << "reported soon, and once";
  EXPECT_THAT(noticed[0], ::testing::AllOf(::testing::HasSubstr("first"), ::testing::HasSubstr("--silent")));
  ASSERT_TRUE(both.heard);
  EXPECT_EQ(scored(*both.heard), kUnanswered) << "received transmissions are kept";
}

TEST_F(LineOnly, AListenerContinuesAnEarlierOnesMeasurements) {
  SendPlan send;
  send.run_id = 12;
  send.rounds = 1;
  ListenPlan listen = listen_plan(2);
  const Both first = run(test::varied_line(0, 4), send, listen);
  ASSERT_TRUE(first.heard);
  listen.earlier = first.heard->results;
  send.run_id = 13;
  const Both second = run(test::varied_line(0, 5), send, listen);
  ASSERT_TRUE(second.heard);
  EXPECT_EQ(second.heard->reached + second.heard->abandoned, 12U);
  std::set<std::uint32_t> numbers;
  for (const StimulusRun& one : second.heard->results.directions[0].stimuli) {
    for (const Measurement& m : one.measurements) EXPECT_TRUE(numbers.insert(m.sequence).second);
  }
  EXPECT_EQ(numbers.size(), 24U);
}

/// A line whose sender is silent from a given sample on, counted from the first sample sent.
class CutLine : public Line {
 public:
  CutLine(std::unique_ptr<Line> line, std::size_t from) : line_(std::move(line)), left_(from) {}
  LineDescription description() const override { return line_->description(); }
  Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round round) override {
    std::vector<float> block(sent.begin(), sent.end());
    for (float& sample : block) {
      begun_ = begun_ || sample != 0;
      if (!begun_) continue;
      if (left_ == 0) sample = 0;
      if (left_ > 0) --left_;
    }
    return line_->exchange(block, heard, round);
  }
  Status stand() override { return line_->stand(); }
  void interrupt() override { line_->interrupt(); }

 private:
  std::unique_ptr<Line> line_;
  std::size_t left_;
  bool begun_ = false;
};

TEST_F(LineOnly, ATransmissionBrokenOffByItsSenderIsNeverScored) {
  SendPlan send;
  send.run_id = 4711;
  send.rounds = 1;
  ListenPlan listen = listen_plan(2);
  listen.answers = false;
  listen.silence_s = 20;
  const std::size_t stimulus = stimulus_of(send.run_id, 1, corpus_->stimuli().size());
  const auto speech = corpus_->recording(corpus_->stimuli()[stimulus].id);
  ASSERT_TRUE(speech);
  std::size_t length = speech->size();
  while (std::fabs(speech->samples[length - 1]) < 0.01F) --length;  // its last sounds
  const auto layout = transmission_layout(speech->size(), {});
  const auto outcome = [&](double missing_s) {
    const RunningSimulator simulator(test::varied_line(1e-4, 3));
    CutLine line_a(simulator.open(End::a), layout.speech_start + length - static_cast<std::size_t>(missing_s * 8000));
    auto line_b = simulator.open(End::b);
    auto heard = std::async(std::launch::async, [&] {
      auto results = listen_on_line(*line_b, *corpus_, listen, cancelled_);
      line_b.reset();
      return results;
    });
    (void)send_over_line(line_a, *corpus_, send, cancelled_);
    const auto results = heard.get();
    EXPECT_TRUE(results);
    if (!results) return Outcome::cancelled;
    const StimulusRun& run = results->results.directions.at(0).stimuli[stimulus];
    EXPECT_EQ(run.measurements.size(), 1U);
    return run.measurements.empty() ? Outcome::cancelled : run.measurements[0].outcome;
  };
  for (const double missing_s : {0.2, 0.3, 0.568, 0.9, 2.0})
    EXPECT_NE(outcome(missing_s), Outcome::scored) << missing_s;
  EXPECT_EQ(outcome(-0.1), Outcome::scored) << "only the trailing mark is missing";
}

// Records when its end wants input.
class HearingLine : public Line {
 public:
  explicit HearingLine(std::unique_ptr<Line> line) : line_(std::move(line)) {}
  LineDescription description() const override { return line_->description(); }
  Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round round) override {
    auto time = line_->exchange(sent, heard, round);
    const auto loud = [](std::span<const float> block) {
      return std::ranges::any_of(block, [](float sample) { return std::fabs(sample) > 0.02F; });
    };
    if (!time || time->standing) return time;
    (round.hears ? speaks_hearing : speaks_deaf) += loud(sent) ? 1 : 0;
    (round.hears ? heard_hearing : heard_deaf) += loud(heard) ? 1 : 0;
    return time;
  }
  Status stand() override { return line_->stand(); }
  void interrupt() override { line_->interrupt(); }
  void leave() { line_.reset(); }

  int speaks_hearing = 0, speaks_deaf = 0, heard_hearing = 0, heard_deaf = 0;  // blocks

 private:
  std::unique_ptr<Line> line_;
};

TEST_F(LineOnly, InputWhileTheOtherEndWaitsIsNotWanted) {
  for (const bool waits : {true, false}) {
    SendPlan send;
    send.run_id = 4711;
    if (!waits) send.rounds = 2;
    const ListenPlan listen = listen_plan(2);
    const RunningSimulator simulator(test::varied_line(0, 3));
    HearingLine line_a(simulator.open(End::a)), line_b(simulator.open(End::b));
    auto heard = std::async(std::launch::async, [&] {
      auto results = listen_on_line(line_b, *corpus_, listen, cancelled_);
      line_b.leave();
      return results;
    });
    const auto sent = send_over_line(line_a, *corpus_, send, cancelled_);
    line_a.leave();
    EXPECT_TRUE(sent) << sent.error().message;
    ASSERT_TRUE(heard.get());
    EXPECT_EQ(line_a.speaks_hearing, 0);
    EXPECT_GT(line_a.speaks_deaf, 1000);
    EXPECT_GT(line_b.heard_hearing, 1000);
    // The leading mark of the first one, and a part of the second where the sender does not wait for the answer.
    constexpr int kMark = 60;
    EXPECT_LE(line_b.heard_deaf, waits ? kMark : 2 * kMark) << waits;
    if (!waits) continue;
    EXPECT_EQ(line_b.speaks_hearing, 0);
    EXPECT_GT(line_b.speaks_deaf, 500) << "24 answers";
    EXPECT_GT(line_a.heard_hearing, 500);
    EXPECT_EQ(line_a.heard_deaf, 0);
  }
}

TEST_F(LineOnly, ADiskErrorEndsTheListeningWithThatError) {
  SendPlan send;
  send.rounds = 1;
  ListenPlan listen = listen_plan(2);
  listen.measured = [](const RunResults&, std::size_t) { return Status(Error{ErrorCode::io, "the disk is full"}); };
  const Both both = run(test::varied_line(0, 4), send, listen);
  ASSERT_FALSE(both.heard);
  EXPECT_EQ(both.heard.error().code, ErrorCode::io);
}

TEST_F(LineOnly, AnotherGuardIntervalAtTheSenderIsDetectedAndCostsNoScore) {
  for (const auto& [senders, listeners] :
       {std::pair{0.15, 0.05}, {0.05, 0.15}, {0.6, 0.05}, {0.05, 1.0}, {0.05, 0.051}, {0.053, 0.05}}) {
    SendPlan send;
    send.run_id = 4711;
    send.guard_s = senders;
    send.rounds = 1;
    ListenPlan listen = listen_plan(2);
    listen.guard_s = listeners;
    listen.answers = false;
    std::vector<std::string> noticed;
    listen.noticed = [&noticed](const std::string& what) { noticed.push_back(what); };
    const Both both = run(test::varied_line(0, 3), send, listen);
    ASSERT_TRUE(both.heard) << both.heard.error().message;
    EXPECT_EQ(scored(*both.heard), 12U) << senders << ' ' << listeners;
    std::vector<double> drifts;
    for (const StimulusRun& one : both.heard->results.directions[0].stimuli) {
      for (const Measurement& m : one.measurements) {
        EXPECT_GT(m.mos_lqo.value_or(0), 3.5) << one.stimulus;
        if (m.clock_drift_ppm) drifts.push_back(*m.clock_drift_ppm);
        EXPECT_EQ(m.note.find("the delay changed") != std::string::npos,
                  m.note.find("or the sender's guard") != std::string::npos)
            << m.note;
      }
    }
    ASSERT_GE(drifts.size(), 10U);
    const auto [least, most] = std::ranges::minmax(drifts);
    EXPECT_LT(most - least, 40) << "one clock, whatever the guard";
    ASSERT_EQ(noticed.size(), 1U) << senders << ' ' << listeners;
    EXPECT_THAT(noticed[0], ::testing::HasSubstr("a guard of " + fmt::format("{:g}", senders) + " s"));
    EXPECT_THAT(noticed[0], ::testing::HasSubstr("--guard-s " + fmt::format("{:g}", senders)));
    EXPECT_NEAR(both.heard->results.guard_s, senders, 1e-9);
  }
}

TEST_F(LineOnly, TheSameGuardIntervalAtBothEndsIsNotReported) {
  SendPlan send;
  send.guard_s = 0.15;
  send.rounds = 1;
  ListenPlan listen = listen_plan(2);
  listen.guard_s = 0.15;
  listen.noticed = [](const std::string& what) { ADD_FAILURE() << what; };
  const Both both = run(test::varied_line(1e-3, 3), send, listen);
  ASSERT_TRUE(both.heard) << both.heard.error().message;
  EXPECT_EQ(both.heard->results.guard_s, 0.15);
}

class Unannounced : public LineOnly {
 protected:
  static constexpr std::uint16_t kDigest = 0xBEEF;
  static constexpr std::uint32_t kRun = 31;

  void SetUp() override {
    LineOnly::SetUp();
    for (const Stimulus& one : corpus_->stimuli()) references_.push_back(corpus_->recording(one.id).value());
  }
  // Numbers first..last, with pause_ between them; of `bare` only the speech arrives.
  std::vector<float> stream(std::uint32_t first, std::uint32_t last, std::uint32_t bare) {
    leading_.clear();
    trailing_.clear();
    std::vector<float> samples(4000, 0.0F);
    for (std::uint32_t n = first; n <= last; ++n) {
      const std::size_t stimulus = stimulus_of(kRun, n, references_.size());
      const MarkData data{End::a, kRun, static_cast<std::uint8_t>(stimulus), static_cast<std::uint16_t>(n), kDigest};
      Transmission t = compose_transmission(references_[stimulus], data, {});
      const auto begin = t.signal.samples.begin();
      if (n == bare) {
        std::fill(begin, begin + static_cast<std::ptrdiff_t>(t.layout.speech_start), 0.0F);
        std::fill(begin + static_cast<std::ptrdiff_t>(t.layout.trailing_start), t.signal.samples.end(), 0.0F);
      }
      const auto at = static_cast<std::ptrdiff_t>(samples.size());
      leading_.push_back(at);
      trailing_.emplace_back(at + static_cast<std::ptrdiff_t>(t.layout.trailing_start),
                             at + static_cast<std::ptrdiff_t>(t.signal.size()));
      samples.insert(samples.end(), t.signal.samples.begin(), t.signal.samples.end());
      samples.resize(samples.size() + pause_, 0.0F);
    }
    samples.resize(samples.size() + 24000, 0.0F);
    return samples;
  }
  // The mark is still found by its middle.
  void spoil_data(std::vector<float>& samples, std::size_t nth) const {
    const auto mark = samples.begin() + leading_[nth];
    std::fill(mark, mark + sync::kHopStart, 0.0F);
    std::fill(mark + sync::kHopStart + sync::kHopLength, mark + sync::kLeadingLength, 0.0F);
  }
  std::vector<UnannouncedReceiver::Heard> hear(const std::vector<float>& samples, const std::vector<bool>& wanted,
                                               bool to_the_end = false) {
    std::vector<std::size_t> lengths;
    for (const Signal& one : references_) lengths.push_back(one.size());
    UnannouncedReceiver receiver(End::a, {}, kDigest, lengths);
    std::vector<UnannouncedReceiver::Heard> heard;
    for (std::size_t at = 0; at < samples.size(); at += 160) {
      const auto block = std::span(samples).subspan(at, std::min<std::size_t>(160, samples.size() - at));
      for (auto& one : receiver.push(block, wanted)) heard.push_back(std::move(one));
    }
    if (to_the_end) {
      for (auto& one : receiver.finish()) heard.push_back(std::move(one));
    }
    undecodable_ = receiver.undecodable();
    undecodable_recordings_ = receiver.undecodable_recordings();
    return heard;
  }

  std::vector<Signal> references_;
  std::size_t pause_ = 4000;
  // Positions of the marks in the last stream.
  std::vector<std::ptrdiff_t> leading_;
  std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>> trailing_;
  std::size_t undecodable_ = 0;
  std::deque<Signal> undecodable_recordings_;
};

TEST_F(Unannounced, ATransmissionWithoutMarksIsFoundByItsSpeech) {
  const auto heard = hear(stream(1, 3, 2), std::vector<bool>(12, true));
  ASSERT_EQ(heard.size(), 3U);
  Scorer scorer;
  for (std::uint32_t n = 1; n <= 3; ++n) {
    const auto& one = heard[n - 1];
    EXPECT_EQ(one.number, n);
    EXPECT_EQ(one.announced, n != 2);
    ASSERT_EQ(one.stimulus, stimulus_of(kRun, n, 12));
    EXPECT_EQ(one.capture.marks, n == 2 ? MarksFound::none : MarksFound::both);
    const Measurement m = measure_capture(one.capture, references_[one.stimulus], scorer);
    EXPECT_EQ(m.outcome, Outcome::scored) << n << ": " << m.reason;
  }
}

TEST_F(Unannounced, ALostTrailingMarkCostsNoTransmissionButItsOwnMark) {
  for (const bool every : {false, true}) {
    for (const std::size_t pause : {std::size_t{1600}, std::size_t{4000}}) {
      pause_ = pause;
      std::vector<float> samples = stream(1, 6, 0);
      for (const auto& [first, end] : trailing_) {
        if (every || first == trailing_[1].first) std::fill(samples.begin() + first, samples.begin() + end, 0.0F);
      }
      const auto heard = hear(samples, std::vector<bool>(12, true));
      ASSERT_EQ(heard.size(), 6U);
      Scorer scorer;
      for (std::uint32_t n = 1; n <= 6; ++n) {
        const auto& one = heard[n - 1];
        EXPECT_EQ(one.number, n);
        EXPECT_EQ(one.capture.marks, every || n == 2 ? MarksFound::leading_only : MarksFound::both) << n;
        const Measurement m = measure_capture(one.capture, references_[one.stimulus], scorer);
        EXPECT_GT(m.mos_lqo.value_or(0), 4.3) << n << ": " << m.reason;
      }
    }
  }
}

TEST_F(Unannounced, ATransmissionWithoutMarksAfterALostTrailingMarkIsFound) {
  pause_ = 1600;
  std::vector<float> samples = stream(1, 4, 3);
  std::fill(samples.begin() + trailing_[1].first, samples.begin() + trailing_[1].second, 0.0F);
  const auto heard = hear(samples, std::vector<bool>(12, true));
  ASSERT_EQ(heard.size(), 4U);
  Scorer scorer;
  for (const auto& one : heard) {
    const Measurement m = measure_capture(one.capture, references_[one.stimulus], scorer);
    EXPECT_EQ(m.outcome, Outcome::scored) << one.number << ": " << m.reason;
  }
}

TEST_F(Unannounced, TheLastUndecodableTransmissionsGetTheNextNumbers) {
  std::vector<float> samples = stream(1, 4, 0);
  for (const std::size_t n : {2, 3}) spoil_data(samples, n);
  const auto heard = hear(samples, std::vector<bool>(12, true), true);
  ASSERT_EQ(heard.size(), 4U);
  Scorer scorer;
  for (std::uint32_t n = 1; n <= 4; ++n) {
    EXPECT_EQ(heard[n - 1].number, n);
    const Measurement m = measure_capture(heard[n - 1].capture, references_[heard[n - 1].stimulus], scorer);
    EXPECT_GT(m.mos_lqo.value_or(0), 4.3) << n << ": " << m.reason;
  }
  EXPECT_EQ(undecodable_, 0U);
}

TEST_F(Unannounced, UndecodableTransmissionsAreCounted) {
  std::vector<float> samples = stream(1, 3, 0);
  for (const std::size_t n : {0, 1, 2}) spoil_data(samples, n);
  EXPECT_TRUE(hear(samples, std::vector<bool>(12, true), true).empty());
  EXPECT_EQ(undecodable_, 3U);
}

TEST_F(Unannounced, UndecodableRecordingsAreKeptUntilAMarkIsDecoded) {
  std::vector<float> samples = stream(1, 3, 0);
  for (const std::size_t n : {0, 1, 2}) spoil_data(samples, n);
  hear(samples, std::vector<bool>(12, true), true);
  ASSERT_EQ(undecodable_recordings_.size(), 3U);
  Scorer scorer;
  for (std::uint32_t n = 1; n <= 3; ++n) {
    const Score score = scorer.score(references_[stimulus_of(kRun, n, 12)], undecodable_recordings_[n - 1]);
    EXPECT_GT(score.mos_lqo.value_or(0), 4.3) << n << ": " << score.reason;
  }
  samples = stream(1, 3, 0);
  spoil_data(samples, 1);
  EXPECT_EQ(hear(samples, std::vector<bool>(12, true), true).size(), 3U);
  EXPECT_TRUE(undecodable_recordings_.empty()) << "its number is known by those around it";
}

TEST_F(Unannounced, SkippedTransmissionsAreNotSearchedFor) {
  std::vector<bool> wanted(12, true);
  wanted[stimulus_of(kRun, 2, 12)] = false;
  const auto heard = hear(stream(1, 3, 2), wanted);
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_EQ(heard[1].number, 3U);
}

TEST_F(Unannounced, ARestartedSenderIsNotTakenForAnOlderOne) {
  std::vector<float> samples = stream(1, 2, 0);
  const std::vector<float> again = stream(1, 1, 0);
  samples.insert(samples.end(), again.begin(), again.end());
  const auto heard = hear(samples, std::vector<bool>(12, true));
  ASSERT_EQ(heard.size(), 3U);
  EXPECT_FALSE(heard[0].restarted);
  EXPECT_FALSE(heard[1].restarted);
  EXPECT_TRUE(heard[2].restarted);
  EXPECT_EQ(heard[2].number, 1U);
}

TEST_F(Unannounced, AStepOfTheDelayBetweenMarkAndSpeechCostsNothing) {
  for (const int step : {800, 1600, -300}) {
    std::vector<float> samples = stream(1, 1, 0);
    const auto guard = samples.begin() + 4000 + static_cast<std::ptrdiff_t>(leading_mark_length()) + 50;
    if (step > 0) {
      samples.insert(guard, static_cast<std::size_t>(step), 0.0F);
    } else {
      samples.erase(guard, guard - step);
    }
    const auto heard = hear(samples, std::vector<bool>(12, true));
    ASSERT_EQ(heard.size(), 1U);
    EXPECT_EQ(heard[0].capture.marks, MarksFound::both);
    Scorer scorer;
    const Measurement m = measure_capture(heard[0].capture, references_[heard[0].stimulus], scorer);
    EXPECT_GT(m.mos_lqo.value_or(0), 4.3) << step;
    EXPECT_NEAR(m.delay_step_ms.value_or(0), step / 8.0, 0.1);
  }
}

TEST_F(Unannounced, TheEchoOfAMarkIsNotARestartedSender) {
  const std::vector<float> sent = stream(1, 3, 0);
  for (const double delay_s : {0.3, 0.7, 1.2, 2.5}) {
    for (const double loss_db : {-20.0, -50.0}) {
      std::vector<float> samples = sent;
      const auto delay = static_cast<std::size_t>(delay_s * kLineRateHz);
      const auto gain = static_cast<float>(std::pow(10, loss_db / 20));
      for (std::size_t n = delay; n < samples.size(); ++n) samples[n] += gain * sent[n - delay];
      const auto heard = hear(samples, std::vector<bool>(12, true));
      ASSERT_EQ(heard.size(), 3U) << delay_s << ' ' << loss_db;
      for (std::uint32_t n = 1; n <= 3; ++n) {
        EXPECT_EQ(heard[n - 1].number, n);
        EXPECT_FALSE(heard[n - 1].restarted);
        EXPECT_EQ(heard[n - 1].capture.marks, MarksFound::both) << delay_s << ' ' << loss_db;
        EXPECT_FALSE(heard[n - 1].capture.delay_step);
      }
    }
  }
}

TEST_F(Unannounced, ARepeatedNumberAfterAFarewellOrALongTimeIsARestartedSender) {
  std::vector<float> farewell = make_leading_mark(sign_mark({.farewell = true}, End::a, kRun, 1, kDigest));
  for (const bool said : {true, false}) {
    std::vector<float> samples = stream(1, 1, 0);
    if (said) {
      samples.insert(samples.end(), farewell.begin(), farewell.end());
    } else {
      samples.resize(samples.size() + static_cast<std::size_t>(10 * kLineRateHz), 0.0F);
    }
    const std::vector<float> again = stream(1, 1, 0);
    samples.insert(samples.end(), again.begin(), again.end());
    const auto heard = hear(samples, std::vector<bool>(12, true));
    ASSERT_EQ(heard.size(), 2U) << said;
    EXPECT_FALSE(heard[0].restarted);
    EXPECT_TRUE(heard[1].restarted);
    EXPECT_EQ(heard[1].number, 1U);
  }
}

}  // namespace
}  // namespace vqas
