#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "vqas/channel/profile.h"
#include "vqas/corpus/corpus.h"
#include "vqas/experiment/experiment.h"
#include "vqas/signal/signal.h"
#include "vqas/sync/mark.h"

namespace vqas::experiment {

/// One transmission, over its own line.
struct Trial {
  std::string series, label;
  double x = 0;
  std::string stimulus;
  Profile profile;
  End sender = End::a;
  double lead_s = 0;  ///< silence before it, in which the network can release the call and queues can fill
};

/// The recordings that the trials need.
using Recordings = std::map<std::string, Signal>;

/// The result of a cancelled experiment.
Error cancelled();

/// Makes the trials on several threads; the points are in the order of the trials. Trial n draws its randomness from
/// (seed, n).
Result<std::vector<ExperimentPoint>> run_trials(const std::vector<Trial>& trials, const Recordings& recordings,
                                                const ExperimentOptions& options);

/// How much more the received speech lost at 2.8..3.4 kHz than at 0.5..2 kHz, in dB.
double band_loss_db(std::span<const float> reference, std::span<const float> received);

}  // namespace vqas::experiment
