#include "score/cause_rules.h"

#include <algorithm>
#include <cmath>

namespace vqas::scoring {
namespace {

// Below this nobody is sent out.
constexpr double kLeastStrength = 0.3;

// A choice: what two clocks of ordinary sound devices may differ by.
constexpr double kToldDriftPpm = 90;

constexpr double kRuined = 3;        // the strength of what leaves nothing
constexpr double kLossShare = 0.06;  // of the speech: two thirds of that strength

double ramp(double value, double from, double to, double top) {
  return top * std::clamp((value - from) / (to - from), 0.0, 1.0);
}

}  // namespace

double loss_strength(double lost_share) {
  return kRuined * (1 - std::exp(-lost_share / kLossShare));
}

double lost_share(double strength) {
  return strength < kRuined ? -kLossShare * std::log(1 - strength / kRuined) : 1;
}

double cut_strength(double cut_ms) {
  return cut_ms < 40 ? 0.0 : 0.7 + ramp(cut_ms, 40, 2000, 2.3);
}

std::vector<CauseFinding> name_causes(const CauseFeatures& f) {
  std::vector<CauseFinding> found;
  const auto add = [&](Cause cause, double strength) {
    if (strength >= kLeastStrength) found.push_back({cause, std::round(strength * 100) / 100});
  };
  // A few blocks that look replaced are no loss: fricatives and fractions of a sample do that.
  const double lost = f.missing_share + 1.5 * std::max(0.0, f.replaced_share - 0.02);
  add(Cause::loss, loss_strength(lost));
  add(Cause::cut, cut_strength(f.cut_ms));
  add(Cause::noise, ramp(f.speech_to_noise_db, 42, 5, 3));
  const double coding = f.waveform_kept ? ramp(f.speech_to_coding_db, 26, 0, 3) : 2.0;
  const double bit_errors = f.impulses_per_s > 0.5 ? ramp(std::log10(f.impulses_per_s), -0.5, 2, 3) : 0.0;
  // Clipping leaves an error that comes with the speech, too.
  add(Cause::coding, std::max(coding * std::max(0.1, 1 - 2 * f.peak_loss), bit_errors));
  add(Cause::clipping, ramp(f.peak_loss, 0.08, 0.35, 3));
  const bool narrow = f.band_high_hz < 2850 || f.band_low_hz > 450;
  add(Cause::band_loss, narrow ? 0.3 + ramp(f.band_loudness_lost, 0.02, 0.5, 2.5) : 0.0);
  add(Cause::level, f.level_range_db < 3.5 ? 0.0 : 0.4 + ramp(f.level_range_db, 3.5, 15, 2));
  const double jumping = f.jumps == 0 ? 0.0 : 0.3 + ramp(f.jumps_ms_per_s, 0, 60, 2.5);
  // A clock that runs away moves the delay, too. The score forgives it, so it comes behind what is heard.
  const double drift = std::abs(f.clock_drift_ppm);
  add(Cause::delay_variation,
      std::max(jumping, drift < kToldDriftPpm ? 0.0 : 0.3 + ramp(drift, kToldDriftPpm, 3000, 0.7)));
  std::stable_sort(found.begin(), found.end(),
                   [](const CauseFinding& a, const CauseFinding& b) { return a.strength > b.strength; });
  return found;
}

}  // namespace vqas::scoring
