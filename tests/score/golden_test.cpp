#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "score/golden_cases.h"
#include "vqas/score/score.h"
#include "vqas/signal/resample.h"

namespace vqas {
namespace {

// Single and double precision of the same model agree to 1e-5. The rest allows for other mathematical libraries, whose
// sine may change one code of a synthetic pair.
constexpr double kTolerance = 1e-3;

TEST(Golden, AgreesWithAnIndependentImplementation) {
  Scorer scorer;
  for (const auto& golden : test::golden_cases()) {
    const Score score = scorer.score(golden.reference, golden.degraded);
    ASSERT_EQ(score.outcome, Outcome::scored) << golden.name << ": " << score.reason;
    EXPECT_NEAR(*score.auditory_distance, golden.auditory_distance, kTolerance) << golden.name;
  }
}

// The rest of a result: outcome, MOS, missing speech, band, first impairment, of pairs that the independent
// implementation does not cover. The values are this library's own; a change of one must change the version and its
// history in record/score-versions.md.
struct PinnedCase {
  const char* name;
  Signal reference;
  Signal degraded;
  std::optional<KnownPlacement> placement;
  const char* outcome;
  double mos_lqo;     // 0: none
  double missing_ms;  // 0 without indices, like the next
  double high_hz;
  const char* impairment;  // the first; "" for none
};

Signal at_rate(const Signal& signal, int rate_hz) {
  const auto converted = resample(signal, rate_hz);
  return converted ? *converted : Signal{};
}

std::vector<PinnedCase> pinned_cases() {
  const Signal a = test::recipe_speech(1);
  const Signal b = test::recipe_speech(2, 6);
  const Signal silence{std::vector<float>(a.size()), kLineRateHz};
  const Signal noisy = test::with_noise(a, 20, 3);
  const KnownPlacement half_a_second{.start_samples = 4000};
  return {
      {"identity", a, a, {}, "scored", 4.55, 0, 3843.75, ""},
      {"a second inserted", b, test::with_jump(b, 0.5, 8000), {}, "scored", 3.6321, 8, 3843.75, "delay_variation"},
      {"a second deleted", test::with_jump(b, 0.5, 8000), b, {}, "scored", 4.4722, 0, 3843.75, "delay_variation"},
      {"16 kHz", at_rate(a, 16000), at_rate(noisy, 16000), {}, "scored", 2.8329, 0, 3843.75, "noise"},
      {"44.1 kHz against 8 kHz", at_rate(a, 44100), noisy, {}, "scored", 2.8329, 0, 3843.75, "noise"},
      {"placed", a, test::padded(noisy, 4000, 800), half_a_second, "scored", 2.8329, 0, 3843.75, "noise"},
      {"placed, nothing there", a, test::padded(silence, 4000, 800), half_a_second, "scored", 1.2019, 2844, 0, "loss"},
      {"first 0.6 s missing", b, test::silenced(b, 0, 0.15), {}, "scored", 3.3537, 464, 3843.75, "cut"},
      {"silence", a, silence, {}, "no_speech", 0, 0, 0, ""},
      {"another sentence", a, test::recipe_speech(3), {}, "not_aligned", 0, 0, 0, ""},
      {"half a second",
       a,
       Signal{{a.samples.begin(), a.samples.begin() + 4000}, kLineRateHz},
       {},
       "too_short",
       0,
       0,
       0,
       ""},
      {"nothing", a, Signal{{}, kLineRateHz}, {}, "bad_input", 0, 0, 0, ""},
  };
}

TEST(Golden, TheRestOfAResultBelongsToTheScoreVersion) {
  Scorer scorer;
  for (const auto& pinned : pinned_cases()) {
    const Score score = scorer.diagnose(pinned.reference, pinned.degraded, pinned.placement);
    const MissingSpeech missing = score.indices.value_or(Indices{}).missing;
    const double high_hz = score.indices ? score.indices->band_loss.high_hz : 0;
    const std::string impairment{score.impairments.empty() ? "" : to_string(score.impairments.front().impairment)};
    EXPECT_EQ(to_string(score.outcome), pinned.outcome) << pinned.name << ": " << score.reason;
    EXPECT_NEAR(score.mos_lqo.value_or(0), pinned.mos_lqo, kTolerance) << pinned.name;
    EXPECT_NEAR(missing.total_ms(), pinned.missing_ms, 8) << pinned.name;
    EXPECT_NEAR(high_hz, pinned.high_hz, 10) << pinned.name;
    EXPECT_EQ(impairment, pinned.impairment) << pinned.name;
  }
}

TEST(Golden, TheMapIsMonotoneAndEndsAtTheTopOfTheScale) {
  EXPECT_DOUBLE_EQ(mos_from_auditory_distance(0), 4.55);
  double before = 4.56;
  for (double distance = 0; distance < 12; distance += 0.1) {
    const double mos = mos_from_auditory_distance(distance);
    EXPECT_LT(mos, before);
    EXPECT_GT(mos, 1.0);
    before = mos;
  }
  EXPECT_NEAR(mos_from_auditory_distance(2.0655), 3.0, 1e-3);
  EXPECT_TRUE(std::isnan(mos_from_auditory_distance(std::nan("")))) << "NaN is not perfect";
  EXPECT_EQ(mos_from_auditory_distance(-1), 4.55) << "nothing scores above identity";
}

TEST(Golden, TheVersionAndTheErrorAreNamed) {
  EXPECT_STREQ(kScoreVersion, "vqas-nb-32");
  const ModelError error = model_error();
  EXPECT_GT(error.mos, 0.05);
  EXPECT_LT(error.mos, 0.5);
  EXPECT_STRNE(error.label, "");
  EXPECT_STRNE(error.source, "");
}

}  // namespace
}  // namespace vqas
