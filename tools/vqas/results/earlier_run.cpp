#include "results/earlier_run.h"

#include <fmt/format.h>

#include <iostream>
#include <string>
#include <system_error>
#include <utility>

#include "vqas/campaign/earlier_run.h"
#include "vqas/report/report.h"
#include "vqas/signal/input_file.h"
#include "vqas/store/journal.h"

namespace vqas::cli {
namespace {

constexpr FileKind kResultsKind{"results.json", 256U << 20U, "name the folder of a run"};

}  // namespace

Status plan_of_earlier_run(RunPlan& plan) {
  auto earlier = read_earlier_run(plan.folder);
  if (!earlier) return earlier.error();
  if (!earlier->notice.empty()) std::cerr << fmt::format("vqas: {}.\n", earlier->notice);
  plan = std::move(earlier->plan);
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
