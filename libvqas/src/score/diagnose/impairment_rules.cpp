#include "score/diagnose/impairment_rules.h"

#include <algorithm>
#include <cmath>

#include "score/model/shared_numbers.h"
#include "vqas/signal/level.h"

namespace vqas::scoring {
namespace {

// What is just named of each.
constexpr double kToldNoiseDb = 38.3;     // by hand: speech over noise in pauses
constexpr double kToldCodingDb = 23.4;    // by hand: speech over the error that comes with it
constexpr double kToldErrorsPerS = 0.56;  // by hand: bit errors, clicks
constexpr double kToldBandLoss = 0.02;    // by hand: of the loudness
constexpr double kNarrowFromHz = 450;     // by hand: a telephone's band reaches further,
constexpr double kNarrowToHz = 2850;      // on either side
constexpr double kToldJumpMsPerS = 1;     // by hand: in a second of speech; one jump is told
constexpr double kToldDriftPpm = 90;      // A choice: what two clocks of ordinary sound devices may differ by.
constexpr double kMostPeaks = 0.5;        // by hand: loss of the peaks that explains all that comes with the speech
constexpr double kToldCutMs = kTwoPackets * kStepMs;
constexpr double kLossShare = 0.06;  // of the speech: two thirds of what leaves nothing

// One rule for all but loss: how many times what is just named, ten at most.
double strength_of(double amount, double told_from) {
  return std::min(kMostStrength, kToldStrength * amount / told_from);
}

// Of a fainter one the score hears next to nothing.
double strength_if_told(double amount, double told_from) {
  return amount < told_from ? 0.0 : strength_of(amount, told_from);
}

double strength_of_db(double speech_to_fault_db, double told_from_db) {
  return strength_of(db_to_amplitude(told_from_db - speech_to_fault_db), 1);
}

}  // namespace

bool is_worth_telling(const ImpairmentFinding& finding, double cost_mos) {
  return !finding.is_faint() || finding.strength + cost_mos >= kWorthASentence;
}

double loss_strength(double lost_share) {
  return kMostStrength * (1 - std::exp(-lost_share / kLossShare));
}

double lost_share(double strength) {
  return strength < kMostStrength ? -kLossShare * std::log(1 - strength / kMostStrength) : 1;
}

double share_beside_clipping(double peak_loss) {
  return std::max(0.0, 1 - peak_loss / kMostPeaks);
}

double cut_strength(double cut_ms) {
  return strength_of(cut_ms, kToldCutMs);
}

double band_loss_strength(double loudness_lost) {
  return std::max(kToldStrength, strength_of(loudness_lost, kToldBandLoss));
}

double noise_strength(double speech_to_noise_db) {
  return strength_of_db(speech_to_noise_db, kToldNoiseDb);
}

double level_strength(double range_db) {
  return strength_if_told(range_db, kToldLevelDb);
}

std::vector<ImpairmentFinding> name_impairments(const ImpairmentFeatures& f) {
  std::vector<ImpairmentFinding> found;
  const auto add = [&](Impairment impairment, double strength) { found.push_back({impairment, strength}); };
  // What the score did not lose no error of the waveform is told for: A-law, a filter's ringing, a fraction of a
  // sample.
  const bool costs = f.cost_mos >= kToldStrength;  // in MOS here
  const double replaced = costs ? std::max(0.0, f.replaced_share - kFewReplaced) : 0.0;
  add(Impairment::loss, loss_strength(f.missing_share + replaced));
  add(Impairment::cut, cut_strength(f.cut_ms));
  // Noise is known by the pauses alone: where it is more than a good circuit has, the score need only lose something.
  const double least_noise = costs ? kToldStrength : 0;
  const double steady = f.is_noise_over ? std::max(least_noise, noise_strength(f.speech_to_noise_db)) : 0.0;
  add(Impairment::noise, std::max(steady, strength_of(f.clicks_per_s, kToldErrorsPerS)));
  add(Impairment::clipping, strength_of(f.peak_loss, kClippedPeaks));
  const double coding = f.waveform_kept ? strength_of_db(f.speech_to_coding_db, kToldCodingDb) : kMostStrength;
  if (costs)
    add(Impairment::coding,
        std::max(share_beside_clipping(f.peak_loss) * coding, strength_of(f.impulses_per_s, kToldErrorsPerS)));
  const bool narrow = f.band_low_hz > kNarrowFromHz || f.band_high_hz < kNarrowToHz;
  if (narrow) add(Impairment::band_loss, band_loss_strength(f.band_loudness_lost));
  add(Impairment::level, level_strength(f.level_range_db));
  const double jumping = f.jumps == 0 ? 0.0 : std::max(kToldStrength, strength_of(f.jumps_ms_per_s, kToldJumpMsPerS));
  // A clock that runs away moves the delay, too.
  add(Impairment::delay_variation, std::max(jumping, strength_if_told(std::abs(f.clock_drift_ppm), kToldDriftPpm)));
  for (ImpairmentFinding& finding : found) finding.strength = std::round(finding.strength * 100) / 100;
  std::erase_if(found, [&](const ImpairmentFinding& one) {
    return one.is_faint() && (one.strength <= 0 || !is_worth_telling(one, f.cost_mos));
  });
  std::stable_sort(found.begin(), found.end(),
                   [](const ImpairmentFinding& a, const ImpairmentFinding& b) { return a.strength > b.strength; });
  return found;
}

}  // namespace vqas::scoring
