#include "earlier_run.h"

#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include "vqas/report/earlier_run.h"
#include "vqas/report/report.h"
#include "vqas/store/journal.h"

namespace vqas::cli {

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
    std::ifstream file(path, std::ios::binary);
    const auto written = parse_results(std::string(std::istreambuf_iterator<char>(file), {}), path.string());
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
