// Journals of runs: any lines, with or without correct digests. What was read reads the same after it was resumed.
#include "vqas/store/journal.h"

#include <algorithm>
#include <set>

#include "fuzz.h"
#include "store/journal/line_seal.h"
#include "vqas/report/report.h"
#include "vqas/run/session_record.h"
#include "vqas/store/notes.h"

using namespace vqas;

namespace {

// The lines with digests as a journal has them, so that changed content is read and not only counted.
std::string sealed(const std::string& text) {
  std::string all, after;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = store::seal(store::unseal(text.substr(begin, end - begin)).object, after);
    after = store::unseal(line).digest;
    all += line + "\n";
    begin = end + 1;
  }
  return all;
}

std::size_t count_of(const RunResults& results) {
  std::size_t count = 0;
  for (const DirectionRun& direction : results.directions) {
    std::set<std::uint32_t> sequences;
    for (const StimulusRun& stimulus : direction.stimuli) {
      count += stimulus.measurements.size();
      for (const Measurement& one : stimulus.measurements) {
        fuzz::require(sequences.insert(one.sequence).second, "a number occurs once in a direction");
        fuzz::require((one.outcome == Outcome::scored) == one.mos_lqo.has_value(), "exactly what is scored has a MOS");
      }
    }
  }
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::uint8_t choice = input.byte();
  std::string text = fuzz::text_of(input.rest());
  const fuzz::Folder& folder = fuzz::folder();
  if (choice % 4 == 3) {
    folder.put(kSessionFile, text);
    if (const auto record = read_session_record(folder.path())) {
      for (std::size_t d = 0; d < record->due.size(); ++d) {
        for (const auto& one : record->due[d]) {
          fuzz::require(one.second < record->next_sequence.at(d), "what is due was planned");
        }
      }
    }
    folder.put(kNotesFile, text);
    (void)read_notes(folder.path());
    return 0;
  }
  if (choice % 4 != 0) text = sealed(text);
  std::error_code ignored;
  std::filesystem::remove(folder.path() / kSessionFile, ignored);
  folder.put(kJournalFile, text);
  const auto run = read_stored_run(folder.path());
  if (!run) return 0;
  const std::size_t count = count_of(run->results);
  const std::string results = results_json(run->results, run->provenance);
  const auto parsed = parse_results(results);
  fuzz::require(static_cast<bool>(parsed), "results of a journal can be read");
  fuzz::require(count_of(parsed->results) == count, "results hold the measurements of the journal");
  auto resumed = RunJournal::resume(folder.path(), run->results);
  if (!resumed) return 0;
  const auto again = read_stored_run(folder.path());
  fuzz::require(static_cast<bool>(again), "a resumed journal can be read");
  fuzz::require(count_of(again->results) == count, "a resumed journal holds the same measurements");
  return 0;
}
