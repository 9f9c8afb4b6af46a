#pragma once

#include <filesystem>
#include <string_view>

#include "channel/toml_section.h"
#include "vqas/store/plan.h"

namespace vqas::store {

/// A number within a range; a fault names its key.
void ranged(TomlSection& section, std::string_view key, double& value, double lowest, double highest);
/// Makes the path relative to the plan, not to the working directory.
void beside(std::filesystem::path& path, const std::filesystem::path& plan);

void read_keep(TomlSection& section, KeepRules& rules);
/// After [precision]: a hook on the verdict needs its limit.
void read_hooks(TomlSection& section, CampaignPlan& plan, const std::filesystem::path& file);

}  // namespace vqas::store
