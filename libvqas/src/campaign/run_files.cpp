// The files that a run writes into its folder. Only they are ever removed: a user may keep others there.
#include "campaign/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <system_error>

#include "campaign/hooks/hook_files.h"
#include "vqas/campaign/earlier_run.h"
#include "vqas/campaign/kept_plan.h"
#include "vqas/report/report.h"
#include "vqas/run/recording_name.h"
#include "vqas/run/session_record.h"
#include "vqas/signal/input_file.h"
#include "vqas/signal/json_text.h"
#include "vqas/signal/unfinished_files.h"
#include "vqas/store/kept_recordings.h"
#include "vqas/store/notes.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNodeJournal = "node-journal.jsonl";
constexpr const char* kNodeLock = "node.lock";
constexpr const char* kOurs[] = {"signalling-a.txt", "signalling-b.txt", kJournalFile,   kSessionFile,
                                 kNotesFile,         kPlanFile,          kResultsFile,   "results.csv",
                                 "report.html",      "report.pdf",       kKeptResults,   kKeptRecordingsFile,
                                 kHooksFile,         kHookLog,           kEarlierHookLog};

Error cannot_remove(const fs::path& path, const std::error_code& why) {
  return {ErrorCode::io,
          fmt::format("cannot remove {}: {}; see whether its folder may be written to", path.string(), why.message())};
}

void name_recordings(const RunResults& run, std::set<std::string>& names) {
  for (const DirectionRun& direction : run.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) names.insert(one.recording);
    }
  }
}

// A kill may leave a recording whose measurement is not in the journal yet; the session's record has its number.
void name_planned(const RunResults& run, const SessionRecord& session, std::set<std::string>& names) {
  for (std::size_t d = 0; d < std::min(run.directions.size(), session.planned.size()); ++d) {
    const auto& stimuli = run.directions[d].stimuli;
    for (const auto& [sequence, stimulus] : session.planned[d]) {
      if (stimulus < stimuli.size())
        names.insert(recording_name(run.directions[d], stimuli[stimulus].stimulus, sequence));
    }
  }
}

std::set<std::string> recordings_of(const fs::path& folder) {
  std::set<std::string> names;
  const auto journal = read_stored_run(folder);
  const auto session = read_session_record(folder);
  if (journal) name_recordings(journal->results, names);
  if (journal && session) name_planned(journal->results, *session, names);
  for (const char* const written : {kResultsFile, kKeptResults}) {
    if (const auto run = read_results(folder, written)) name_recordings(run->results, names);
  }
  std::error_code failed;
  if (journal && !session) {  // a listener's
    for (std::size_t number = 1; fs::exists(folder / undecodable_name(number), failed); ++number)
      names.insert(undecodable_name(number));
  }
  return names;
}

// Only a file directly in the folder of recordings, whatever a journal says.
Status remove_recording(const fs::path& run, const fs::path& name) {
  std::error_code failed;
  if (name.parent_path() != kRecordingsFolder || !fs::is_regular_file(fs::symlink_status(run / name, failed)))
    return success();
  fs::remove(run / name, failed);
  return failed ? Status(cannot_remove(run / name, failed)) : success();
}

Status remove_data_of_node(const fs::path& data) {
  std::error_code failed;
  if (!fs::exists(data / kNodeJournal, failed)) return success();
  remove_unfinished_files(data);
  const auto journal = InputFile::open(data / kNodeJournal, {"journal", kAnySize, "restore it"});
  if (!journal) return journal.error();
  for (std::string line; std::getline(**journal, line);) {
    const auto json = parse_json_text(line, kNodeJournal);
    if (!json || !json->is_object()) continue;
    const Json measured = json->value("measurement", Json());
    const Json name = measured.is_object() ? measured.value("recording", Json()) : Json();
    if (!name.is_string()) continue;
    if (Status removed = remove_recording(data, fs::path(kRecordingsFolder) / name.get<std::string>()); !removed)
      return removed;
  }
  for (const char* const name : {kNodeJournal, kNodeLock}) {
    fs::remove(data / name, failed);
    if (failed) return cannot_remove(data / name, failed);
  }
  return success();
}

}  // namespace

Status remove_run_files(const fs::path& folder, bool but_the_plan) {
  for (const std::string& name : recordings_of(folder)) {
    if (Status removed = remove_recording(folder, name); !removed) return removed;
  }
  for (const char* const name : kOurs) {
    if (but_the_plan && name == std::string_view(kPlanFile)) continue;
    std::error_code failed;
    fs::remove(folder / name, failed);
    if (failed) return cannot_remove(folder / name, failed);
  }
  return success();
}

Status remove_recordings(const fs::path& folder, const std::vector<std::string>& names) {
  const auto journal = read_stored_run(folder);
  if (!journal) return journal.error();
  std::set<std::string> known;
  name_recordings(journal->results, known);
  for (const std::string& name : names) {
    if (!known.contains(name)) continue;
    if (Status removed = remove_recording(folder, name); !removed) return removed;
  }
  return success();
}

Status remove_node_files(const fs::path& folder) {
  for (const char* const end : {"a", "b"}) {
    const fs::path data = folder / kNodesFolder / end;
    if (Status removed = remove_data_of_node(data); !removed) return removed;
    std::error_code not_empty;
    fs::remove(data / kRecordingsFolder, not_empty);
    fs::remove(data, not_empty);
  }
  std::error_code not_empty;
  fs::remove(folder / kNodesFolder, not_empty);
  return success();
}

std::vector<std::string> names_taken(const fs::path& folder) {
  std::vector<std::string> taken;
  std::error_code failed;
  for (const char* const name : kOurs) {
    if (fs::exists(fs::symlink_status(folder / name, failed))) taken.emplace_back(name);
  }
  for (const char* const name : {kRecordingsFolder, kNodesFolder}) {
    if (fs::exists(folder / name, failed) && !fs::is_empty(folder / name, failed)) taken.emplace_back(name);
  }
  return taken;
}

}  // namespace vqas
