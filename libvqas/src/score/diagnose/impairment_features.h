#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "score/diagnose/aligned_pair.h"
#include "score/diagnose/step_powers.h"
#include "score/model/model.h"
#include "vqas/score/indices.h"

namespace vqas::scoring {

/// From the top of the scale to its end.
inline constexpr double kWholeScaleMos = MosScale().top - MosScale().bottom;

/// A share of replaced speech that is no loss: fricatives and fractions of a sample look replaced, too.
inline constexpr double kFewReplaced = 0.02;

/// What the impairments are told from. Ratios are of the speech to the fault, in dB: a large one is a small fault.
struct ImpairmentFeatures {
  double speech_s = 0;             ///< speech in the reference
  double missing_share = 0;        ///< of the speech, in the middle
  double replaced_share = 0;       ///< of the speech: blocks of 20 ms that hold something else, between sound ones
  double cut_ms = 0;               ///< front and tail
  double noise_power = 0;          ///< of the noise in the pauses that are scored, a sample
  double pause_noise_power = 0;    ///< of that in all pauses, those before and behind the speech too
  bool is_noise_over = true;       ///< whether the latter is more than a good circuit has
  std::vector<int> impulses;       ///< in each step
  double speech_to_noise_db = 0;   ///< noise in the talker's pauses, impulses left out
  double speech_to_coding_db = 0;  ///< median over blocks of 20 ms, of the error that comes with the speech
  double impulses_per_s = 0;       ///< single samples far off, as inverted bits of PCM make them
  double clicks_per_s = 0;         ///< the same of sounds that last some samples; one of the two is 0
  double peak_loss = 0;            ///< how much less the line passes on of peaks than of the rest: 0 none, 1 all
  std::vector<char> clipped;       ///< in each step: whether more is expected than passes; none where peaks pass
  double level_range_db = 0;
  double jumps_ms_per_s = 0;  ///< changes of delay while somebody talks, or large ones
  int jumps = 0;
  std::vector<char> beside_jump;  ///< 1 in each step near such a change; empty where the delay has none
  double clock_drift_ppm = 0;     ///< where it is known precisely, or was taken out
  double band_low_hz = 0, band_high_hz = 0, band_loudness_lost = 0;
  bool waveform_kept = true;
  double cost_mos = kWholeScaleMos;  ///< what the score says was lost; all of it where nobody has said

  bool is_clipped(int step) const { return !clipped.empty() && clipped[static_cast<std::size_t>(step)] != 0; }
  bool is_beside_jump(int step) const {
    return !beside_jump.empty() && beside_jump[static_cast<std::size_t>(step)] != 0;
  }
};

/// Steps that follow each other, the end excluded.
struct StepRange {
  int begin = 0, end = 0;
};

/// Power, a sample, of what is there in the talker's pauses within `range`: a mean over blocks of 20 ms, of which
/// `unexplained` gives the power beside the speech by their first step. `expected` is the power of the speech in each
/// step, a sample, and `speech_power` its mean where somebody talks. Blocks that hold any of the `impulses`, one value
/// a step, are left out. Of a talker without pauses, that of the quietest moments.
double noise_in_pauses(const StepRange& range, std::span<const float> expected, double speech_power,
                       std::span<const int> impulses, const std::function<double(int)>& unexplained);

/// `predicted` as StepPowers had it; `sound`: what the score is made of, without silence at the ends. The clock
/// drift is not measured here and stays 0.
ImpairmentFeatures measure_impairment_features(const AlignedPair& pair, std::span<const float> predicted,
                                               const StepPowers& steps, const Indices& indices, const StepRange& sound,
                                               bool waveform_kept);

}  // namespace vqas::scoring
