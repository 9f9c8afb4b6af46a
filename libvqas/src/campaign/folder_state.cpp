#include "vqas/campaign/folder_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "campaign/hooks/hook_files.h"
#include "campaign/run_files.h"
#include "vqas/campaign/kept_plan.h"
#include "vqas/campaign/operator_note.h"
#include "vqas/node/run_lock.h"
#include "vqas/report/report.h"
#include "vqas/run/recording_name.h"
#include "vqas/signal/input_file.h"
#include "vqas/signal/unfinished_files.h"
#include "vqas/store/notes.h"
#include "vqas/store/slot_journal.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

std::size_t count_measurements(const StoredRun& run) {
  std::size_t count = run.damaged;  // a lost line may have held one
  for (const DirectionRun& direction : run.results.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) count += stimulus.measurements.size();
  }
  return count;
}

// A listener knows its transmissions by their marks, a controller by their numbers.
bool is_of_a_listener(const RunResults& run) {
  if (run.directions.size() != 1) return false;
  const auto named = [](const Measurement& one) { return one.sent_as.has_value(); };
  return std::ranges::all_of(run.directions[0].stimuli,
                             [&](const StimulusRun& one) { return std::ranges::all_of(one.measurements, named); });
}

// A kill leaves a journal without a whole line only if it came before the first measurement.
bool has_a_line(const fs::path& journal) {
  std::error_code failed;
  const auto size = fs::file_size(journal, failed);
  if (failed || size > 64U << 10U) return true;
  const auto text = read_whole_file(journal, {"journal", kAnySize, "restore it"});
  return !text || text->find('\n') != std::string::npos;
}

FolderSurvey damaged(FolderSurvey survey, std::string why) {
  survey.state = FolderState::damaged;
  survey.why = std::move(why);
  return survey;
}

std::string without_journal(const fs::path& folder) {
  const fs::path journal = folder / kJournalFile;
  return fmt::format("{} is {}", journal.string(), is_there(journal) ? "empty" : "missing");
}

FolderSurvey with_journal(const fs::path& folder, FolderSurvey survey) {
  auto run = read_stored_run(folder);
  if (!run) {
    const char* const cure = is_there(folder / kResultsFile) ? "; move it away to take the run from results.json" : "";
    return damaged(std::move(survey), run.error().message + cure);
  }
  const std::size_t measured = count_measurements(*run);
  survey.run = *std::move(run);
  survey.state = FolderState::complete;
  if (survey.run->results.is_complete()) return survey;
  survey.state = FolderState::resumable;
  if (survey.session || (measured > 0 && is_of_a_listener(survey.run->results))) return survey;
  survey.state = FolderState::begun;
  if (measured == 0 && !is_there(folder / kResultsFile)) return survey;
  std::string why = fmt::format("{} is missing or damaged", (folder / kSessionFile).string());
  if (survey.run->results.directions.size() == 1)
    why += ", and its measurements do not say which transmissions of \"vqas send\" they are, which would count twice";
  return damaged(std::move(survey), std::move(why));
}

// Files that a run leaves before it has measured anything. A folder of nodes counts only beside the run's lock, because
// others have folders of that name.
bool is_of_a_start(const fs::directory_entry& entry, const fs::path& folder, bool locked) {
  std::error_code failed;
  const fs::path name = entry.path().filename();
  if (name == kRunLockFile || name == kJournalFile || name == kSlotsFile || is_unfinished_file(name)) return true;
  if (name == kStopFile || name == kHooksFile || name == kHookLog || name == kEarlierHookLog) return true;
  if (name == kSessionFile) return locked || static_cast<bool>(read_session_record(folder));
  if (name == kPlanFile) return locked || static_cast<bool>(kept_plan(folder));
  if (entry.is_symlink(failed) || !entry.is_directory(failed)) return false;
  if (name == kRecordingsFolder) return fs::is_empty(entry.path(), failed);
  return name == kNodesFolder && (locked || fs::is_empty(entry.path(), failed));
}

}  // namespace

bool FolderSurvey::asks_for_more() const {
  return run && std::ranges::any_of(run->results.notes, &OperatorNote::sounds_different);
}

FolderSurvey survey_folder(const fs::path& folder, const fs::path& besides) {
  FolderSurvey survey;
  if (!is_there(folder)) return survey;
  if (auto session = read_session_record(folder)) survey.session = *std::move(session);
  if (has_a_line(folder / kJournalFile) && is_there(folder / kJournalFile)) {
    survey = with_journal(folder, std::move(survey));
    if (survey.state != FolderState::begun) return survey;
  } else if (auto written = read_results(folder)) {
    survey.run = *std::move(written);
    // Notes may be newer than results.json.
    if (is_there(folder / kNotesFile)) survey.run->results.notes = read_notes(folder);
    return damaged(std::move(survey), without_journal(folder));
  }
  std::error_code failed;
  const bool locked = is_there(folder / kRunLockFile);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    const fs::path name = entry.path().filename();
    if (name == besides) continue;
    if (!is_of_a_start(entry, folder, locked)) {
      if (survey.session && !survey.run) return damaged(std::move(survey), without_journal(folder));
      survey.state = survey.run ? FolderState::begun : FolderState::foreign;
      return survey;
    }
    const bool counts = name == kSessionFile || name == kPlanFile || name == kJournalFile || name == kNodesFolder;
    if (counts) survey.state = FolderState::begun;
  }
  return survey;
}

}  // namespace vqas
