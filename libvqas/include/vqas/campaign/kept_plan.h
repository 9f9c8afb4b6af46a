#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "vqas/signal/result.h"
#include "vqas/store/plan.h"

namespace vqas {

/// The copy of its plan that a campaign keeps in its folder.
inline constexpr const char* kPlanFile = "plan.json";

/// A plan with the path and the text of its file.
struct PlanOnDisk {
  CampaignPlan plan;
  std::filesystem::path file;  ///< absolute; relative names in the plan start from its folder
  std::string text;
  std::string profile_text;  ///< of the profile's file; empty for a built-in profile
};

/// Fails as read_plan().
Result<PlanOnDisk> open_plan(const std::filesystem::path& file);

/// Puts a copy into `folder`, in place of an earlier one. Fails with io.
Status keep_plan(const std::filesystem::path& folder, const PlanOnDisk& plan);

/// The copy in `folder`; nothing if there is none, bad_input if it is damaged.
Result<std::optional<PlanOnDisk>> kept_plan(const std::filesystem::path& folder);

/// The folder of the campaign that the run in `run` belongs to: this one or the one above it.
std::optional<std::filesystem::path> campaign_of(const std::filesystem::path& run);

/// What differs between two plans: "cap_count was 10 and is 20", each.
struct PlanChanges {
  std::vector<std::string> of_measurement;  ///< changes what is measured
  std::vector<std::string> others;          ///< how much is measured, limits, where it is kept
};
PlanChanges changes_between(const PlanOnDisk& before, const PlanOnDisk& now);

}  // namespace vqas
