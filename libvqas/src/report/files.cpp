#include <fmt/format.h>

#include <optional>
#include <sstream>
#include <system_error>

#include "run/json.h"
#include "store/journal/read_file.h"
#include "vqas/report/findings.h"
#include "vqas/report/report.h"
#include "vqas/signal/audio_file.h"
#include "vqas/store/kept_recordings.h"
#include "vqas/store/notes.h"

namespace vqas {
namespace {

struct KeptPlan {
  std::string file, text;
};

// The address of a store may hold a password, the arguments of a hook a token. Only whole tables of them are taken out:
// a plan that writes them in another form is not shown.
std::string without_secrets(const std::string& text) {
  std::string kept, line;
  bool secret = false;
  for (std::istringstream lines(text); std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(" \t\"'");
    if (first == std::string::npos) continue;
    const std::string word = line.substr(first);
    if (word.starts_with("store") || word.starts_with("hooks")) return {};
    if (word.starts_with("["))
      secret = word.find("store") != std::string::npos || word.find("hooks") != std::string::npos;
    if (!secret) kept += line + "\n";
  }
  return kept;
}

// The plan kept in the campaign's folder, for a run of a campaign.
std::optional<KeptPlan> plan_of(const std::filesystem::path& folder, const RunResults& results) {
  if (results.about.campaign.empty()) return std::nullopt;
  std::error_code failed;
  const std::filesystem::path run = std::filesystem::absolute(folder, failed).lexically_normal();
  const std::filesystem::path above = run.has_filename() ? run.parent_path() : run.parent_path().parent_path();
  for (const auto& place : {run, above}) {
    if (!std::filesystem::exists(place / kKeptPlanFile, failed)) continue;
    const auto text = store::read_file(place / kKeptPlanFile);
    const auto json = text ? parse_json_text(*text, kKeptPlanFile) : Result<store::Json>(text.error());
    if (!json || !json->is_object()) continue;
    const store::Json plan = json->value("text", store::Json()), file = json->value("file", store::Json());
    if (plan.is_string() && file.is_string())
      return KeptPlan{std::filesystem::path(file.get<std::string>()).filename().string(),
                      without_secrets(plan.get<std::string>())};
  }
  return std::nullopt;
}

}  // namespace

Status write_report(const std::filesystem::path& folder, const RunResults& results, const Provenance& provenance,
                    const std::string& command) {
  if (Status done = write_file_atomically(folder / kResultsFile, results_json(results, provenance)); !done) return done;
  if (Status done = write_file_atomically(folder / "results.csv", results_csv(results)); !done) return done;
  const auto plan = plan_of(folder, results);
  const std::string again = plan && command.empty() ? "vqas measure " + plan->file + " --out again" : command;
  const auto kept = read_kept_recordings(folder);
  return write_file_atomically(folder / "report.html",
                               report_html(results, provenance, again, plan ? plan->text : std::string(),
                                           kept ? removed_in_words(*kept) : std::string()));
}

Result<StoredRun> read_results(const std::filesystem::path& folder, const char* name) {
  const auto text = store::read_file(folder / name);
  if (!text) return text.error();
  return parse_results(*text, (folder / name).string());
}

Result<StoredRun> load_run(const std::filesystem::path& folder) {
  std::error_code failed;
  const bool has_results = std::filesystem::exists(folder / kResultsFile, failed);
  // The journal comes first: results.json may be older than the last resume.
  if (std::filesystem::exists(folder / kJournalFile, failed)) {
    auto run = read_stored_run(folder);
    if (!run && has_results)
      return Error{run.error().code, run.error().message + "; move it away to take the run from results.json"};
    return run;
  }
  if (!has_results)
    return Error{ErrorCode::bad_input, fmt::format("{} holds neither results.json nor {}; name the folder of a run",
                                                   folder.string(), kJournalFile)};
  auto run = read_results(folder);
  // Notes may be newer than results.json.
  if (run && std::filesystem::exists(folder / kNotesFile, failed)) run->results.notes = read_notes(folder);
  return run;
}

Status write_campaign_page(const std::filesystem::path& file, std::span<const StoredRun> runs,
                           std::span<const std::string> names, bool unlike_too, std::span<const SlotRecord> records) {
  if (Status same = check_one_scale(runs, names); !same) return same;
  return write_file_atomically(file, campaign_html(runs, names, unlike_too, records));
}

}  // namespace vqas
