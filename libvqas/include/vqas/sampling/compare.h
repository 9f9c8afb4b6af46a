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

/// A channel, a direction or a run, to be held against others.
struct ComparedChannel {
  std::string name;
  std::vector<NamedInterval> stimuli;
  double share_unscored = 0;  ///< part of its measurements without a score, 0..1
  std::optional<double> bound =
      {};  ///< its mean, MOS, with what has no score at the bottom of the scale; where it is known
  /// Its scores are those of the transmissions that got through: that they are alike says little of two channels.
  bool conditional = false;
};

/// The second less the first on one stimulus.
struct StimulusDifference {
  std::string stimulus;
  double difference = 0;    ///< MOS
  double half_width = 0;    ///< by itself at the confidence (Welch); infinite when one side has fewer than two scores
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
  double first_unscored = 0, second_unscored = 0;   ///< parts without a score, as the channels have them
  std::optional<double> first_bound, second_bound;  ///< as the channels have them
  bool conditional = false;                         ///< one of the channels is
  std::vector<StimulusDifference> stimuli;          ///< scored on both, in the first one's order
  std::vector<std::string> omitted;                 ///< scored on one of them only
  double difference = 0;                            ///< equal-weight mean over `stimuli`; 0 when there is none
  double half_width = 0;                            ///< of that, by itself; infinite when it cannot be told
  double simultaneous = 0;                          ///< half-width that holds for all pairs together (Bonferroni)
  double degrees = 0;                               ///< of freedom (Satterthwaite); 0 when they cannot be told
  double probability = 1;                           ///< of such a difference between equal channels, by itself
  double adjusted = 1;                              ///< the same for all pairs together (Holm)
  double confidence = 0;                            ///< 0..1

  Comparability comparability() const;
  /// The two differ, with all pairs looked at together (Holm's test at 1 - confidence).
  bool differ() const { return adjusted < 1 - confidence; }
};

/// Every pair of `channels`, stimulus by stimulus over those that both have scores of, then with equal weights.
/// Variances add and degrees of freedom are Satterthwaite's, as in stratified_mean(); the model's error falls out where
/// the stimuli are the same, so only repeatability is in the intervals. Several pairs are tested by Holm's method
/// (Scandinavian Journal of Statistics 6, 1979), which asks for neither equal variances nor equal counts, and their
/// simultaneous intervals are Bonferroni's. Fails with bad_input: fewer than two channels, the same name twice, or a
/// confidence out of 0.5..0.9999. Re-entrant.
Result<std::vector<Comparison>> compare(std::span<const ComparedChannel> channels, double confidence,
                                        double resolution = kScoreResolution);

}  // namespace vqas
