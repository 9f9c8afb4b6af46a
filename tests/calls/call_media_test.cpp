// Packets of calls in virtual time: both ends in memory, by one clock.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <filesystem>

#include "calls/call_ends.h"
#include "calls/call_pacer.h"
#include "calls/media/media_wheel.h"
#include "calls/scoring/call_scorer.h"
#include "support/places.h"
#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

constexpr std::int64_t kMs = 1'000'000;

struct Wire {
  struct Packet {
    std::vector<std::uint8_t> octets;
    std::int64_t came_ns = 0;
  };
  std::deque<Packet> packets, reports;
  bool cut = false;
};

/// One end of a path without delay.
class MemoryPort final : public PacketPort {
 public:
  MemoryPort(Wire& from, Wire& to, const std::int64_t& now_ns) : from_(from), to_(to), now_ns_(now_ns) {}
  void take(const Take& take) override {
    for (; !from_.packets.empty(); from_.packets.pop_front())
      take(from_.packets.front().octets, from_.packets.front().came_ns, 0);
  }
  bool send(std::span<const std::uint8_t> packet) override {
    if (!to_.cut) to_.packets.push_back({{packet.begin(), packet.end()}, now_ns_});
    return true;
  }
  void take_reports(const Take& take) override {
    for (; !from_.reports.empty(); from_.reports.pop_front())
      take(from_.reports.front().octets, from_.reports.front().came_ns, 0);
  }
  void send_report(std::span<const std::uint8_t> packet) override {
    to_.reports.push_back({{packet.begin(), packet.end()}, now_ns_});
  }
  void redirect(const SocketAddress&) override {}

 private:
  Wire& from_;
  Wire& to_;
  const std::int64_t& now_ns_;
};

class CallMediaTest : public ::testing::Test {
 protected:
  std::shared_ptr<MediaCall> call(Wire& from, Wire& to, CallPart part, const RtpFormat& format = {}) {
    MediaOptions options;
    options.format = format;
    return std::make_shared<MediaCall>(std::make_unique<MemoryPort>(from, to, now_ns_), options, std::move(part),
                                       [this] { return now_ns_ + behind_ns_; });
  }
  /// Turns the wheel until the call's phase is another one, at most this long.
  void run(MediaWheel& wheel, const MediaCall& call, double most_s) {
    const MediaCall::Phase before = call.phase();
    const std::int64_t end_ns = now_ns_ + static_cast<std::int64_t>(most_s * 1e9);
    while (now_ns_ < end_ns && call.phase() == before) {
      now_ns_ = wheel.due_ns();
      wheel.turn();
    }
  }

  std::vector<CallSentence> echoed_in_hd(RtpEncoding encoding, bool narrowband_too = false);

  std::int64_t now_ns_ = 1'000 * kMs, behind_ns_ = 0;
  Wire there_, back_;
};

CallCorpus corpus(int rate_hz = kLineRateHz) {
  const auto loaded = Corpus::load(std::filesystem::path(test::source_dir()) / "corpus");
  return CallCorpus::load(*loaded, {"F4"}, rate_hz).value();
}

CallPart one_sentence(const CallCorpus& corpus, const MarkData& data, int rate_hz = kLineRateHz) {
  CallPart part;
  part.says = {corpus.spoken(data)};
  part.stays = part.says[0].size() / line_block(rate_hz) + 100;
  part.most_recorded = part.stays + 100;
  return part;
}

TEST_F(CallMediaTest, ASentenceComesBackFromAnEchoAndIsScoredAsTheRoundTrip) {
  const CallCorpus stimuli = corpus();
  const MarkData data{End::a, 77, static_cast<std::uint8_t>(stimuli.chosen()[0]), 1, stimuli.digest()};
  MediaWheel wheel(now_ns_);
  const auto caller = call(back_, there_, one_sentence(stimuli, data));
  CallPart echo;
  echo.echoes = true;
  const auto answerer = call(there_, back_, echo);
  wheel.add(caller);
  wheel.add(answerer);
  run(wheel, *caller, 5);
  ASSERT_EQ(caller->phase(), MediaCall::Phase::running);
  run(wheel, *caller, 20);
  ASSERT_EQ(caller->phase(), MediaCall::Phase::finished);
  auto taken = caller->taken();
  EXPECT_EQ(taken.lateness.late, 0U);
  EXPECT_EQ(taken.packets.heard.packets_lost, 0U);
  ASSERT_TRUE(taken.packets.heard.far) << "the far end's reports by RTCP";
  EXPECT_GE(taken.packets.heard.far->reports, 1U);
  EXPECT_EQ(taken.packets.heard.far->packets_lost, 0);
  EXPECT_EQ(taken.packets.heard.far->discard_fraction, 0.0) << "RFC 3611";
  CallExpectation expected;
  expected.own = {data};
  expected.most = 1;
  const auto sentences = score_call(taken.recorded, expected, stimuli);
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_EQ(sentences[0].stimulus, "F4");
  ASSERT_TRUE(sentences[0].mos) << sentences[0].reason;
  EXPECT_GT(*sentences[0].mos, 3.77) << "F4 over a clean line";
}

// F4 by an echo, at 16 kHz.
std::vector<CallSentence> CallMediaTest::echoed_in_hd(RtpEncoding encoding, bool narrowband_too) {
  const CallCorpus stimuli = corpus(kWideRateHz);
  const MarkData data{End::a, 77, static_cast<std::uint8_t>(stimuli.chosen()[0]), 1, stimuli.digest()};
  RtpFormat format(encoding);
  format.rate_hz = kWideRateHz;
  MediaWheel wheel(now_ns_);
  const auto caller = call(back_, there_, one_sentence(stimuli, data, kWideRateHz), format);
  CallPart echo;
  echo.echoes = true;
  const auto answerer = call(there_, back_, echo, format);
  wheel.add(caller);
  wheel.add(answerer);
  run(wheel, *caller, 5);
  run(wheel, *caller, 20);
  EXPECT_EQ(caller->phase(), MediaCall::Phase::finished);
  const MediaCall::Taken taken = caller->taken();
  EXPECT_EQ(taken.recorded.rate_hz, kWideRateHz);
  CallExpectation expected;
  expected.narrowband_too = narrowband_too;
  expected.own = {data};
  expected.most = 1;
  return score_call(taken.recorded, expected, stimuli);
}

TEST_F(CallMediaTest, AnEchoInHdVoiceIsScoredOnTheWidebandScale) {
  CallOutcome outcome;
  outcome.mode = ScoreMode::wideband;
  enter_scores(echoed_in_hd(RtpEncoding::l16wb), outcome);
  ASSERT_TRUE(outcome.mos()) << outcome.reason;
  EXPECT_GE(*outcome.mos(), 4.5) << "above the narrowband scale's end of what a codec lets through";
  EXPECT_EQ(outcome.narrow, "");
  EXPECT_FALSE(outcome.narrowband_mos()) << "it was not asked for";
}

TEST_F(CallMediaTest, AnEchoByPcmuAtAnEndOfHdVoiceIsToldToBeNarrowband) {
  CallOutcome outcome;
  outcome.mode = ScoreMode::wideband;
  enter_scores(echoed_in_hd(RtpEncoding::pcmu, true), outcome);
  ASSERT_TRUE(outcome.mos()) << outcome.reason;
  EXPECT_LE(*outcome.mos(), 3.3) << "a wideband listener's narrowband call";
  EXPECT_GE(outcome.narrowband_mos().value_or(0), 3.8) << "of the same recording";
  EXPECT_EQ(outcome.narrow, "nothing above 4000 Hz arrived in 1 of 1 sentences, so the path is narrowband");
}

TEST(CallEnds, OnlySentencesWithAScoreTellANarrowPath) {
  const auto narrow_of = [](std::vector<CallSentence> sentences) {
    CallOutcome outcome;
    outcome.mode = ScoreMode::wideband;
    enter_scores(std::move(sentences), outcome);
    return outcome.narrow;
  };
  CallSentence wide{"F4", Outcome::scored, 4.2, {}, "", false}, narrow{"F4", Outcome::scored, 2.9, {}, "", true};
  CallSentence unscored{"F4", Outcome::not_aligned, {}, {}, "not aligned", true};
  EXPECT_EQ(narrow_of({wide, unscored}), "");
  EXPECT_EQ(narrow_of({unscored}), "");
  EXPECT_EQ(narrow_of({wide, narrow}), "") << "half of them";
  EXPECT_EQ(narrow_of({narrow, unscored}),
            "nothing above 4000 Hz arrived in 1 of 1 sentences, so the path is narrowband");
}

TEST_F(CallMediaTest, PacketsThatWaitedAtThePortBeforeTheCallBeganDoNotSpoilIt) {
  const CallCorpus stimuli = corpus();
  const MarkData data{End::a, 78, static_cast<std::uint8_t>(stimuli.chosen()[0]), 1, stimuli.digest()};
  MediaWheel wheel(now_ns_);
  CallPart echo;
  echo.echoes = true;
  const auto answerer = call(there_, back_, echo);
  wheel.add(answerer);
  run(wheel, *answerer, 0.3);  // this end's thread was put off so long
  const auto caller = call(back_, there_, one_sentence(stimuli, data));
  wheel.add(caller);
  run(wheel, *caller, 5);
  ASSERT_EQ(caller->phase(), MediaCall::Phase::running);
  run(wheel, *caller, 20);
  ASSERT_EQ(caller->phase(), MediaCall::Phase::finished);
  EXPECT_EQ(caller->taken().packets.heard.lost_samples, 0U);
}

TEST_F(CallMediaTest, SentencesOfTheFarEndAreScoredFromTheirMarks) {
  const CallCorpus stimuli = corpus();
  const std::uint32_t run_id = 99;
  CallPart talker;
  for (const NumberedStimulus& one : numbered_rounds(stimuli, run_id, 8))
    talker.says.push_back(stimuli.spoken({End::b, run_id, static_cast<std::uint8_t>(one.stimulus),
                                          static_cast<std::uint16_t>(one.number), stimuli.digest()}));
  talker.repeats = true;
  talker.first = 7;  // the last one of the cycle, so that it begins anew
  CallPart listener;
  listener.stays = (2 * stimuli.longest()) / kLineBlock + 200;
  listener.most_recorded = listener.stays + 200;
  MediaWheel wheel(now_ns_);
  const auto caller = call(back_, there_, listener);
  wheel.add(caller);
  wheel.add(call(there_, back_, talker));
  run(wheel, *caller, 5);
  run(wheel, *caller, 30);
  ASSERT_EQ(caller->phase(), MediaCall::Phase::finished);
  CallExpectation expected;
  expected.sender = End::b;
  expected.most = 2;
  const auto sentences = score_call(caller->taken().recorded, expected, stimuli);
  ASSERT_EQ(sentences.size(), 2U);
  for (const CallSentence& one : sentences) {
    ASSERT_TRUE(one.mos) << one.reason;
    EXPECT_GT(*one.mos, 3.77);
  }
}

TEST_F(CallMediaTest, WithoutASentenceInTheCallNothingIsScored) {
  const CallCorpus stimuli = corpus();
  CallExpectation expected;
  expected.sender = End::b;
  expected.most = 1;
  RecordedCall silence;
  silence.samples.resize(100 * kLineBlock);
  silence.blocks.resize(100);
  const auto sentences = score_call(silence, expected, stimuli);
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_FALSE(sentences[0].mos);
  EXPECT_FALSE(sentences[0].reason.empty());
}

TEST_F(CallMediaTest, PacketsThatThisMachineSendsLateAreCountedAndSpoilTheCall) {
  MediaWheel wheel(now_ns_);
  const auto late = call(back_, there_, {});
  wheel.add(late);
  for (int slot = 0; slot < 60; ++slot) {
    now_ns_ = wheel.due_ns();
    behind_ns_ = slot < 20 ? 7 * kMs : kMs;
    wheel.turn();
  }
  const auto taken = late->taken();
  EXPECT_EQ(taken.packets.sent, 3U);
  EXPECT_EQ(taken.lateness.late, 1U);
  EXPECT_DOUBLE_EQ(taken.lateness.worst_ms, 7);
  CallOutcome outcome;
  outcome.result = CallResult::answered;
  enter_media(taken, {}, outcome);
  EXPECT_EQ(outcome.result, CallResult::spoilt);
  EXPECT_THAT(outcome.reason, ::testing::HasSubstr("sent 1 packets late, the worst by 7.0 ms"));
}

TEST_F(CallMediaTest, WhatThisMachineLostSpoilsTheCallAndAFailedCallStaysFailed) {
  MediaCall::Taken taken;
  taken.packets.heard.lost_samples = kLineBlock;
  CallOutcome outcome;
  outcome.result = CallResult::answered;
  enter_media(taken, {}, outcome);
  EXPECT_EQ(outcome.result, CallResult::spoilt);
  outcome.result = CallResult::failed;
  enter_media(taken, {}, outcome);
  EXPECT_EQ(outcome.result, CallResult::failed);
}

TEST_F(CallMediaTest, ACallWhoseTermsTheFarEndChangedIsSpoiltAndTheChangeIsNamed) {
  MediaCall::Taken taken;
  taken.packets.moves = 1;
  CallOutcome outcome;
  outcome.result = CallResult::answered;
  enter_media(taken, "the call's codec changed from opus to PCMU", outcome);
  EXPECT_EQ(outcome.result, CallResult::spoilt);
  EXPECT_EQ(outcome.reason, "the far end changed the call: the call's codec changed from opus to PCMU");
}

TEST_F(CallMediaTest, AfterAPauseOfTheMachineTheWheelIsInTimeAgainAndTheCallCountsIt) {
  MediaWheel wheel(now_ns_);
  const auto paused = call(back_, there_, {});
  wheel.add(paused);
  wheel.turn();
  now_ns_ += 10'000 * kMs;
  wheel.catch_up(now_ns_);
  EXPECT_LE(now_ns_ - wheel.due_ns(), 20 * kMs);
  EXPECT_GT(paused->taken().lateness.late, 400U);
}

TEST_F(CallMediaTest, CallsAreSpreadOverThePacketsTime) {
  MediaWheel wheel(now_ns_);
  std::vector<std::shared_ptr<MediaCall>> calls;
  for (int i = 0; i < 40; ++i) {
    calls.push_back(call(back_, there_, {}));
    wheel.add(calls.back());
  }
  for (int slot = 1; slot <= 20; ++slot) {
    wheel.turn();
    EXPECT_EQ(there_.packets.size(), 2U * static_cast<std::size_t>(slot));
  }
}

TEST_F(CallMediaTest, WithoutAudioTheCallSaysSoAndWhenItStopsToo) {
  MediaWheel wheel(now_ns_);
  const auto silent = call(back_, there_, {});
  wheel.add(silent);
  run(wheel, *silent, 20);
  EXPECT_EQ(silent->phase(), MediaCall::Phase::no_audio);
  Wire one, other;
  const auto caller = call(one, other, {});
  const auto answerer = call(other, one, {});
  wheel.add(caller);
  wheel.add(answerer);
  run(wheel, *caller, 5);
  one.cut = true;
  run(wheel, *caller, 10);
  EXPECT_EQ(caller->phase(), MediaCall::Phase::silent);
  EXPECT_THAT(in_words(end_of_silence(caller->phase(), {})), ::testing::HasSubstr("packets stopped"));
}

TEST_F(CallMediaTest, AnEndThatLeavesSaysGoodbyeByRtcp) {
  MediaWheel wheel(now_ns_);
  const auto one = call(back_, there_, {});
  wheel.add(one);
  wheel.turn();
  there_.reports.clear();
  one->leave();
  while (!wheel.is_empty()) wheel.turn();
  EXPECT_TRUE(one->has_left());
  ASSERT_EQ(there_.reports.size(), 1U);
  EXPECT_EQ(read_rtcp(there_.reports[0].octets).leaving.size(), 1U);
}

TEST(CallEnds, OnlyAByeEndsAnAnsweredCallWell) {
  EXPECT_TRUE(ended_well(CallEnd{CallEndKind::hung_up, 0, "BYE", true}));
  EXPECT_FALSE(ended_well(CallEnd{CallEndKind::hung_up, 0, "the other end did not renew the session within its 90 s"}));
  EXPECT_FALSE(ended_well(CallEnd{CallEndKind::no_audio, 0, ""}));
  EXPECT_FALSE(ended_well({}));
}

TEST(CallPacer, BeginningsAreSpreadAndNotMadeUpFor) {
  CallPacer pacer(2);
  EXPECT_TRUE(pacer.may_begin(0));
  pacer.began(0);
  EXPECT_FALSE(pacer.may_begin(0.4));
  EXPECT_TRUE(pacer.may_begin(5));
  pacer.began(5);
  pacer.began(5);
  EXPECT_FALSE(pacer.may_begin(5.4));
}

}  // namespace
}  // namespace vqas
