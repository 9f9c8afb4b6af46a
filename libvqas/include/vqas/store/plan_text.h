#pragma once

#include <string>

#include "vqas/store/plan.h"

namespace vqas {

/// The plan in TOML, without comments; parse_plan() reads the same plan from it. Tables of what the plan does not use
/// are left out. Names of files are those in the plan, which parse_plan() made relative to the working directory.
/// Re-entrant.
std::string plan_text(const CampaignPlan& plan);

}  // namespace vqas
