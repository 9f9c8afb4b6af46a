#include "score/diagnose/impairment_rules.h"

#include <algorithm>
#include <cmath>

#include "score/model/shared_numbers.h"

namespace vqas::scoring {
namespace {

// A weaker impairment is not named. A loss of the score by less, in MOS, is not told either.
constexpr double kLeastStrength = 0.3;

// A choice: what two clocks of ordinary sound devices may differ by.
constexpr double kToldDriftPpm = 90;

constexpr double kToldCutMs = kTwoPackets * kStepMs;

constexpr double kLossShare = 0.06;  // of the speech: two thirds of that strength

// The score hears noise and an error that comes with the speech long before the rules above would tell them: where it
// lost more than what was named, ones are that are weaker by this.
constexpr double kFaintDb = 7.7;
constexpr double kRingsFromHz = 270;

double ramp(double value, double from, double to, double top) {
  return top * std::clamp((value - from) / (to - from), 0.0, 1.0);
}

// From where an impairment is just named to where it leaves nothing.
double told_strength(double value, double told_from, double worst) {
  return kLeastStrength + ramp(value, told_from, worst, kRuined - kLeastStrength);
}

double noise_strength(double speech_to_noise_db) {
  return ramp(speech_to_noise_db, 42, 5, kRuined);
}

double coding_strength(double speech_to_coding_db) {
  return ramp(speech_to_coding_db, 26, 0, kRuined);
}

}  // namespace

double loss_strength(double lost_share) {
  return kRuined * (1 - std::exp(-lost_share / kLossShare));
}

double lost_share(double strength) {
  return strength < kRuined ? -kLossShare * std::log(1 - strength / kRuined) : 1;
}

double cut_strength(double cut_ms) {
  return cut_ms < kToldCutMs ? 0.0 : told_strength(cut_ms, kToldCutMs, 2000);
}

double band_loss_strength(double loudness_lost) {
  return told_strength(loudness_lost, 0.02, 0.5);
}

std::vector<ImpairmentFinding> name_impairments(const ImpairmentFeatures& f) {
  std::vector<ImpairmentFinding> found;
  const auto add = [&](Impairment impairment, double strength) {
    if (strength >= kLeastStrength) found.push_back({impairment, std::round(strength * 100) / 100});
  };
  // What the score did not lose no error of the waveform is told for: A-law, a filter's ringing, a fraction of a
  // sample.
  const bool costs = f.cost_mos >= kLeastStrength;
  const double lost = f.missing_share + (costs ? std::max(0.0, f.replaced_share - kFewReplaced) : 0.0);
  add(Impairment::loss, loss_strength(lost));
  add(Impairment::cut, cut_strength(f.cut_ms));
  const auto often = [](double per_s) { return ramp(std::log10(per_s), -0.5, 2, kRuined); };
  const double bit_errors = often(f.impulses_per_s);
  const double steady_noise = f.is_noise_over ? noise_strength(f.speech_to_noise_db) : 0.0;
  add(Impairment::noise, std::max(steady_noise, often(f.clicks_per_s)));
  const double coding = f.waveform_kept ? coding_strength(f.speech_to_coding_db) : kRuined;
  // Clipping leaves an error that comes with the speech, too.
  const double not_clipping = std::max(0.1, 1 - 2 * f.peak_loss);
  if (costs) add(Impairment::coding, std::max(coding * not_clipping, bit_errors));
  add(Impairment::clipping, ramp(f.peak_loss, kClippedPeaks, 0.35, kRuined));
  const bool narrow = f.band_high_hz < 2850 || f.band_low_hz > 450;
  add(Impairment::band_loss, narrow ? band_loss_strength(f.band_loudness_lost) : 0.0);
  add(Impairment::level, f.level_range_db < kToldLevelDb ? 0.0 : told_strength(f.level_range_db, kToldLevelDb, 15));
  const double jumping = f.jumps == 0 ? 0.0 : told_strength(f.jumps_ms_per_s, 0, 60);
  // A clock that runs away moves the delay, too. The score forgives it, so it comes behind what is heard.
  const double drift = std::abs(f.clock_drift_ppm);
  add(Impairment::delay_variation,
      std::max(jumping, drift < kToldDriftPpm ? 0.0 : told_strength(drift, kToldDriftPpm, 10000)));
  double named = 0;
  for (const ImpairmentFinding& finding : found) named += finding.strength;
  if (f.cost_mos - named >= kLeastStrength) {
    const auto add_faint = [&](Impairment impairment, double strength) {
      const bool known =
          std::any_of(found.begin(), found.end(), [&](const auto& one) { return one.impairment == impairment; });
      if (!known) add(impairment, strength);
    };
    if (f.peak_loss > kFaintPeaks) add_faint(Impairment::clipping, kLeastStrength);
    if (f.is_noise_over) add_faint(Impairment::noise, noise_strength(f.speech_to_noise_db - kFaintDb));
    // A steep high-pass rings longer than the response reaches.
    const bool rings = f.band_low_hz > kRingsFromHz;
    if (f.waveform_kept && !rings)
      add_faint(Impairment::coding, not_clipping * coding_strength(f.speech_to_coding_db - kFaintDb));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const ImpairmentFinding& a, const ImpairmentFinding& b) { return a.strength > b.strength; });
  return found;
}

}  // namespace vqas::scoring
