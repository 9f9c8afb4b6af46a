#pragma once

#include <vector>

#include "score/diagnose/impairment_features.h"
#include "score/model/shared_numbers.h"
#include "vqas/score/impairment.h"

namespace vqas::scoring {

/// Loss in MOS from which a cause is told: what the confidence tells apart.
inline constexpr double kWorthASentence = kCloseMos;

/// What may be wrong, strongest first: what is told by its strength, and what is fainter and may cost enough, as the
/// score lost so much.
std::vector<ImpairmentFinding> name_impairments(const ImpairmentFeatures& features);

/// Whether it is told, by its strength or by both: the fainter it is, the more it must cost.
bool is_worth_telling(const ImpairmentFinding& finding, double cost_mos);

/// Strength of a loss of this share of the speech, 0..1, and the share that has a strength; of so many milliseconds cut
/// off in front and at the end.
double loss_strength(double lost_share);
double lost_share(double strength);
double cut_strength(double cut_ms);
/// Clipping leaves an error that comes with the speech, a level that moves with it, and harmonics that look like a
/// band: the share of those that is not its own, 0..1, where the peaks lost so much.
double share_beside_clipping(double peak_loss);
/// Of a band that is narrower than it should be, by the share of the loudness that is lost.
double band_loss_strength(double loudness_lost);
/// Of noise so far below the speech.
double noise_strength(double speech_to_noise_db);
/// Of a level that moves by so much; 0 below what is told.
double level_strength(double range_db);

}  // namespace vqas::scoring
