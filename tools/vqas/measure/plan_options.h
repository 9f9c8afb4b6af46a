#pragma once

#include <CLI/App.hpp>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "vqas/campaign/run_folder.h"
#include "vqas/node/controller.h"

namespace vqas::cli {

inline constexpr std::size_t kMostCap = 1000;  ///< of --cap

/// Options of a run, the same for every command that makes one.
struct PlanOptions {
  RunPlan plan;
  std::string corpus;
  std::string directions = "both";
  std::vector<std::string> tags;  ///< "site=north"
  bool json = false, json_lines = false, force = false;
  PreparedFolder folder;  ///< by complete_plan()
};
void add_plan_options(CLI::App& command, PlanOptions& options);
/// Finds the corpus, checks stimuli and makes the folder ready; fills the rest of the plan. Fails with bad_input or io.
Status complete_plan(PlanOptions& options, const FolderAdvice& advice = {});
/// The tags by name.
std::map<std::string, std::string> tags_of(const PlanOptions& options);
/// The options that make the same plan again, " --seed 1 --cap 30 …".
std::string as_arguments(const PlanOptions& options);

}  // namespace vqas::cli
