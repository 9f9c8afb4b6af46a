#pragma once

#include <string>

#include "vqas/score/mode.h"

namespace vqas {

/// The software and the model that made a run's numbers.
struct Provenance {
  std::string software_version;
  std::string score_version;
  double model_error_mos = 0;      ///< one standard deviation, MOS; 0: unknown
  std::string model_error_label;   ///< the measure it refers to
  std::string model_error_source;  ///< the material it was determined on
};

/// Provenance of runs made by this build with that model.
Provenance current_provenance(ScoreMode mode = ScoreMode::narrowband);

}  // namespace vqas
