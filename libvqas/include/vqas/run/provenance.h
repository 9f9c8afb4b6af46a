#pragma once

#include <string>

namespace vqas {

/// Which software and which model made a run's numbers.
struct Provenance {
  std::string software_version;
  std::string score_version;
  double model_error_mos = 0;      ///< one standard deviation, MOS; 0: not known
  std::string model_error_label;   ///< against which measure
  std::string model_error_source;  ///< on which material
};

/// That of this build: what a run that is made now has.
Provenance current_provenance();

}  // namespace vqas
