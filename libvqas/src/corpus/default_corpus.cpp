#include "vqas/corpus/default_corpus.h"

#include <fmt/format.h>

#include <system_error>

#include "manifest.h"

namespace vqas {

Result<std::filesystem::path> find_default_corpus(const CorpusPlaces& places) {
  if (!places.option.empty()) return std::filesystem::path(places.option);
  if (!places.environment.empty()) return std::filesystem::path(places.environment);
  std::string looked;
  for (const auto& place : places.fallbacks) {
    std::error_code fault;
    if (std::filesystem::exists(place / manifest::kFileName, fault)) return place;
    looked += fmt::format("{}{}", looked.empty() ? "" : ", ", place.string());
  }
  return Error{
      ErrorCode::bad_input,
      fmt::format("found no corpus (looked in {}); name one with --corpus or VQAS_CORPUS, or make one with vqas "
                  "corpus build",
                  looked.empty() ? "no place" : looked)};
}

}  // namespace vqas
