#include "corpus/corpus_folder.h"

#include <cstdlib>
#include <system_error>

#include "vqas/corpus/default_corpus.h"

namespace vqas::cli {

Result<std::filesystem::path> corpus_folder(const std::string& option) {
  const char* named = std::getenv("VQAS_CORPUS");  // NOLINT(concurrency-mt-unsafe): commands start with one thread
  CorpusPlaces places;
  places.option = option;
  places.environment = named != nullptr ? named : "";
  std::error_code fault;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", fault);
  if (!fault) places.fallbacks.push_back((program.parent_path() / VQAS_CORPUS_BESIDE).lexically_normal());
  for (const char* const folder : {VQAS_CORPUS_DIRS}) places.fallbacks.emplace_back(folder);
  return find_default_corpus(places);
}

void add_corpus_option(CLI::App& command, std::string& option, const std::string& note, const std::string& name) {
  command.add_option(
      name, option,
      "corpus folder" + (note.empty() ? note : ", " + note) + "; default: VQAS_CORPUS, or VQAS's own stimuli");
}

}  // namespace vqas::cli
