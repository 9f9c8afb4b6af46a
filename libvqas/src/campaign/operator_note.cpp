#include "vqas/campaign/operator_note.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>

#include "vqas/campaign/earlier_run.h"
#include "vqas/campaign/folder_state.h"
#include "vqas/campaign/kept_plan.h"
#include "vqas/campaign/renewed_report.h"
#include "vqas/campaign/shell_words.h"
#include "vqas/node/run_lock.h"
#include "vqas/report/report.h"
#include "vqas/report/summary.h"
#include "vqas/run/session_record.h"
#include "vqas/store/notes.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

// What is measured because of a note on this stimulus, for a run that is not in progress.
std::string what_follows(const fs::path& folder, const RunResults& results, const StimulusRun& stimulus) {
  const FolderSurvey survey = survey_folder(folder);
  const bool complete = survey.state == FolderState::complete;
  const bool has_line = survey.session && !has_own_line(folder, survey.session->holder);
  const std::string over = complete ? "the run is over" : "the run was broken off";
  const auto campaign = campaign_of(folder);
  if (complete && campaign) return over + ", and its campaign does not measure it again";
  if (!campaign && !has_line) return over + ", and its line with it: nothing more is measured";
  const bool abandoned = stimulus.stopped_because == StopReason::failures;
  if (abandoned || stimulus.interval.n >= results.sampling.cap_count)
    return fmt::format("nothing more of {} is measured: {}", stimulus.stimulus,
                       stop_in_words(abandoned ? StopReason::failures : StopReason::cap_count, results.sampling));
  return fmt::format("{}; \"{}\" measures up to {} more of {}{}", over,
                     as_command({"vqas", "measure", "--resume", campaign.value_or(folder).string()}),
                     std::min(results.sampling.step, results.sampling.cap_count - stimulus.interval.n),
                     stimulus.stimulus, campaign ? "" : ", as long as its two nodes serve");
}

// The stimulus of the noted measurement; gives the note its ends.
Result<const StimulusRun*> find_noted(const fs::path& folder, const RunResults& results, const std::string& wanted,
                                      OperatorNote& note) {
  const StimulusRun* noted = nullptr;
  for (const DirectionRun& direction : results.directions) {
    if (!wanted.empty() && wanted != direction_name(direction.from)) continue;
    for (const StimulusRun& stimulus : direction.stimuli) {
      const auto& measurements = stimulus.measurements;
      if (std::ranges::find(measurements, note.sequence, &Measurement::sequence) == measurements.end()) continue;
      if (noted != nullptr)
        return Error{ErrorCode::bad_input, fmt::format("both directions have a measurement {}; say which: "
                                                       "--direction a-to-b or --direction b-to-a",
                                                       note.sequence)};
      noted = &stimulus;
      note.from = direction.from;
    }
  }
  if (noted != nullptr) return noted;
  return Error{ErrorCode::bad_input, fmt::format("{} has no measurement {}{}{}; its results.csv lists them",
                                                 folder.string(), note.sequence, wanted.empty() ? "" : " ", wanted)};
}

}  // namespace

Result<std::string> write_note(const fs::path& folder, OperatorNote note, const std::string& direction) {
  const auto run = read_stored_run(folder);
  if (!run) return run.error();
  const auto noted = find_noted(folder, run->results, direction, note);
  if (!noted) return noted.error();
  if (const Status kept = append_note(folder, note); !kept) return kept.error();
  if (run_goes_on(folder))
    return note.sounds_different ? fmt::format("the run measures more of {}", (*noted)->stimulus)
                                 : "its report will have it";
  std::error_code failed;
  if (fs::exists(folder / kResultsFile, failed)) {
    const auto renewed = renew_report(folder);
    if (!renewed)
      return Error{renewed.error().code,
                   fmt::format("the note is written, but the report is not: {}", renewed.error().message)};
  }
  return note.sounds_different ? what_follows(folder, run->results, **noted) : std::string();
}

Status request_stop(const fs::path& folder) {
  if (!run_goes_on(folder))
    return Error{ErrorCode::bad_input, fmt::format("no program measures the run in {} now", folder.string())};
  std::error_code failed;
  // Of these, a listener's run has no session with nodes; it ends by its own rules.
  if (fs::exists(folder / kJournalFile, failed) && !fs::exists(folder / kSessionFile, failed))
    return Error{
        ErrorCode::bad_input,
        fmt::format("the run in {} is of a listener, which takes no requests; stop it there", folder.string())};
  // Never through a link that another user has put there. A request that is there already is enough.
  const int file = ::open((folder / kStopFile).c_str(), O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, 0644);
  if (file >= 0) ::close(file);
  if (file >= 0 || errno == EEXIST) return success();
  return Error{ErrorCode::io,
               fmt::format("cannot write to the folder {}, so the run cannot be stopped from here; stop it where it is "
                           "measured",
                           folder.string())};
}

bool take_stop_request(const fs::path& folder) {
  std::error_code failed;
  return fs::remove(folder / kStopFile, failed);
}

}  // namespace vqas
