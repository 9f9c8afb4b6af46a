#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vqas/sampling/interval.h"
#include "vqas/signal/result.h"

namespace vqas {

/// The scores of one stimulus, by name.
struct NamedInterval {
  std::string stimulus;
  Interval interval;
};

/// A channel, a direction or a run to compare with others.
struct ComparedChannel {
  std::string name;
  std::vector<NamedInterval> stimuli;
  double share_unscored = 0;         ///< share of its measurements without a score, 0..1
  std::optional<double> bound = {};  ///< its mean, MOS, with unscored measurements at the bottom of the scale; if known
  /// Its scores are only those of the transmissions that got through, so equal scores do not show that two channels are
  /// alike.
  bool conditional = false;
};

/// The second minus the first, on one stimulus.
struct StimulusDifference {
  std::string stimulus;
  double difference = 0;  ///< MOS
  double half_width =
      0;  ///< of this stimulus alone, at the confidence (Welch); infinite when one side has fewer than two scores
  double simultaneous = 0;  ///< half-width that holds for all stimuli of this comparison together (Bonferroni)
};

/// What two channels allow to be said of their difference.
enum class Comparability {
  full,
  too_few_scores,      ///< there is a difference; how sure it is cannot be told: a side has one score of a stimulus
  no_common_stimulus,  ///< no stimulus has scores on both sides: there is no difference to speak of
};

struct Comparison {
  std::string first, second;                        ///< names of the channels
  double first_unscored = 0, second_unscored = 0;   ///< shares without a score, from the channels
  std::optional<double> first_bound, second_bound;  ///< from the channels
  bool conditional = false;                         ///< one of the channels is conditional
  std::vector<StimulusDifference> stimuli;          ///< scored on both, in the first one's order
  std::vector<std::string> omitted;                 ///< scored on only one of them
  double difference = 0;                            ///< equal-weight mean over `stimuli`; 0 when there are none
  double half_width = 0;                            ///< of the difference, for this pair alone; infinite when unknown
  double simultaneous = 0;                          ///< half-width that holds for all pairs together (Bonferroni)
  double degrees = 0;                               ///< of freedom (Satterthwaite); 0 when unknown
  double probability = 1;  ///< of such a difference between equal channels, for this pair alone
  double adjusted = 1;     ///< the same for all pairs together (Holm)
  double confidence = 0;   ///< 0..1

  Comparability comparability() const;  ///< how well these two can be compared
  /// The two differ, taking all pairs into account (Holm's test at 1 - confidence).
  bool differ() const { return adjusted < 1 - confidence; }
};

/// Compares every pair of `channels`, stimulus by stimulus over those with scores on both, then with equal weights.
/// Variances add and degrees of freedom are Satterthwaite's, as in stratified_mean(). The model's error cancels where
/// the stimuli are the same, so the intervals contain only repeatability. Several pairs are tested by Holm's method
/// (Scandinavian Journal of Statistics 6, 1979), which requires neither equal variances nor equal counts; their
/// simultaneous intervals are Bonferroni's. Fails with bad_input: fewer than two channels, the same name twice, or a
/// confidence outside 0.5..0.9999. Re-entrant.
Result<std::vector<Comparison>> compare(std::span<const ComparedChannel> channels, double confidence,
                                        double resolution = kScoreResolution);

}  // namespace vqas
