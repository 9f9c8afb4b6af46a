#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// Where a corpus may be; the caller reads options, environment and build settings.
struct CorpusPlaces {
  std::string option;       ///< --corpus; empty when it was not given
  std::string environment;  ///< VQAS_CORPUS; empty when it is not set
  /// Where the corpus of this build was installed and where its source stands, in this order.
  std::vector<std::filesystem::path> fallbacks;
};

/// The corpus folder to use. What a person named (the option, else the environment) is taken as it is, so that a wrong
/// name is an error when it is loaded, never another corpus in silence; without one it is the first fallback that holds
/// a manifest. Fails with bad_input, naming the places and the cure, when none does. Re-entrant.
Result<std::filesystem::path> find_default_corpus(const CorpusPlaces& places);

}  // namespace vqas
