#include "vqas/sync/capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streams.h"
#include "vqas/signal/resample.h"
#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

using namespace test;

constexpr std::size_t kStimulus = 16000;
constexpr std::size_t kWideBlockOfTest = 320;

Expectation due(std::uint16_t sequence, double within_s = 5) {
  return {some_data(sequence), kStimulus, within_s};
}

/// A stream of transmissions and the positions of their speech.
struct Sent {
  std::vector<float> stream;
  std::vector<std::size_t> speech, mark_starts, trailing_starts;

  void pause(double seconds) { append_silence(stream, static_cast<std::size_t>(seconds * kLineRateHz)); }
  void transmit(const MarkData& data, std::uint64_t seed = 1) {
    const Transmission t = compose_transmission(babble(2, seed), data, {});
    mark_starts.push_back(stream.size());
    speech.push_back(stream.size() + t.layout.speech_start);
    trailing_starts.push_back(stream.size() + t.layout.trailing_start);
    append(stream, t.signal.samples);
  }
  void erase_leading(std::size_t i) { fill(mark_starts[i], leading_mark_length()); }
  void erase_trailing(std::size_t i) { fill(trailing_starts[i], trailing_mark_length()); }
  /// Destroys the data of a leading mark, not the code in its middle.
  void spoil_data(std::size_t i) {
    fill(mark_starts[i], 1200);
    fill(mark_starts[i] + 2400, 1200);
  }
  void fill(std::size_t from, std::size_t count) {
    const Signal other = noise(0.17, static_cast<double>(count) / kLineRateHz, from);
    std::copy(other.samples.begin(), other.samples.end(), stream.begin() + static_cast<std::ptrdiff_t>(from));
  }
};

std::vector<Capture> receive(CaptureReceiver& receiver, std::span<const float> stream, std::size_t block = 160) {
  std::vector<Capture> captures;
  while (!stream.empty()) {
    const std::span<const float> part = stream.first(std::min(block, stream.size()));
    for (Capture& capture : receiver.push(part)) captures.push_back(std::move(capture));
    stream = stream.subspan(part.size());
  }
  return captures;
}

std::vector<Capture> receive(Sent sent, std::vector<Expectation> expected, std::size_t block = 160) {
  add_idle_noise(sent.stream, 3);
  CaptureReceiver receiver(End::a, {});
  receiver.expect(std::move(expected));
  return receive(receiver, sent.stream, block);
}

double speech_in_stream(const Capture& capture) {
  return static_cast<double>(capture.stream_position) + capture.speech_start.value();
}

TEST(CaptureReceiver, PlacesTheSpeechExactlyWhateverTheSendersDelay) {
  for (const double delay_s : {0.0, 0.7, 2.99}) {
    Sent sent;
    sent.pause(delay_s);
    sent.transmit(some_data());
    sent.pause(1);
    const auto captures = receive(sent, {due(7)});
    ASSERT_EQ(captures.size(), 1U) << delay_s;
    const Capture& capture = captures[0];
    EXPECT_EQ(capture.marks, MarksFound::both);
    EXPECT_TRUE(capture.data_confirmed);
    EXPECT_EQ(capture.expectation.data, some_data());
    EXPECT_NEAR(speech_in_stream(capture), static_cast<double>(sent.speech[0]), 0.02);
    EXPECT_NEAR(capture.clock_drift_ppm.value(), 0, 2);
    const auto at = static_cast<std::size_t>(std::llround(*capture.speech_start));
    EXPECT_GE(capture.recording.size(), at + kStimulus + 3990);
    if (delay_s > 0.5) {
      EXPECT_NEAR(*capture.speech_start, 4000, 1.01);
    }
    for (std::size_t n = 0; n < kStimulus; ++n) {
      ASSERT_NEAR(capture.recording.samples[at + n], sent.stream[sent.speech[0] + n], 1e-3);
    }
  }
}

TEST(CaptureReceiver, ReportsTheRemainingWaitUntilAMarkComes) {
  CaptureReceiver receiver(End::a, {});
  EXPECT_FALSE(receiver.awaited()) << "nothing is due";
  receiver.expect({due(7)});
  Sent sent;
  sent.pause(2);
  receive(receiver, sent.stream);
  ASSERT_TRUE(receiver.awaited());
  EXPECT_EQ(receiver.awaited()->sequence, 7);
  EXPECT_NEAR(receiver.awaited()->waited_s, 2, 0.1);
  const double left_s = receiver.awaited()->left_s;
  EXPECT_GT(left_s, 3) << "the wait for the leading mark alone";
  receive(receiver, sent.stream);
  EXPECT_NEAR(receiver.awaited()->left_s, left_s - 2, 0.1);
  Sent mark;
  mark.transmit(some_data());
  mark.stream.resize(mark.speech[0] + 8000);
  receive(receiver, mark.stream);
  EXPECT_FALSE(receiver.awaited());
}

TEST(CaptureReceiver, MeasuresAClockOffsetAndPlacesTheSpeechByIt) {
  for (const double ppm : {-300.0, -50.0, 100.0, 300.0}) {
    Sent sent;
    sent.pause(0.6);
    const Transmission t = compose_transmission(babble(6, 5), some_data(), {});
    const auto speech = static_cast<double>(sent.stream.size() + t.layout.speech_start);
    append(sent.stream, t.signal.samples);
    sent.pause(1);
    // A receiver with a fast clock takes more samples of the same signal.
    const double ratio = 1 + ppm * 1e-6;
    sent.stream = resample_at(sent.stream, 0, 1 / ratio);
    Expectation expectation = due(7);
    expectation.stimulus_length = 48000;
    const auto captures = receive(sent, {expectation});
    ASSERT_EQ(captures.size(), 1U);
    EXPECT_NEAR(captures[0].clock_drift_ppm.value(), ppm, 2);
    EXPECT_NEAR(speech_in_stream(captures[0]), speech * ratio, 0.05) << ppm;
  }
}

TEST(CaptureReceiver, DoesNotDependOnBlockSizes) {
  Sent sent;
  for (const std::uint16_t sequence : {7, 8, 9}) {
    sent.pause(0.4);
    sent.transmit(some_data(sequence), sequence);
  }
  sent.pause(3);
  sent.erase_leading(1);
  const auto reference = receive(sent, {due(7), due(8), due(9)});
  ASSERT_EQ(reference.size(), 3U);
  EXPECT_EQ(reference[1].marks, MarksFound::trailing_only);
  for (const std::size_t block : {1UL, 77UL, 4096UL, 1000000UL}) {
    const auto captures = receive(sent, {due(7), due(8), due(9)}, block);
    ASSERT_EQ(captures.size(), 3U) << block;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(captures[i].marks, reference[i].marks);
      EXPECT_EQ(captures[i].stream_position, reference[i].stream_position);
      EXPECT_EQ(captures[i].speech_start, reference[i].speech_start);
      EXPECT_EQ(captures[i].recording.samples, reference[i].recording.samples);
    }
  }
}

TEST(CaptureReceiver, GivesOneCaptureForEachExpectationInOrder) {
  Sent sent;
  for (std::uint16_t sequence = 0; sequence < 6; ++sequence) {
    sent.pause(0.05 * sequence);
    sent.transmit(some_data(sequence), sequence);
  }
  sent.pause(1);
  std::vector<Expectation> expected;
  for (std::uint16_t sequence = 0; sequence < 6; ++sequence) expected.push_back(due(sequence));
  const auto captures = receive(sent, expected);
  ASSERT_EQ(captures.size(), 6U);
  for (std::uint16_t i = 0; i < 6; ++i) {
    EXPECT_EQ(captures[i].expectation.data.sequence, i);
    EXPECT_EQ(captures[i].marks, MarksFound::both);
    EXPECT_NEAR(speech_in_stream(captures[i]), static_cast<double>(sent.speech[i]), 0.05);
  }
}

TEST(CaptureReceiver, FindsTheSpeechByTheTrailingMarkAlone) {
  Sent sent;
  sent.pause(1.2);
  sent.transmit(some_data());
  sent.pause(1);
  sent.erase_leading(0);
  const auto captures = receive(sent, {due(7)});
  ASSERT_EQ(captures.size(), 1U);
  EXPECT_EQ(captures[0].marks, MarksFound::trailing_only);
  EXPECT_FALSE(captures[0].data_confirmed);
  EXPECT_FALSE(captures[0].clock_drift_ppm.has_value());
  EXPECT_NEAR(speech_in_stream(captures[0]), static_cast<double>(sent.speech[0]), 0.05);
  EXPECT_NEAR(*captures[0].speech_start, 4000, 1.01);
}

TEST(CaptureReceiver, EndsTwoSecondsAfterTheStimulusWithoutATrailingMark) {
  Sent sent;
  sent.pause(0.8);
  sent.transmit(some_data());
  sent.pause(3);
  sent.erase_trailing(0);
  const auto captures = receive(sent, {due(7)});
  ASSERT_EQ(captures.size(), 1U);
  EXPECT_EQ(captures[0].marks, MarksFound::leading_only);
  EXPECT_TRUE(captures[0].data_confirmed);
  EXPECT_FALSE(captures[0].clock_drift_ppm.has_value());
  EXPECT_NEAR(speech_in_stream(captures[0]), static_cast<double>(sent.speech[0]), 0.05);
  EXPECT_NEAR(static_cast<double>(captures[0].recording.size()), 4000 + kStimulus + 16000, 3);
}

TEST(CaptureReceiver, ReportsThatNothingCame) {
  Sent sent;
  sent.pause(9);
  CaptureReceiver receiver(End::a, {});
  receiver.expect({due(7, 3)});
  const auto captures = receive(receiver, sent.stream);
  ASSERT_EQ(captures.size(), 1U);
  EXPECT_EQ(captures[0].marks, MarksFound::none);
  EXPECT_FALSE(captures[0].speech_start.has_value());
  EXPECT_GE(captures[0].recording.seconds(), 3 + 2);
  EXPECT_TRUE(receiver.idle());
}

TEST(CaptureReceiver, AbandonsALostTransmissionWhenALaterOneIsFound) {
  Sent sent;
  for (const std::uint16_t sequence : {7, 8, 9, 10}) {
    sent.pause(0.3);
    sent.transmit(some_data(sequence), sequence);
  }
  sent.pause(1);
  for (const std::size_t lost : {1U, 2U}) sent.erase_leading(lost), sent.erase_trailing(lost);
  const auto captures = receive(sent, {due(7), due(8), due(9), due(10)});
  ASSERT_EQ(captures.size(), 4U);
  EXPECT_EQ(captures[1].marks, MarksFound::none);
  EXPECT_EQ(captures[2].marks, MarksFound::none);
  EXPECT_EQ(captures[3].marks, MarksFound::both);
  EXPECT_NEAR(speech_in_stream(captures[3]), static_cast<double>(sent.speech[3]), 0.05);
  for (const std::size_t lost : {1U, 2U}) {
    EXPECT_LE(captures[lost].stream_position, sent.speech[lost]);
    EXPECT_GE(captures[lost].stream_position + captures[lost].recording.size(), sent.speech[lost] + kStimulus);
  }
}

TEST(CaptureReceiver, SpeechIsAmbiguousWhereTheSameStimulusWasLostTwice) {
  const auto lost_alike = [](std::uint8_t second) {
    Sent sent;
    std::vector<Expectation> expected{due(7), due(8), due(9)};
    expected[1].data.stimulus = second;
    for (const Expectation& one : expected) {
      sent.pause(0.3);
      sent.transmit(one.data, one.data.sequence);
    }
    sent.pause(1);
    for (const std::size_t lost : {0U, 1U}) sent.erase_leading(lost), sent.erase_trailing(lost);
    return receive(sent, expected);
  };
  const std::uint8_t same = some_data().stimulus;
  for (const std::uint8_t second : {same, static_cast<std::uint8_t>(same + 1)}) {
    const auto captures = lost_alike(second);
    ASSERT_EQ(captures.size(), 3U);
    EXPECT_EQ(captures[0].ambiguous, second == same);
    EXPECT_EQ(captures[1].ambiguous, second == same);
    EXPECT_FALSE(captures[2].ambiguous);
  }
}

TEST(CaptureReceiver, EndsACaptureWithoutTrailingMarkWhereTheNextBegins) {
  Sent sent;
  sent.transmit(some_data(7));
  sent.pause(0.1);
  sent.transmit(some_data(8));
  sent.pause(1);
  sent.erase_trailing(0);
  const auto captures = receive(sent, {due(7), due(8)});
  ASSERT_EQ(captures.size(), 2U);
  EXPECT_EQ(captures[0].marks, MarksFound::leading_only);
  EXPECT_EQ(captures[1].marks, MarksFound::both);
  EXPECT_TRUE(captures[1].data_confirmed);
}

TEST(CaptureReceiver, AssumesTheNextOneDueWhenTheDataAreUnreadable) {
  Sent sent;
  sent.pause(0.6);
  sent.transmit(some_data());
  sent.pause(1);
  sent.spoil_data(0);
  const auto captures = receive(sent, {due(7)});
  ASSERT_EQ(captures.size(), 1U);
  EXPECT_EQ(captures[0].marks, MarksFound::both);
  EXPECT_FALSE(captures[0].data_confirmed);
  EXPECT_NEAR(speech_in_stream(captures[0]), static_cast<double>(sent.speech[0]), 0.1);
}

TEST(CaptureReceiver, IgnoresMarksOfAnotherRunAndOlderOnes) {
  MarkData other_run = some_data();
  other_run.run_id = 0x123456;
  Sent sent;
  sent.transmit(other_run);
  sent.transmit(some_data(6));
  sent.transmit(some_data(7));
  sent.pause(1);
  const auto captures = receive(sent, {due(7, 20)});
  ASSERT_EQ(captures.size(), 1U);
  EXPECT_EQ(captures[0].marks, MarksFound::both);
  EXPECT_TRUE(captures[0].data_confirmed);
  EXPECT_NEAR(speech_in_stream(captures[0]), static_cast<double>(sent.speech[2]), 0.05);
}

TEST(CaptureReceiver, DoesNotConfirmAnotherStimulusOrCorpus) {
  MarkData other = some_data();
  other.corpus_digest = 1;
  Sent sent;
  sent.transmit(other);
  sent.pause(1);
  const auto captures = receive(sent, {due(7)});
  ASSERT_EQ(captures.size(), 1U);
  EXPECT_FALSE(captures[0].data_confirmed);
}

TEST(CaptureReceiver, IgnoresTheOtherEndsTransmissions) {
  MarkData partner = some_data();
  partner.sender = End::b;
  Sent sent;
  sent.transmit(partner);
  sent.pause(8);
  const auto captures = receive(sent, {due(7)});
  ASSERT_EQ(captures.size(), 1U);
  EXPECT_EQ(captures[0].marks, MarksFound::none);
}

TEST(CaptureReceiver, DoesNotTakeADelayStepForAClockOffset) {
  Sent sent;
  sent.pause(0.6);
  sent.transmit(some_data());
  sent.pause(1);
  sent.stream.insert(sent.stream.begin() + static_cast<std::ptrdiff_t>(sent.speech[0] + 8000), 800, 0.0F);
  const auto captures = receive(sent, {due(7)});
  ASSERT_EQ(captures.size(), 1U);
  EXPECT_EQ(captures[0].marks, MarksFound::both);
  EXPECT_FALSE(captures[0].clock_drift_ppm.has_value());
  EXPECT_NEAR(speech_in_stream(captures[0]), static_cast<double>(sent.speech[0]), 0.05);
  EXPECT_GE(captures[0].recording.size(), 4000 + kStimulus + 800 + 3990);
}

TEST(CaptureReceiver, TakesAnOffsetMeasuredTwiceForAClockOffset) {
  Sent sent;
  for (const std::uint16_t sequence : {7, 8, 9}) {
    sent.pause(0.6);
    sent.transmit(some_data(sequence));
    // A step of 10 samples within the second one looks like a drift of half a thousandth.
    if (sequence == 8)
      sent.stream.insert(sent.stream.begin() + static_cast<std::ptrdiff_t>(sent.speech[1] + 8000), 10, 0.0F);
  }
  sent.pause(1);
  const auto captures = receive(sent, {due(7), due(8), due(9)});
  ASSERT_EQ(captures.size(), 3U);
  EXPECT_GT(captures[1].clock_drift_ppm.value(), 400);
  for (const Capture& capture : captures) EXPECT_FALSE(capture.drift_repeated);

  Sent steady;
  for (const std::uint16_t sequence : {7, 8}) {
    steady.pause(0.6);
    steady.transmit(some_data(sequence));
  }
  steady.pause(1);
  const auto alike = receive(steady, {due(7), due(8)});
  ASSERT_EQ(alike.size(), 2U);
  EXPECT_FALSE(alike[0].drift_repeated);
  EXPECT_TRUE(alike[1].drift_repeated);
}

TEST(CaptureReceiver, ReturnsWhatWasReceivedOfAnAbandonedTransmission) {
  Sent sent;
  sent.pause(0.6);
  sent.transmit(some_data());
  sent.stream.resize(sent.speech[0] + 9000);
  CaptureReceiver receiver(End::a, {});
  receiver.expect({due(7), due(8)});
  EXPECT_TRUE(receive(receiver, sent.stream).empty());
  const auto captures = receiver.abandon();
  ASSERT_EQ(captures.size(), 2U);
  EXPECT_EQ(captures[0].marks, MarksFound::leading_only);
  EXPECT_EQ(captures[0].stream_position + captures[0].recording.size(), sent.stream.size());
  EXPECT_EQ(captures[1].marks, MarksFound::none);
  EXPECT_TRUE(receiver.idle());
}

TEST(CaptureReceiver, StaysUsableAfterHoursOfIdleStream) {
  CaptureReceiver receiver(End::a, {});
  const std::vector<float> second(8000, 0.0F);
  for (int i = 0; i < 600; ++i) EXPECT_TRUE(receiver.push(second).empty());
  receiver.expect({due(7)});
  Sent sent;
  sent.pause(1);
  sent.transmit(some_data());
  sent.pause(1);
  const auto captures = receive(receiver, sent.stream);
  ASSERT_EQ(captures.size(), 1U);
  EXPECT_NEAR(speech_in_stream(captures[0]), static_cast<double>(600 * 8000 + sent.speech[0]), 0.02);
}

TEST(CaptureReceiver, DelayStepIsReportedAndAllPossibleSpeechIsKept) {
  for (const std::ptrdiff_t step : {800, 5600, -300, -3000}) {
    Sent sent;
    sent.pause(1);
    sent.transmit(some_data());
    const auto at = sent.stream.begin() + static_cast<std::ptrdiff_t>(sent.speech[0]) + 6000;
    if (step > 0) {
      sent.stream.insert(at, static_cast<std::size_t>(step), 0.0F);
    } else {
      sent.stream.erase(at, at - step);
    }
    sent.pause(4);
    const auto captures = receive(sent, {due(7)});
    ASSERT_EQ(captures.size(), 1U);
    const Capture& capture = captures[0];
    ASSERT_EQ(capture.marks, MarksFound::both) << step;
    EXPECT_NEAR(capture.delay_step.value_or(0), static_cast<double>(step), 0.1);
    EXPECT_FALSE(capture.clock_drift_ppm);
    EXPECT_NEAR(speech_in_stream(capture), static_cast<double>(sent.speech[0]), 0.1);
    EXPECT_GE(*capture.speech_start, 3999 - std::min<std::ptrdiff_t>(step, 0));
    const double spare = static_cast<double>(capture.recording.size()) - *capture.speech_start - kStimulus;
    EXPECT_NEAR(spare, static_cast<double>(step) + 4400, 2);
  }
}

TEST(CaptureReceiver, CaptureHoldsTheConfidenceOfEachMark) {
  Sent sent;
  sent.pause(1);
  sent.transmit(some_data());
  sent.erase_trailing(0);
  sent.pause(4);
  const auto captures = receive(sent, {due(7)});
  ASSERT_EQ(captures.size(), 1U);
  EXPECT_GT(captures[0].leading_confidence.value_or(0), 0.9);
  EXPECT_FALSE(captures[0].trailing_confidence);
  EXPECT_FALSE(captures[0].delay_step);
}

// The same transmission at both rates: what is decided in the marks' rate lies at the same instants.
TEST(CaptureReceiver, AStreamOf16KhzGivesTheCaptureOfTheOneAt8KhzAtItsOwnRate) {
  const Signal narrow = babble(2, 5);
  const Signal wide = *resample(narrow, kWideRateHz);
  Sent at_8k;
  at_8k.pause(1);
  at_8k.transmit(some_data(1), 5);
  at_8k.pause(1);
  std::vector<float> at_16k(kWideRateHz);
  append(at_16k, compose_transmission(wide, some_data(1), {}).signal.samples);
  append_silence(at_16k, kWideRateHz);
  CaptureReceiver slow(End::a, {}), fast(End::a, {}, kWideRateHz);
  slow.expect({due(1)});
  fast.expect({{some_data(1), length_at_mark_rate(wide), 5}});
  const auto expected = receive(slow, at_8k.stream), captured = receive(fast, at_16k, kWideBlockOfTest);
  ASSERT_EQ(expected.size(), 1U);
  ASSERT_EQ(captured.size(), 1U);
  EXPECT_EQ(captured[0].marks, MarksFound::both);
  EXPECT_TRUE(captured[0].data_confirmed);
  EXPECT_EQ(captured[0].recording.rate_hz, kWideRateHz);
  EXPECT_EQ(captured[0].recording.size(), 2 * expected[0].recording.size());
  EXPECT_NEAR(*captured[0].speech_start, 2 * *expected[0].speech_start, 0.1);
  EXPECT_NEAR(captured[0].clock_drift_ppm.value_or(99), 0, 1);
  const auto first = static_cast<std::size_t>(std::llround(*captured[0].speech_start));
  for (std::size_t n = 0; n < 1000; ++n)
    ASSERT_FLOAT_EQ(captured[0].recording.samples[first + n], wide.samples[n]) << n;
}

}  // namespace
}  // namespace vqas
