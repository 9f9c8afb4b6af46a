#pragma once

#include <span>
#include <vector>

#include "score/compare/perception.h"
#include "score/diagnose/step_powers.h"
#include "score/model/model.h"
#include "vqas/score/explanation.h"

namespace vqas::scoring {

DistanceShares shares_of(const Measurements& measurements, const PerceptualModel& model);

/// Segments of speech that arrived (or did not, with `missing`).
std::vector<Segment> segments_of(const StepPowers& steps, bool missing);

/// `cells` as Perception hands them out, band by band.
TimeFrequency distance_map(const std::vector<float>& cells, const PerceptualModel& model);

/// Power spectra of the model's frames, Hann, in dB.
TimeFrequency spectrogram(std::span<const float> samples, const PerceptualModel& model);

}  // namespace vqas::scoring
