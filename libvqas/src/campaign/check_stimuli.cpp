#include "vqas/campaign/check_stimuli.h"

#include <fmt/format.h>

#include <algorithm>

#include "vqas/corpus/corpus.h"

namespace vqas {

std::size_t count_of_stimuli(const std::filesystem::path& corpus) {
  const auto loaded = Corpus::load(corpus);
  return loaded ? loaded->stimuli().size() : 0;
}

Status check_stimuli(const std::filesystem::path& corpus, const std::vector<std::string>& stimuli,
                     const std::string& where) {
  const auto loaded = Corpus::load(corpus);
  if (!loaded) return loaded.error();
  for (auto one = stimuli.begin(); one != stimuli.end(); ++one) {
    if (std::find(stimuli.begin(), one, *one) == one) continue;
    return Error{ErrorCode::bad_input, fmt::format("{}: {} is named twice; name each stimulus once", where, *one)};
  }
  for (const std::string& one : stimuli) {
    if (loaded->find(one) != nullptr) continue;
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: the corpus {} has no stimulus \"{}\"; \"vqas corpus list\" shows what it has", where,
                             corpus.string(), one)};
  }
  return success();
}

}  // namespace vqas
