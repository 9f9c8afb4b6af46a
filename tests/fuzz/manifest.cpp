// Manifests: a batch's table of pairs (CSV), and a corpus (JSON). Rows and stimuli print and read back the same.
#include "corpus/manifest.h"

#include "batch/csv_reader.h"
#include "batch/manifest_reader.h"
#include "fuzz.h"
#include "vqas/signal/csv.h"

using namespace vqas;

namespace {

std::vector<CsvRow> rows_of(const std::filesystem::path& file, bool& complete) {
  std::vector<CsvRow> rows;
  complete = false;
  auto reader = batch::CsvReader::open(file);
  if (!reader) return rows;
  while (true) {
    auto row = reader->next();
    if (!row) {
      fuzz::require(!reader->next(), "after a fault every call fails");
      return rows;
    }
    if (!*row) break;
    rows.push_back(*std::move(*row));
    fuzz::require(!rows.back().empty(), "a row has a field");
  }
  complete = true;
  return rows;
}

void check_csv(const std::string& text) {
  const fuzz::Folder& folder = fuzz::folder();
  const auto file = folder.put("in.csv", text);
  bool complete = false;
  const auto rows = rows_of(file, complete);
  std::string printed;
  for (const CsvRow& row : rows) printed += csv_line(row);
  if (!rows.empty()) {
    const auto again = rows_of(folder.put("out.csv", printed), complete);
    fuzz::require(complete && again == rows, "what was printed reads as the same rows");
  }
  BatchOptions options;
  options.manifest = file;
  const auto pairs = batch::count_pairs(options);
  fuzz::require(!pairs || (*pairs > 0 && *pairs < rows.size()), "a manifest has a pair for each row below its header");
}

void check_corpus(const std::string& text) {
  const auto stimuli = manifest::parse(text, "manifest.json");
  if (!stimuli) return;
  fuzz::require(!stimuli->empty(), "a corpus holds stimuli");
  const std::filesystem::path& folder = fuzz::folder().path();
  for (const Stimulus& one : *stimuli) {
    for (const auto& [rate, file] : one.files) {
      const auto inside = (folder / file.path).lexically_normal().string();
      fuzz::require(inside.starts_with(folder.string()), "a file of a corpus lies in its folder");
    }
  }
  fuzz::require(static_cast<bool>(manifest::write(folder, *stimuli)), "a corpus can be written");
  const auto again = manifest::read(folder);
  fuzz::require(static_cast<bool>(again), "what was written can be read");
  fuzz::require(again->size() == stimuli->size(), "what was written has as many stimuli");
  for (std::size_t i = 0; i < again->size(); ++i) {
    const Stimulus &before = (*stimuli)[i], &after = (*again)[i];
    fuzz::require(before.id == after.id && before.text == after.text && before.recipe == after.recipe &&
                      before.files.size() == after.files.size(),
                  "what was written reads as the same stimuli");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of({data, size});
  check_csv(text);
  check_corpus(text);
  return 0;
}
