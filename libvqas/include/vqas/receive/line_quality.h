#pragma once

#include <optional>
#include <vector>

#include "vqas/receive/check_findings.h"

namespace vqas {

/// How much weaker (< 0) or stronger a band arrives than it was sent.
struct BandGain {
  double centre_hz = 0;  ///< nominal, of a third of an octave
  double gain_db = 0;
};

/// A line's effect on any signal, in one direction.
struct LineQuality {
  std::optional<double> noise_dbov;  ///< rms in the pauses, 0..4000 Hz; not below -90
  std::vector<BandGain> response;    ///< third octaves from 315 to 3150 Hz; empty where nothing could be compared
};

/// From the speech itself, without a sweep. Noise: in the stimuli's pauses, less the stimulus's own noise. Response:
/// from the long-term power of each band where the stimulus is loud, sent and received through the same filters, less
/// the noise. Coding and clipping noise counts as response, so a band in which speech is 40 dB weaker than in all reads
/// high; on G.711 lines by less than 1 dB. Uses only transmissions with a score and a mark: others have no certain
/// position. Depends only on the argument. Re-entrant.
LineQuality line_quality(const std::vector<CheckedTransmission>& transmissions);

}  // namespace vqas
