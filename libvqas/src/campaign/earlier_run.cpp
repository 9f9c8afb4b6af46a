#include "vqas/campaign/earlier_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <system_error>
#include <utility>

#include "campaign/run_files.h"
#include "vqas/report/report.h"
#include "vqas/run/session_record.h"
#include "vqas/score/score.h"
#include "vqas/signal/unfinished_files.h"
#include "vqas/store/journal.h"

namespace vqas {
namespace {

constexpr const char* kReports[] = {kResultsFile, "results.csv", "report.html", "report.pdf", kKeptResults};

// The measurement of a damaged journal line may be in the results that were written when the run ended. Gives the
// number of measurements found there.
std::size_t restore_from(const std::filesystem::path& folder, const char* name, RunResults& run) {
  const auto written = read_results(folder, name);
  if (!written || written->results.about.uuid != run.about.uuid || written->results.started_utc != run.started_utc ||
      written->results.mode != run.mode)
    return 0;
  std::size_t restored = 0;
  for (DirectionRun& direction : run.directions) {
    const auto& others = written->results.directions;
    const auto same = std::ranges::find(others, direction.from, &DirectionRun::from);
    if (same == others.end()) continue;
    std::set<std::uint32_t> known;
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) known.insert(one.sequence);
    }
    for (StimulusRun& stimulus : direction.stimuli) {
      const auto there = std::ranges::find(same->stimuli, stimulus.stimulus, &StimulusRun::stimulus);
      if (there == same->stimuli.end()) continue;
      for (const Measurement& one : there->measurements) {
        if (!known.insert(one.sequence).second) continue;
        stimulus.measurements.push_back(one);
        ++restored;
      }
      std::ranges::sort(stimulus.measurements, {}, &Measurement::sequence);
    }
  }
  return restored;
}

Error refuse(const std::filesystem::path& folder, const std::string& why) {
  return {ErrorCode::bad_input, fmt::format("the run in {} {}", folder.string(), why)};
}

}  // namespace

Result<ClaimedRun> claim_run(const std::filesystem::path& folder) {
  const Error none{ErrorCode::bad_input,
                   fmt::format("no run was begun in {}; check its name, or begin a new run", folder.string())};
  std::error_code failed;
  if (!std::filesystem::exists(folder, failed)) return none;
  // Before it is read: measurements that another process still adds would be made again.
  auto lock = RunLock::take(folder);
  if (!lock) return lock.error();
  remove_unfinished_files(folder);
  ClaimedRun claimed{*std::move(lock), survey_folder(folder), {}};
  const FolderSurvey& survey = claimed.survey;
  if (!holds_a_run(survey.state)) return none;
  if (survey.state == FolderState::damaged)
    return refuse(folder, fmt::format("cannot be resumed: {}; begin a new run in another folder", survey.why));
  StoredRun& run = *claimed.survey.run;
  if (run.provenance.score_version != score_version(run.results.mode)) {
    return refuse(folder, fmt::format("was begun with score version {}, and this release has {}; resume it with the "
                                      "release that began it",
                                      run.provenance.score_version, score_version(run.results.mode)));
  }
  if (run.results.directions.empty()) return refuse(folder, "measures no direction; begin a new run");
  if (run.damaged == 0) return claimed;
  const std::size_t restored =
      restore_from(folder, kResultsFile, run.results) + restore_from(folder, kKeptResults, run.results);
  claimed.notice = fmt::format(
      "{} has damaged lines: {}; measurements taken from results.json instead: {}; what is missing is measured again",
      (folder / kJournalFile).string(), run.damaged, restored);
  return claimed;
}

Result<EarlierRun> read_earlier_run(const std::filesystem::path& folder) {
  auto claimed = claim_run(folder);
  if (!claimed) return claimed.error();
  auto& [lock, survey, notice] = *claimed;
  if (!survey.session) return refuse(folder, "was measured by a listener; resume it with \"vqas listen\" and --resume");
  RunResults& so_far = survey.run->results;
  EarlierRun earlier{{}, std::move(notice), survey.state == FolderState::complete && !survey.asks_for_more()};
  RunPlan& plan = earlier.plan;
  plan.folder = folder;
  plan.lock = std::move(lock);
  take_plan(*survey.session, plan);
  plan.seed = so_far.seed;
  plan.mode = so_far.mode;
  plan.sampling = so_far.sampling;
  plan.a_to_b = plan.b_to_a = false;
  for (const DirectionRun& direction : so_far.directions) (direction.from == End::a ? plan.a_to_b : plan.b_to_a) = true;
  for (const StimulusRun& one : so_far.directions.front().stimuli) plan.stimuli.push_back(one.stimulus);
  plan.continues = RunContinuation{std::move(so_far), *std::move(survey.session)};
  return earlier;
}

Status mend_report(const std::filesystem::path& folder, const StoredRun& run,
                   const std::function<void(const std::string&)>& noticed) {
  const std::filesystem::path path = folder / kResultsFile;
  std::error_code fault;
  const std::filesystem::path page = folder / "report.html";
  const bool has_page = std::filesystem::is_regular_file(page, fault), there = std::filesystem::exists(path, fault);
  if (there && has_page) {
    const auto written = read_results(folder);
    if (written && written->results.about.uuid == run.results.about.uuid &&
        written->results.ended_because == run.results.ended_because)
      return success();
  }
  noticed(fmt::format("{} {}; the report is rewritten from the journal", (there && !has_page ? page : path).string(),
                      there && has_page ? "does not belong to the run's journal" : "is missing"));
  return write_report(folder, run.results, run.provenance);
}

// A folder "nodes": from the window, or from a release that did not record who held the nodes.
bool has_own_line(const std::filesystem::path& folder, const std::string& holder) {
  std::error_code failed;
  return holder == kOwnLine || std::filesystem::exists(folder / kNodesFolder, failed);
}

Status clear_reports(const std::filesystem::path& folder) {
  for (const char* const name : kReports) {
    std::error_code fault;
    std::filesystem::remove(folder / name, fault);
    if (fault)
      return Error{ErrorCode::io, fmt::format("cannot write to the folder {}: {}; see whether it may be written to",
                                              folder.string(), fault.message())};
  }
  return success();
}

}  // namespace vqas
