#include "vqas/campaign/earlier_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <system_error>
#include <utility>

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
  if (!written || written->results.about.uuid != run.about.uuid || written->results.started_utc != run.started_utc)
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

}  // namespace

Status check_score_version(const std::filesystem::path& folder, const StoredRun& run) {
  if (run.provenance.score_version == kScoreVersion) return success();
  return Error{ErrorCode::bad_input,
               fmt::format("the run in {} was begun with score version {}, and this release has {}; resume it with the "
                           "release that began it",
                           folder.string(), run.provenance.score_version, kScoreVersion)};
}

Result<EarlierRun> read_earlier_run(const std::filesystem::path& folder) {
  if (const auto there = read_session_record(folder); !there) return there.error();
  // Before it is read: measurements that another process still adds would be made again.
  auto lock = RunLock::take(folder);
  if (!lock) return lock.error();
  remove_unfinished_files(folder);
  auto session = read_session_record(folder);
  if (!session) return session.error();
  auto stored = read_stored_run(folder);
  if (!stored) return stored.error();
  if (Status same = check_score_version(folder, *stored); !same) return same.error();
  EarlierRun earlier;
  RunResults& so_far = stored->results;
  if (stored->damaged > 0) {
    const std::size_t restored =
        restore_from(folder, kResultsFile, so_far) + restore_from(folder, kKeptResults, so_far);
    earlier.notice = fmt::format(
        "{} has damaged lines: {}; measurements taken from results.json instead: {}; what is missing is measured again",
        (folder / kJournalFile).string(), stored->damaged, restored);
  }
  if (so_far.directions.empty())
    return Error{ErrorCode::bad_input,
                 fmt::format("the run in {} measures no direction; begin a new run", folder.string())};
  RunPlan& plan = earlier.plan;
  plan.folder = folder;
  plan.lock = *std::move(lock);
  take_plan(*session, plan);
  plan.seed = so_far.seed;
  plan.sampling = so_far.sampling;
  plan.a_to_b = plan.b_to_a = false;
  for (const DirectionRun& direction : so_far.directions) (direction.from == End::a ? plan.a_to_b : plan.b_to_a) = true;
  for (const StimulusRun& one : so_far.directions.front().stimuli) plan.stimuli.push_back(one.stimulus);
  plan.continues = RunContinuation{std::move(so_far), *std::move(session)};
  return earlier;
}

bool was_begun(const std::filesystem::path& folder) {
  std::error_code failed;
  return std::filesystem::exists(folder / kSessionFile, failed) &&
         std::filesystem::exists(folder / kJournalFile, failed);
}

Status mend_report(const std::filesystem::path& folder, const StoredRun& run,
                   const std::function<void(const std::string&)>& noticed) {
  const std::filesystem::path path = folder / kResultsFile;
  std::error_code fault;
  const bool there = std::filesystem::exists(path, fault);
  if (there) {
    const auto written = read_results(folder);
    if (written && written->results.about.uuid == run.results.about.uuid &&
        written->results.ended_because == run.results.ended_because)
      return success();
  }
  noticed(fmt::format("{} {}; the report is rewritten from the journal", path.string(),
                      there ? "does not belong to the run's journal" : "is missing"));
  return write_report(folder, run.results, run.provenance);
}

// A folder "nodes": from the window, or from a release that did not record who held the nodes.
bool has_own_line(const RunPlan& plan) {
  std::error_code failed;
  return plan.holder == kOwnLine || std::filesystem::exists(plan.folder / "nodes", failed);
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
