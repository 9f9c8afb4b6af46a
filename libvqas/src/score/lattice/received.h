#pragma once

#include <span>
#include <vector>

#include "score/lattice/shared_power.h"
#include "signal/aligned.h"

namespace vqas::scoring {

/// What is compared: the reference as the line passes it on, and what arrived in its place, in steps of equal length.
struct ReceivedSteps {
  int step = 0;                      ///< samples, a multiple of kLanes
  std::span<const float> predicted;  ///< at least gain.size() steps
  std::span<const float> degraded;   ///< as many samples as `predicted`
  std::span<const float> gain;       ///< one a step: of the line, beside `predicted`
  std::span<const float> sent;       ///< one a step: energy of the reference as it was sent
  std::span<const char> active;      ///< one a step: somebody talks
  std::span<const char> lost;        ///< one a step, 1 where the alignment did not find the speech; may be empty
  bool waveform_kept = true;         ///< else the level alone says what arrived
};

/// The larger work space of received_probability(), kept from one pair to the next: memory that a system gives out anew
/// costs more than what is computed in it.
struct ReceivedWork {
  AlignedVector<float> predicted, degraded;  // without clicks
  std::vector<SharedPower> shared;
  std::vector<double> correlation, norm;
};

/// What a step says of its arrival, each times `certain`: the share of what it could say that can be expected of it.
struct ArrivalTerms {
  double certain = 0;   ///< 0..1; 0 where nobody talks
  double alike = 0;     ///< its correlation with the prediction
  double weaker = 0;    ///< decades of power below the expected one,
  double stronger = 0;  ///< and above it
  double missing = 0;   ///< nats of correlation that a received step has on this line, and this one has not
};

/// The terms by which steps are judged, one a step; empty where the level alone says what arrived. For the fit of their
/// weights.
std::vector<ArrivalTerms> arrival_terms(const ReceivedSteps& steps);

/// Probability, 0..1, that each step was received, one a step. A chain of two states, received and not, runs over the
/// steps; the evidence of a step is a log-odds of its correlation and level against those that a received step of its
/// power has on this line. That expectation is measured on the pair itself. Pure; the time is linear in the steps.
std::vector<float> received_probability(const ReceivedSteps& steps, ReceivedWork& work);

}  // namespace vqas::scoring
