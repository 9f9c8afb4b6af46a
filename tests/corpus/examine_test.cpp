// The verdict on one recording: each fault by name, and the stimulus made from a good one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "scratch_corpus.h"
#include "support/signals.h"
#include "support/speech.h"
#include "vqas/corpus/import.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/level.h"
#include "vqas/signal/resample.h"

namespace vqas {
namespace {

using ::testing::HasSubstr;

Signal recording(const std::string& id, int rate_hz = 8000) {
  auto signal = read_audio(test::project_corpus() / (std::to_string(rate_hz / 1000) + "k") / (id + ".wav"));
  EXPECT_TRUE(signal);
  return *signal;
}

Signal scaled(Signal signal, double gain_db) {
  for (float& sample : signal.samples) sample = static_cast<float>(sample * db_to_amplitude(gain_db));
  return signal;
}

Signal sum(Signal signal, const Signal& other) {
  for (std::size_t n = 0; n < signal.size(); ++n) signal.samples[n] += other.samples[n % other.size()];
  return signal;
}

// White noise of a given level, as long as the signal.
Signal noise_for(const Signal& signal, double dbov) {
  return test::noise(db_to_amplitude(dbov) * std::sqrt(3.0), signal.seconds() + 0.01, 4, signal.rate_hz);
}

Signal joined(Signal first, const Signal& second) {
  first.samples.insert(first.samples.end(), second.samples.begin(), second.samples.end());
  return first;
}

Signal part(const Signal& signal, double from_s, double to_s) {
  return {{signal.samples.begin() + std::llround(from_s * signal.rate_hz),
           signal.samples.begin() + std::llround(to_s * signal.rate_hz)},
          signal.rate_hz};
}

Signal low_passed(const Signal& signal, int corner_hz) {
  auto out = *resample(*resample(signal, 2 * corner_hz), signal.rate_hz);
  out.samples.resize(signal.size());
  return out;
}

// Bursts of 0.2 s with pauses of 0.2 s.
Signal in_bursts(Signal signal) {
  for (std::size_t n = 0; n < signal.size(); ++n) {
    if (n / static_cast<std::size_t>(signal.rate_hz / 5) % 2 == 0) signal.samples[n] *= 1e-3F;
  }
  return signal;
}

void expect_refused(const Signal& signal, Refusal expected, const std::string& what) {
  const auto found = examine_recording(signal, "X");
  EXPECT_STREQ(name_of(found.refusal), name_of(expected)) << what << ": " << found.reason;
  EXPECT_THAT(found.reason, HasSubstr(" ")) << what;
  EXPECT_TRUE(found.master.empty()) << what;
}

double correlation(const Signal& a, std::size_t from_a, const Signal& b, std::size_t from_b, std::size_t count) {
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const double x = a.samples[from_a + n];
    const double y = b.samples[from_b + n];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return ab / std::sqrt(aa * bb);
}

TEST(Examine, AcceptsEveryStimulusOfTheProjectAtBothRatesAndAtAnyLevel) {
  for (const std::string talker : {"M", "F"}) {
    for (const char number : {'1', '2', '3', '4', '5', '6'}) {
      for (const int rate : {8000, 16000}) {
        for (const double gain : {-20.0, 0.0, 4.0}) {
          const auto found = examine_recording(scaled(recording(talker + number, rate), gain), "X");
          ASSERT_EQ(found.refusal, Refusal::none) << talker << number << " " << rate << ": " << found.reason;
          EXPECT_NEAR(found.figures.source_level_dbov, -26 + gain, 0.15);
          EXPECT_EQ(found.figures.wide, rate == 16000);
          EXPECT_EQ(found.master.rate_hz, rate);
          const auto level = measure_speech_level(found.master.samples, rate);
          EXPECT_NEAR(level->active_level_dbov, -26, 0.01);
        }
      }
    }
  }
}

TEST(Examine, AcceptsRecordingsOfPeople) {
  VQAS_SPEECH_OR_SKIP(folder);
  for (const std::string name : {"harvard_F1", "harvard_M1", "long"}) {
    const auto speech = read_audio(folder / (name + ".flac"));
    ASSERT_TRUE(speech);
    const auto found = examine_recording(*speech, "X");
    EXPECT_EQ(found.refusal, Refusal::none) << name << ": " << found.reason;
    EXPECT_TRUE(found.figures.wide) << name;
    EXPECT_GT(found.figures.snr_db, 40) << name;
  }
}

TEST(Examine, RoomNoiseIsNeverSpeech) {
  VQAS_SPEECH_OR_SKIP(folder);
  const auto silence = read_audio(folder / "long_silence.flac");
  ASSERT_TRUE(silence);
  expect_refused(*silence, Refusal::too_quiet, "as it is");
  expect_refused(scaled(*silence, 50), Refusal::no_speech, "amplified");
}

TEST(Examine, ChangesOnlyLevelAndRumbleOfTheSpeech) {
  const Signal source = recording("F3", 16000);
  const auto found = examine_recording(joined(scaled(noise_for(source, -80), 0), source), "X");
  ASSERT_EQ(found.refusal, Refusal::none) << found.reason;
  // The pause before the speech is 0.3 s in both, within the 10 ms of the search.
  double best = 0;
  for (std::ptrdiff_t shift = -320; shift <= 320; ++shift) {
    best = std::max(best, correlation(source, 6400, found.master, static_cast<std::size_t>(6400 + shift), 48000));
  }
  EXPECT_GT(best, 0.9995);
}

TEST(Examine, PausesLast300MsBeforeAndALittleMoreAfter) {
  const Signal source = recording("M2");
  const Signal pause = noise_for(part(source, 0, 2), -76);
  for (const Signal& variant : {source, joined(joined(pause, source), pause), part(source, 0.28, 3.7)}) {
    const auto found = examine_recording(variant, "X");
    ASSERT_EQ(found.refusal, Refusal::none) << found.reason;
    EXPECT_NEAR(found.master.seconds(), source.seconds(), 0.12);
    // A synthetic pause has the noise floor found between the words, which is higher than that of the room.
    EXPECT_LT(rms_dbov({found.master.samples.data(), 2000}), -60);
    EXPECT_LT(rms_dbov({found.master.samples.data() + found.master.size() - 2000, 2000}), -60);
    EXPECT_GT(rms_dbov({found.master.samples.data() + 2400, 2400}), -40);
  }
}

TEST(Examine, PausesHoldNoDigitalSilence) {
  Signal source = recording("M2");
  std::fill_n(source.samples.begin(), 2000, 0.0F);
  std::fill(source.samples.end() - 2000, source.samples.end(), 0.0F);
  const auto found = examine_recording(source, "X");
  ASSERT_EQ(found.refusal, Refusal::none) << found.reason;
  EXPECT_NEAR(rms_dbov({found.master.samples.data(), 1600}), -75, 2);
}

TEST(Examine, IsRepeatableAndEachIdHasItsOwnNoise) {
  const Signal source = recording("M2");
  EXPECT_EQ(examine_recording(source, "X").master.samples, examine_recording(source, "X").master.samples);
  EXPECT_NE(examine_recording(source, "X").master.samples, examine_recording(source, "Y").master.samples);
}

TEST(Examine, ASteadyOffsetIsRemovedAndNotRefused) {
  Signal source = recording("M2");
  for (float& sample : source.samples) sample += 0.1F;
  const auto found = examine_recording(source, "X");
  ASSERT_EQ(found.refusal, Refusal::none) << found.reason;
  double mean = 0;
  for (const float sample : found.master.samples) mean += sample;
  EXPECT_LT(std::abs(mean / static_cast<double>(found.master.size())), 1e-4);
}

TEST(Examine, OtherRatesAreConverted) {
  const Signal wide = recording("F2", 16000);
  for (const int rate : {11025, 22050, 44100, 48000}) {
    const auto found = examine_recording(*resample(wide, rate), "X");
    ASSERT_EQ(found.refusal, Refusal::none) << rate << ": " << found.reason;
    EXPECT_EQ(found.figures.source_rate_hz, rate);
    EXPECT_EQ(found.figures.wide, rate >= 16000) << rate;
    EXPECT_EQ(found.master.rate_hz, rate >= 16000 ? 16000 : 8000);
  }
}

TEST(Examine, ANarrowRecordingInAWideFileGivesNoWideStimulus) {
  const auto found = examine_recording(*resample(recording("M3"), 16000), "X");
  ASSERT_EQ(found.refusal, Refusal::none) << found.reason;
  EXPECT_FALSE(found.figures.wide);
  EXPECT_EQ(found.master.rate_hz, 8000);
}

TEST(Examine, RefusesAClippedRecording) {
  for (const int rate : {8000, 16000}) {
    for (const double gain : {14.0, 20.0, 30.0}) {
      Signal clipped = scaled(recording("M1", rate), gain);
      for (float& sample : clipped.samples) sample = std::clamp(sample, -1.0F, 1.0F);
      expect_refused(clipped, Refusal::clipped, std::to_string(gain));
      expect_refused(scaled(clipped, -12), Refusal::clipped, "turned down after clipping");
    }
  }
}

TEST(Examine, RefusesANoisyRecording) {
  const Signal speech = recording("M6");
  for (const double snr : {12.0, 17.0, 20.0, 25.0}) {
    expect_refused(sum(speech, noise_for(speech, -26 - snr)), Refusal::noisy, std::to_string(snr));
  }
  EXPECT_EQ(examine_recording(sum(speech, noise_for(speech, -26 - 36)), "X").refusal, Refusal::none);
}

TEST(Examine, RefusesSpeechBuriedInNoise) {
  const Signal speech = recording("M6");
  expect_refused(sum(speech, noise_for(speech, -26)), Refusal::no_speech, "0 dB");
}

TEST(Examine, RefusesANarrowRecording) {
  for (const int rate : {8000, 16000}) {
    const Signal dull = low_passed(recording("F1", rate), 2000);
    expect_refused(dull, Refusal::narrow, "low-passed at 2 kHz");
    expect_refused(sum(dull, noise_for(dull, -66)), Refusal::narrow, "and with a hiss that fills the band");
  }
}

TEST(Examine, RefusesASilentRecording) {
  expect_refused({std::vector<float>(40000, 0.0F), 8000}, Refusal::silent, "digital silence");
  expect_refused({std::vector<float>(40000, 1e-30F), 8000}, Refusal::silent, "denormal");
}

TEST(Examine, RefusesARecordingThatIsTooQuiet) {
  expect_refused(scaled(recording("M1"), -40), Refusal::too_quiet, "-66 dBov");
}

TEST(Examine, RefusesSoundsOtherThanSpeech) {
  expect_refused(test::sine(1020, 0.1, 4), Refusal::no_speech, "tone");
  expect_refused(test::noise(0.1, 4, 7), Refusal::no_speech, "noise");
  expect_refused(in_bursts(test::sine(1020, 0.1, 4)), Refusal::no_speech, "beeps");
  expect_refused(in_bursts(test::noise(0.1, 4, 7)), Refusal::no_speech, "bursts of noise");
}

TEST(Examine, RefusesARecordingThatIsTooShort) {
  expect_refused(part(recording("M1"), 0.5, 1.5), Refusal::too_short, "a second");
  Signal word = recording("M1");
  std::copy_n(word.samples.begin(), 1000, word.samples.end() - 1000);
  for (std::size_t at = 8000; at + 1000 < word.size(); at += 1000) {
    std::copy_n(word.samples.begin(), 1000, word.samples.begin() + static_cast<std::ptrdiff_t>(at));
  }
  expect_refused(word, Refusal::too_short, "a word in a long file");
  expect_refused({{0.1F}, 8000}, Refusal::too_short, "a single sample");
  expect_refused({{}, 8000}, Refusal::silent, "no sample");
}

TEST(Examine, RefusesARecordingThatIsTooLong) {
  expect_refused(joined(recording("M5"), recording("F5")), Refusal::too_long, "two sentences");
}

TEST(Examine, RefusesSpeechThatIsCutOff) {
  const Signal speech = recording("M5");
  expect_refused(part(speech, 1.02, 5.5), Refusal::cut_off, "at its beginning");
  const auto end_cut = examine_recording(part(speech, 0, 4.55), "X");
  EXPECT_EQ(end_cut.refusal, Refusal::cut_off);
  EXPECT_THAT(end_cut.reason, HasSubstr("ends"));
}

TEST(Examine, RefusesPeaksThatWouldExceedFullScale) {
  Signal clicks = scaled(recording("M1"), -20);
  clicks.samples[20000] = 0.9F;
  expect_refused(clicks, Refusal::too_peaky, "a click");
}

TEST(Examine, RefusesARateBelowTheLine) {
  expect_refused(*resample(recording("M1"), 6000), Refusal::rate_too_low, "6 kHz");
}

TEST(Examine, SurvivesSamplesThatAreNotFiniteOrFarTooLarge) {
  for (const float value : {std::nanf(""), std::numeric_limits<float>::infinity(), std::numeric_limits<float>::max()}) {
    Signal one = recording("M1");
    one.samples[9000] = value;
    expect_refused(one, Refusal::unreadable, std::to_string(value));
  }
}

}  // namespace
}  // namespace vqas
