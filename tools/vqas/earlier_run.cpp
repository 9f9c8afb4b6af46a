#include "earlier_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "run_folder.h"
#include "vqas/node/session_record.h"
#include "vqas/report/report.h"
#include "vqas/score/score.h"
#include "vqas/signal/input_file.h"
#include "vqas/signal/unfinished_files.h"
#include "vqas/store/journal.h"

namespace vqas::cli {
namespace {

constexpr FileKind kResultsKind{"results.json", 256U << 20U, "name the folder of a run"};

// What a damaged line of the journal held may stand in the results that were written when the run had ended. Gives how
// many measurements were found there.
std::size_t restore_from(const std::filesystem::path& path, RunResults& run) {
  const auto text = read_whole_file(path, kResultsKind);
  const auto written = parse_results(text ? *text : "", path.filename().string());
  if (!written || written->results.about.uuid != run.about.uuid || written->results.started_utc != run.started_utc)
    return 0;
  std::size_t restored = 0;
  for (DirectionRun& direction : run.directions) {
    const auto& others = written->results.directions;
    const auto same = std::ranges::find_if(
        others, [&](const DirectionRun& one) { return one.from == direction.from && one.to == direction.to; });
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

Status plan_of_earlier_run(RunPlan& plan) {
  if (const auto there = read_session_record(plan.folder); !there) return there.error();
  // Before it is read: what another process still adds would be measured again.
  auto lock = RunLock::take(plan.folder);
  if (!lock) return lock.error();
  plan.lock = *std::move(lock);
  remove_unfinished_files(plan.folder);
  auto session = read_session_record(plan.folder);
  if (!session) return session.error();
  auto stored = read_stored_run(plan.folder);
  if (!stored) return stored.error();
  if (stored->provenance.score_version != kScoreVersion) {
    return Error{
        ErrorCode::bad_input,
        fmt::format("the run in {} was begun with the score {}, here it is {}; go on with the release that began "
                    "it",
                    plan.folder.string(), stored->provenance.score_version, kScoreVersion)};
  }
  RunResults& so_far = stored->results;
  if (stored->damaged > 0) {
    const std::size_t restored =
        restore_from(plan.folder / "results.json", so_far) + restore_from(plan.folder / kKeptResults, so_far);
    std::cerr << fmt::format(
        "vqas: lines of {} that are damaged: {}; measurements taken from results.json instead: {}; what is missing is "
        "measured again.\n",
        (plan.folder / kJournalFile).string(), stored->damaged, restored);
  }
  if (so_far.directions.empty()) return Error{ErrorCode::bad_input, "the run has no direction to measure"};
  take_plan(*session, plan);
  plan.seed = so_far.seed;
  plan.sampling = so_far.sampling;
  plan.a_to_b = plan.b_to_a = false;
  for (const DirectionRun& direction : so_far.directions) (direction.from == "a" ? plan.a_to_b : plan.b_to_a) = true;
  plan.stimuli.clear();
  for (const StimulusRun& one : so_far.directions.front().stimuli) plan.stimuli.push_back(one.stimulus);
  plan.continues = RunContinuation{std::move(so_far), *std::move(session)};
  return success();
}

Status mend_report(const std::filesystem::path& folder, const StoredRun& run) {
  const std::filesystem::path path = folder / "results.json";
  std::error_code fault;
  const bool there = std::filesystem::exists(path, fault);
  if (there) {
    const auto text = read_whole_file(path, kResultsKind);
    const auto written = parse_results(text ? *text : "", path.string());
    if (written && written->results.about.uuid == run.results.about.uuid &&
        written->results.ended_because == run.results.ended_because)
      return success();
  }
  std::cerr << fmt::format("vqas: {} {}; the report is written anew from the journal.\n", path.string(),
                           there ? "is not of the run's journal" : "is not there");
  return write_report(folder, run.results, run.provenance);
}

bool was_begun(const std::filesystem::path& folder) {
  std::error_code failed;
  return std::filesystem::exists(folder / kSessionFile, failed) &&
         std::filesystem::exists(folder / kJournalFile, failed);
}

}  // namespace vqas::cli
