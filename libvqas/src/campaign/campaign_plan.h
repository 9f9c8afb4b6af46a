#pragma once

#include <optional>
#include <string>

#include "vqas/campaign/campaign.h"
#include "vqas/campaign/run_folder.h"
#include "vqas/line/simulator.h"

namespace vqas::campaign {

bool is_simulated(const CampaignPlan& plan);

/// What a new run belongs to.
RunAbout about(const CampaignPlan& plan);
/// What a resumed run belongs to, by the plan as it is now, with a note on what was changed meanwhile.
RunAbout about_of_earlier(const RunResults& so_far, const std::optional<PlanOnDisk>& before, const PlanOnDisk& now);

/// A run by the plan. `number` is the run's, from 1.
RunPlan run_plan(const CampaignPlan& plan, const CampaignOptions& options, const PreparedFolder& prepared,
                 std::size_t number);
/// The settings that also a resumed run with nodes takes from the plan.
void set_link(const CampaignPlan& plan, RunPlan& run);
/// The simulated line of a run; sets how long the run waits for it. Fails with bad_input.
Result<SimulatedLine> line_of_run(const CampaignPlan& plan, RunPlan& run);

/// Refuses a plan that would measure something else than the campaign began with. Gives one sentence on other changes;
/// empty: none.
Result<std::string> check_changes(const PlanOnDisk& plan, const CampaignOptions& options);

}  // namespace vqas::campaign
