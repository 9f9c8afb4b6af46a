#pragma once

#include <CLI/App.hpp>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vqas/campaign/run_folder.h"
#include "vqas/node/controller.h"

namespace vqas::cli {

inline constexpr std::size_t kMostCap = 1000;  ///< of --cap

/// Options of a run, the same for every command that makes one.
struct PlanOptions {
  RunPlan plan;
  std::string mode = "nb";
  std::string corpus;
  std::string directions = "both";
  std::vector<std::string> tags;              ///< "site=north"
  GoalOf usual_goal = GoalOf::each_stimulus;  ///< of the command
  bool each_stimulus = false, mean = false;
  std::optional<double> minutes, above;
  bool json = false, json_lines = false, force = false;
  PreparedFolder folder;  ///< by complete_plan()
};
void add_plan_options(CLI::App& command, PlanOptions& options);
/// Finds the corpus, checks stimuli and makes the folder ready; fills the rest of the plan. Fails with bad_input or io.
Status complete_plan(PlanOptions& options, const FolderAdvice& advice = {});
/// The labels of the run: its tags, and the limit of --above.
RunAbout about_of(const PlanOptions& options);
/// The options that make the same plan again, " --seed 1 --cap 30 …".
std::string as_arguments(const PlanOptions& options);

}  // namespace vqas::cli
