#include "receive/gone_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "node/node_harness.h"
#include "support/signals.h"
#include "vqas/channel/g711.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

Signal tones(const std::vector<double>& frequencies_hz, double on_s, double off_s, double seconds, double noise) {
  Signal signal = test::noise(noise, seconds, 3);
  for (std::size_t n = 0; n < signal.size(); ++n) {
    const double t = static_cast<double>(n) / 8000;
    if (off_s > 0 && std::fmod(t, on_s + off_s) >= on_s) continue;
    for (const double f : frequencies_hz)
      signal.samples[n] += static_cast<float>(0.1 * std::sin(2 * std::numbers::pi * f * t));
  }
  std::vector<std::uint8_t> octets(signal.size());
  g711_encode(signal.samples, octets, G711Law::mu);
  g711_decode(octets, signal.samples, G711Law::mu);
  return signal;
}

TEST(GoneCall, CallProgressTonesAreDetectedInEveryCadence) {
  struct Tone {
    std::vector<double> hz;
    double on, off;
    const char* named;
  };
  for (const Tone& one : std::vector<Tone>{{{350, 440}, 1, 0, "0 Hz"},        // dial tone
                                           {{480, 620}, 0.5, 0.5, "0 Hz"},    // busy
                                           {{480, 620}, 0.25, 0.25, "0 Hz"},  // reorder
                                           {{440, 480}, 2, 4, "0 Hz"},        // ringing
                                           {{425}, 1, 0, "425 Hz"},
                                           {{425}, 0.5, 0.5, "425 Hz"},
                                           {{425}, 1, 4, "425 Hz"}}) {
    const auto gone = call_is_gone(tones(one.hz, one.on, one.off, 15, 1e-4));
    ASSERT_TRUE(gone) << one.hz.front() << " " << one.on;
    EXPECT_THAT(*gone, HasSubstr(one.named));
  }
}

TEST(GoneCall, SteadySilenceIsALostCall) {
  EXPECT_TRUE(call_is_gone(test::noise(1e-4, 12, 1)));
  EXPECT_TRUE(call_is_gone(Signal{std::vector<float>(80000), 8000}));
}

TEST(GoneCall, SpeechNoiseAndOtherTonesAreNoLostCall) {
  EXPECT_FALSE(call_is_gone(test::noise(0.05, 12, 1)));
  EXPECT_FALSE(call_is_gone(test::noise(0.004, 12, 1))) << "a quiet connected line";
  EXPECT_FALSE(call_is_gone(tones({1000}, 1, 0, 12, 1e-4)));
  EXPECT_FALSE(call_is_gone(tones({425}, 0.2, 10, 12, 0.01))) << "a tone in the speech's place, once";
  for (const char* stimulus : {"M1", "F5", "M6"}) {
    const auto speech = read_audio(test::corpus_folder() / "8k" / (std::string(stimulus) + ".wav"));
    ASSERT_TRUE(speech);
    EXPECT_FALSE(call_is_gone(*speech)) << stimulus;
  }
  EXPECT_FALSE(call_is_gone(Signal{std::vector<float>(4000), 8000})) << "too short to decide";
}

TEST(GoneCall, ACallThatEndsWithinAStimulusIsDetectedByItsMissingEnd) {
  Capture capture;
  capture.recording = test::noise(0.1, 7, 4);
  capture.speech_start = 4000;
  capture.marks = MarksFound::leading_only;
  const std::size_t length = 32000;
  EXPECT_FALSE(call_is_gone(capture, length));
  std::fill(capture.recording.samples.begin() + 20000, capture.recording.samples.end(), 0.0F);
  EXPECT_TRUE(call_is_gone(capture, length));
  std::fill(capture.recording.samples.begin() + 20000, capture.recording.samples.begin() + 36000, 0.1F);
  EXPECT_FALSE(call_is_gone(capture, length)) << "silence after the whole stimulus is no sign";
  capture.marks = MarksFound::both;
  EXPECT_FALSE(call_is_gone(capture, length));
}

// Speech of 4 s that lies 0.5 s into a recording of 7 s, with noise on the line.
Capture spoken(const Signal& reference, double heard_s, double noise) {
  Capture capture;
  capture.recording = test::noise(noise, 7, 4);
  capture.speech_start = 4000;
  capture.marks = MarksFound::leading_only;
  for (std::size_t n = 0; n < std::min(reference.size(), static_cast<std::size_t>(heard_s * 8000)); ++n)
    capture.recording.samples[4000 + n] += reference.samples[n];
  return capture;
}

TEST(MissingTail, IsDetectedFromATenthOfASecondInAnyNoise) {
  const Signal reference = test::noise(0.1, 4, 9);
  for (const double noise : {0.0, 1e-3, 1e-2}) {
    SCOPED_TRACE(noise);
    EXPECT_FALSE(missing_tail_s(spoken(reference, 4, noise), reference, 4000, 0));
    EXPECT_FALSE(missing_tail_s(spoken(reference, 3.95, noise), reference, 4000, 0));
    EXPECT_NEAR(missing_tail_s(spoken(reference, 3.88, noise), reference, 4000, 0).value_or(0), 0.12, 0.021);
    EXPECT_NEAR(missing_tail_s(spoken(reference, 3.4, noise), reference, 4000, 0).value_or(0), 0.6, 0.021);
  }
}

TEST(MissingTail, IsNoneWithATrailingMarkOrWithoutAudibleSpeech) {
  const Signal reference = test::noise(0.1, 4, 9);
  Capture cut = spoken(reference, 3.4, 0);
  cut.marks = MarksFound::both;
  EXPECT_FALSE(missing_tail_s(cut, reference, 4000, 0)) << "cuts by the line are measured";
  EXPECT_FALSE(missing_tail_s(spoken(reference, 3.4, 0.1), reference, 4000, 0)) << "the noise is as loud";
  Capture gap = spoken(reference, 4, 0);
  std::fill_n(gap.recording.samples.begin() + 4000 + 24000, 4000, 0.0F);
  EXPECT_FALSE(missing_tail_s(gap, reference, 4000, 0)) << "it continues after the missing part";
}

TEST(MissingTail, SpeechBeyondTheRecordingsEndCountsAsMissing) {
  const Signal reference = test::noise(0.1, 4, 9);
  Capture broken = spoken(reference, 4, 1e-3);
  broken.recording.samples.resize(4000 + 30000);
  EXPECT_NEAR(missing_tail_s(broken, reference, 4000, 0).value_or(0), 0.25, 0.021);
}

TEST(CallWatch, SilenceAfterInputLostByTheReceiverIsNotALostCall) {
  Capture silent;
  silent.recording = Signal{std::vector<float>(80000), 8000};
  CallWatch watch;
  EXPECT_FALSE(watch.gone(silent, 40000, false));
  EXPECT_FALSE(watch.gone(silent, 40000)) << "it does not know where the next one is";
  watch.begin_round();
  EXPECT_TRUE(watch.gone(silent, 40000));
}

TEST(CallWatch, SilenceAfterATransmissionWithoutMarksIsNotALostCall) {
  Capture silent, other;
  silent.recording = Signal{std::vector<float>(80000), 8000};
  other.recording = test::noise(0.05, 12, 1);
  CallWatch watch;
  EXPECT_TRUE(watch.gone(silent, 40000)) << "something was due here";
  EXPECT_FALSE(watch.gone(other, 40000));
  EXPECT_FALSE(watch.gone(silent, 40000)) << "the sender may have nothing to send any more";
  EXPECT_FALSE(watch.gone(silent, 40000));
  other.marks = MarksFound::both;
  EXPECT_FALSE(watch.gone(other, 40000));
  EXPECT_TRUE(watch.gone(silent, 40000)) << "it is in step again";
  other.marks = MarksFound::none;
  EXPECT_FALSE(watch.gone(other, 40000));
  watch.begin_round();
  EXPECT_TRUE(watch.gone(silent, 40000));
}

}  // namespace
}  // namespace vqas
