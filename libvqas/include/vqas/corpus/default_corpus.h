#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// Candidate places of a corpus; the caller reads options, environment and build settings.
struct CorpusPlaces {
  std::string option;       ///< --corpus; empty when it was not given
  std::string environment;  ///< VQAS_CORPUS; empty when it is not set
  /// The installed corpus of this build, then the one in its source tree.
  std::vector<std::filesystem::path> fallbacks;
};

/// The corpus folder to use. A folder named by the user (the option, otherwise the environment) is used without a
/// check, so that a wrong name becomes an error on loading and no other corpus is used silently. Otherwise the first
/// fallback that holds a manifest. Fails with bad_input, naming the places and the remedy, when none does. Re-entrant.
Result<std::filesystem::path> find_default_corpus(const CorpusPlaces& places);

}  // namespace vqas
