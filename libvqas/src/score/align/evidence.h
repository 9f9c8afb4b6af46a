#pragma once

#include <optional>
#include <span>
#include <vector>

#include "score/align/aligner.h"

namespace vqas::scoring {

/// not tuned: of the delay, away and back.
inline constexpr int kChanges = 2;

/// What a frame shares with the reference: -log(1 - r^2) of its correlation r, 0 of an inverted waveform. The larger,
/// the less noise.
double units_of(double correlation);

/// What may be expected of a loud frame that was received: the units of the best tenth. Less than a tenth of a line's
/// loud frames at their true delays says too little to tell. `work` holds the work space; nothing where no frame is
/// loud.
std::optional<double> quality_of(std::span<const float> correlation, std::span<const float> weight,
                                 std::vector<double>& work);

/// The mean of the frames that are chosen, as much of each as may be expected; nothing where none is.
std::optional<double> mean_units(std::span<const float> units, std::span<const char> chosen);

/// units_of() each correlation.
void to_units(std::span<const float> correlation, std::span<float> units);

/// Nats for each frame's having been received at a delay rather than lost: less than expected speaks against it.
/// `units` and `evidence` hold the same number of values for each frame, one a delay.
void weigh_evidence(std::span<const float> units, std::span<const float> weight, double quality,
                    std::span<float> evidence);

/// Nats that frames of this weight in all say more where they share `units` than where they share `other`.
double gain_in_nats(double weight, double units, double other);

/// What frames of these weights would say if all were received and as good as the line lets expect, against the chance
/// that they are lost; nats.
double expected_evidence(std::span<const float> weight, double quality);

/// A vowel is alike for so long that its frames are no independent witnesses: twice as much must speak for another
/// place.
inline constexpr double kAlike = 2;

/// Nats that a choice among so many delays costs.
double cost_of_choice(int delays);
double cost_of_choice(const DelayRange& range);

/// What speaks for an alignment, in nats: the sum of what its frames say, -log(1 - r^2) of each correlation r, less
/// what each change of the delay costs among the delays that were open to it, and what the line's filter costs. Of two
/// alignments of one pair the one with more is the likelier, however many delays either was free to choose from. Pure;
/// linear in the frames.
double evidence_of(const Alignment& alignment, const DelayRange& range);

/// Whether no other delay can be worth its steps: no stretch of the frames falls short of what the line's quality lets
/// expect by more than two changes of the delay would cost. `correlation` and `weight` are those of one delay for all
/// frames. Where no frame keeps its waveform (`quality_from`, a correlation) nothing can be expected, and the answer is
/// no. `work` holds the work space.
bool one_delay_holds(std::span<const float> correlation, std::span<const float> weight, const DelayRange& range,
                     double quality_from, std::vector<double>& work);

}  // namespace vqas::scoring
