#include <fmt/format.h>

#include <system_error>

#include "store/read_file.h"
#include "vqas/report/report.h"
#include "vqas/signal/audio_file.h"
#include "vqas/store/notes.h"

namespace vqas {
Status write_report(const std::filesystem::path& folder, const RunResults& results, const Provenance& provenance,
                    const std::string& command) {
  if (Status done = write_file_atomically(folder / "results.json", results_json(results, provenance)); !done)
    return done;
  if (Status done = write_file_atomically(folder / "results.csv", results_csv(results)); !done) return done;
  return write_file_atomically(folder / "report.html", report_html(results, provenance, command));
}

Result<StoredRun> load_run(const std::filesystem::path& folder) {
  std::error_code failed;
  const std::filesystem::path path = folder / "results.json";
  const bool has_results = std::filesystem::exists(path, failed);
  // The first truth: what is beside it may be from before the run was gone on with.
  if (std::filesystem::exists(folder / kJournalFile, failed)) {
    auto run = read_stored_run(folder);
    if (!run && has_results)
      return Error{run.error().code, run.error().message + "; move it away to take the run from results.json"};
    return run;
  }
  if (!has_results)
    return Error{ErrorCode::bad_input, fmt::format("{} holds neither results.json nor {}; name the folder of a run",
                                                   folder.string(), kJournalFile)};
  const auto text = store::read_file(path);
  if (!text) return text.error();
  auto run = parse_results(*text, path.string());
  // Notes may have been written after the results were.
  if (run && std::filesystem::exists(folder / kNotesFile, failed)) run->results.notes = read_notes(folder);
  return run;
}

Status write_campaign_page(const std::filesystem::path& file, std::span<const StoredRun> runs,
                           std::span<const std::string> names, bool unlike_too) {
  return write_file_atomically(file, campaign_html(runs, names, unlike_too));
}

}  // namespace vqas
