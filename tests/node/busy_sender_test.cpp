// A sender whose machine does not send in time, with nothing but the line to the listener.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "node/line_only/status_marks.h"
#include "node/line_only_ends.h"
#include "node/play/outgoing.h"
#include "vqas/sync/transmission.h"

namespace vqas {
namespace {

using BusySender = test::LineOnlyTest;
using test::RunningSimulator;

/// A line that tells in some blocks that its machine did not send in time, or that the system refused the packet.
class BusyLine : public Line {
 public:
  BusyLine(std::unique_ptr<Line> line, std::set<std::uint64_t> blocks)
      : line_(std::move(line)), late_(std::move(blocks)) {}
  LineDescription description() const override {
    LineDescription description = line_->description();
    description.packets = refuses;
    return description;
  }
  Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round round) override {
    auto time = line_->exchange(sent, heard, round);
    if (!time || (!late_.contains(time->index) && !always)) return time;
    (refuses ? time->noticed.output_overflows : time->noticed.inserted_samples) = refuses ? 1 : kLineBlock;
    return time;
  }
  Status stand() override { return line_->stand(); }
  void interrupt() override { line_->interrupt(); }
  void leave() { line_.reset(); }
  bool always = false, refuses = false;

 private:
  std::unique_ptr<Line> line_;
  const std::set<std::uint64_t> late_;
};

TEST_F(BusySender, ATransmissionThatWasNotSentInTimeIsNotScoredAndSentAgain) {
  SendPlan send;
  send.run_id = 4711;
  const std::size_t stimulus = stimulus_of(send.run_id, 1, corpus_->stimuli().size());
  const auto speech = corpus_->recording(corpus_->stimuli()[stimulus].id);
  ASSERT_TRUE(speech);
  const auto layout = transmission_layout(speech->size(), {});
  const auto block_at = [&](std::size_t sample) {
    return static_cast<std::uint64_t>((gap_for_guard(0.05) * kLineRateHz + static_cast<double>(sample)) / kLineBlock);
  };
  const std::uint64_t in_mark = block_at(1000), in_speech = block_at(layout.speech_start + speech->size() / 2),
                      at_end = block_at(layout.speech_start + speech->size() - 200);
  for (const std::uint64_t late : {in_mark, in_speech, at_end}) {
    for (const bool answers : {false, true}) {
      if (answers && late != in_speech) continue;
      SCOPED_TRACE(fmt::format("block {}, answers {}", late, answers));
      send.rounds.reset();
      if (!answers) send.rounds = 1;
      ListenPlan listen = listen_plan(2);
      listen.sampling.first_count = listen.sampling.cap_count = 2;
      listen.answers = answers;
      std::vector<std::string> noticed;
      send.noticed = [&noticed](const std::string& what) { noticed.push_back(what); };
      const RunningSimulator simulator(test::varied_line(1e-4, 3));
      BusyLine line_a(simulator.open(End::a), {late});
      line_a.refuses = late == at_end;
      auto line_b = simulator.open(End::b);
      auto heard = std::async(std::launch::async, [&] {
        auto results = listen_on_line(*line_b, *corpus_, listen, cancelled_);
        line_b.reset();
        return results;
      });
      const auto sent = send_over_line(line_a, *corpus_, send, cancelled_);
      line_a.leave();
      const auto results = heard.get();
      ASSERT_TRUE(sent) << sent.error().message;
      ASSERT_TRUE(results);
      EXPECT_EQ(sent->broken_off, 1U);
      EXPECT_EQ(sent->sent, answers ? 25U : 13U) << "once more than without the fault";
      EXPECT_TRUE(sent->finished);
      EXPECT_EQ(scored(*results), answers ? 24U : 12U);
      ASSERT_FALSE(noticed.empty());
      EXPECT_THAT(noticed[0], ::testing::HasSubstr("transmission 1 was broken off"));
      const StimulusRun& run = results->results.directions.at(0).stimuli[stimulus];
      // Of the run's first transmission nothing is known without its mark.
      const std::size_t entered = late == in_mark ? 0 : 1;
      ASSERT_EQ(run.measurements.size(), (answers ? 2U : 1U) + entered);
      if (entered == 0) continue;
      EXPECT_EQ(run.measurements[0].outcome, Outcome::audio_fault);
      EXPECT_THAT(run.measurements[0].reason, ::testing::HasSubstr("the sender broke it off"));
    }
  }
}

TEST_F(BusySender, ASenderThatIsAlwaysTooLateEndsAndNothingIsScored) {
  SendPlan send;
  send.rounds = 3;
  ListenPlan listen = listen_plan(2);
  listen.answers = false;
  const RunningSimulator simulator(test::varied_line(1e-4, 3));
  BusyLine line_a(simulator.open(End::a), {});
  line_a.always = true;
  auto line_b = simulator.open(End::b);
  auto heard = std::async(std::launch::async, [&] {
    auto results = listen_on_line(*line_b, *corpus_, listen, cancelled_);
    line_b.reset();
    return results;
  });
  const auto sent = send_over_line(line_a, *corpus_, send, cancelled_);
  line_a.leave();
  const auto results = heard.get();
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().code, ErrorCode::line_lost);
  EXPECT_THAT(sent.error().message, ::testing::HasSubstr("could not send in time"));
  ASSERT_TRUE(results);
  EXPECT_EQ(scored(*results), 0U);
}

}  // namespace
}  // namespace vqas
