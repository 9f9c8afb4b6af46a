// The C interface gives what the C++ library gives, which this program also holds a copy of.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/places.h"
#include "vqas/channel/carry_signal.h"
#include "vqas/score/score.h"
#include "vqas/score/segments.h"
#include "vqas/signal/audio_file.h"
#include "vqas/sync/transmission.h"
#include "vqas/vqas.h"

namespace vqas {
namespace {

Signal sentence(const char* id) {
  const auto signal =
      read_audio(std::filesystem::path(test::source_dir()) / "corpus" / "8k" / (std::string(id) + ".wav"));
  return signal.value();
}

// Plain G.711 and bit errors.
LineConditions conditions(double ber) {
  LineConditions line;
  line.ber = ber;
  line.delay_s = 0;
  line.band_limit = false;
  line.circuit_noise_dbm0p = -std::numeric_limits<double>::infinity();
  line.gain_ripple_db = 0;
  line.fresh_phase = false;
  return line;
}

vqas_recording recording_of(const Signal& signal) {
  return {signal.samples.data(), signal.size(), signal.rate_hz};
}

struct Scored {
  Scored() { EXPECT_EQ(vqas_scorer_create(&scorer), VQAS_OK); }
  ~Scored() { vqas_scorer_destroy(scorer); }
  vqas_scorer* scorer = nullptr;
  vqas_score score{};
};

void expect_same(double c, const std::optional<double>& cpp, const char* what) {
  EXPECT_EQ(std::isnan(c), !cpp) << what;
  if (cpp) {
    EXPECT_EQ(c, *cpp) << what;
  }
}

void expect_same(const vqas_score& c, const Score& cpp) {
  EXPECT_EQ(vqas_outcome_text(c.outcome), to_string(cpp.outcome));
  expect_same(c.mos_lqo, cpp.mos_lqo, "mos_lqo");
  expect_same(c.auditory_distance, cpp.auditory_distance, "auditory_distance");
  expect_same(c.confidence, cpp.confidence, "confidence");
  expect_same(c.delay_ms, cpp.delay_ms, "delay_ms");
  expect_same(c.clock_drift_ppm, cpp.clock_drift_ppm, "clock_drift_ppm");
  expect_same(c.level_difference_db, cpp.level_difference_db, "level_difference_db");
  EXPECT_EQ(c.impairments, cpp.impairments.size());
  EXPECT_EQ(c.delay_pieces, cpp.delay_track.size());
  EXPECT_EQ(c.unused_sounds, cpp.unused_sound.size());
  ASSERT_EQ(c.diagnosed != 0, cpp.indices.has_value());
  if (!cpp.indices) return;
  EXPECT_EQ(c.band_low_hz, cpp.indices->band_loss.low_hz);
  EXPECT_EQ(c.band_high_hz, cpp.indices->band_loss.high_hz);
  EXPECT_EQ(c.loudness_lost, cpp.indices->band_loss.loudness_lost);
  EXPECT_EQ(c.missing_middle_ms, cpp.indices->missing.middle_ms);
  EXPECT_EQ(c.speech_ms, cpp.indices->missing.speech_ms);
  EXPECT_EQ(c.level_range_db, cpp.indices->level_track.range_db);
  EXPECT_EQ(std::isnan(c.noise_dbm0p), !cpp.indices->noise);
}

TEST(CInterface, ScoresArePreciselyThoseOfCpp) {
  const Signal reference = sentence("M4");
  Scorer scorer;
  Scored c;
  for (const double ber : {0.0, 1e-4, 1e-3, 1e-2}) {
    const Signal heard = carry_signal(reference, conditions(ber), 3).value().heard;
    const auto from = recording_of(reference), to = recording_of(heard);
    vqas_score_options options{};
    ASSERT_EQ(vqas_score_options_init(&options, sizeof options), VQAS_OK);
    for (const int diagnose : {0, 1}) {
      options.diagnose = diagnose;
      ASSERT_EQ(vqas_scorer_score(c.scorer, &from, &to, &options, sizeof options, &c.score, sizeof c.score), VQAS_OK);
      const Score expected = diagnose != 0 ? scorer.diagnose(reference, heard) : scorer.score(reference, heard);
      expect_same(c.score, expected);
      EXPECT_EQ(vqas_scorer_reason(c.scorer), expected.reason);
      for (std::size_t n = 0; n < expected.impairments.size(); ++n) {
        vqas_impairment_finding finding{};
        ASSERT_EQ(vqas_scorer_impairment(c.scorer, n, &finding, sizeof finding), VQAS_OK);
        EXPECT_EQ(vqas_impairment_text(finding.impairment), to_string(expected.impairments[n].impairment));
        EXPECT_EQ(finding.strength, expected.impairments[n].strength);
      }
    }
  }
}

TEST(CInterface, WidebandScoresArePreciselyThoseOfCpp) {
  const Signal reference = read_audio(std::filesystem::path(test::source_dir()) / "corpus" / "16k" / "F3.wav").value();
  Signal heard = reference;
  for (std::size_t i = 40000; i < 48000 && i < heard.size(); ++i) heard.samples[i] = 0;
  Scorer scorer(ScoreMode::wideband);
  Scored c;
  vqas_scorer_destroy(c.scorer);
  ASSERT_EQ(vqas_scorer_create_for(VQAS_WIDEBAND, &c.scorer), VQAS_OK);
  vqas_score_options options{};
  ASSERT_EQ(vqas_score_options_init(&options, sizeof options), VQAS_OK);
  options.diagnose = 1;
  const vqas_recording from = recording_of(reference), to = recording_of(heard);
  ASSERT_EQ(vqas_scorer_score(c.scorer, &from, &to, &options, sizeof options, &c.score, sizeof c.score), VQAS_OK);
  const Score expected = scorer.diagnose(reference, heard);
  ASSERT_TRUE(expected.mos_lqo);
  EXPECT_LT(*expected.mos_lqo, 4.6);
  expect_same(c.score, expected);
}

int read_signal(void* user, std::uint64_t first, std::size_t count, float* samples) {
  const auto& from = static_cast<const Signal*>(user)->samples;
  std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(first), count, samples);
  return 0;
}

TEST(CInterface, ALongScoreIsPreciselyThatOfCpp) {
  Signal reference;
  for (const char* id : {"M1", "F1", "M2", "F2", "M3", "F3", "M4", "F4", "M5"}) {
    const Signal next = sentence(id);
    reference.samples.insert(reference.samples.end(), next.samples.begin(), next.samples.end());
  }
  Signal heard = carry_signal(reference, conditions(1e-3), 5).value().heard;
  Scorer scorer;
  const auto expected = score_in_segments(scorer, as_long_recording(reference), as_long_recording(heard));
  ASSERT_TRUE(expected);
  Scored c;
  const vqas_source from{reference.size(), 8000, read_signal, &reference}, to{heard.size(), 8000, read_signal, &heard};
  ASSERT_EQ(vqas_scorer_score_long(c.scorer, &from, &to, nullptr, 0, &c.score, sizeof c.score), VQAS_OK);
  expect_same(c.score, expected->overall);
  ASSERT_EQ(c.score.segments, expected->segments.size());
  for (std::size_t n = 0; n < c.score.segments; ++n) {
    vqas_segment segment{};
    ASSERT_EQ(vqas_scorer_segment(c.scorer, n, &segment, sizeof segment), VQAS_OK);
    expect_same(segment.mos_lqo, expected->segments[n].score.mos_lqo, "segment");
  }
}

TEST(CInterface, ALineSoundsPreciselyAsThatOfCpp) {
  const Signal sent = sentence("F5");
  for (const bool band_limit : {false, true}) {
    LineConditions line = conditions(1e-3);
    line.band_limit = band_limit;
    line.gain_db = -3;
    line.circuit_noise_dbm0p = -60;
    const Signal expected = carry_signal(sent, line, 11, 2).value().heard;
    vqas_line_options options{};
    ASSERT_EQ(vqas_line_options_init(&options, sizeof options), VQAS_OK);
    options.ber = 1e-3;
    options.gain_db = -3;
    options.band_limit = band_limit ? 1 : 0;
    options.circuit_noise_dbm0p = -60;
    vqas_line* c = nullptr;
    ASSERT_EQ(vqas_line_create(&options, sizeof options, 11, 2, &c, nullptr, 0), VQAS_OK);
    const std::size_t delay = vqas_line_delay_samples(c);
    std::vector<float> heard = sent.samples;
    heard.resize(sent.size() + delay);
    ASSERT_EQ(vqas_line_process(c, heard.data(), heard.size(), heard.data()), VQAS_OK);
    vqas_line_destroy(c);
    heard.erase(heard.begin(), heard.begin() + static_cast<std::ptrdiff_t>(delay));
    EXPECT_EQ(heard, expected.samples);
  }
}

TEST(CInterface, ATransmissionIsPreciselyThatOfCpp) {
  const Signal stimulus = sentence("M2");
  const Transmission expected = compose_transmission(stimulus, {End::b, 9, 8, 7, 6}, {.guard_s = 0.2});
  const vqas_mark_data data{VQAS_END_B, 9, 8, 7, 6};
  std::vector<float> samples(vqas_transmission_length(stimulus.size(), 0.2));
  std::size_t start = 0;
  ASSERT_EQ(vqas_transmission_make(stimulus.samples.data(), stimulus.size(), &data, 0.2, samples.data(), samples.size(),
                                   &start),
            VQAS_OK);
  EXPECT_EQ(samples, expected.signal.samples);
  EXPECT_EQ(start, expected.layout.speech_start);
}

}  // namespace
}  // namespace vqas
