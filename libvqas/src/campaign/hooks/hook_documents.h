#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vqas/campaign/hook_watch.h"

namespace vqas::campaign {

/// The whole document in one line; `content` is the JSON of its own member.
std::string hook_document(const HookCampaign& campaign, const HookMessage& message, std::uint64_t number,
                          const std::string& utc, const std::string& member, const std::string& content);
std::string run_json(const RunEnd& end);
/// The change to the verdict of `end`; nothing before: it is the first one.
std::string verdict_json(const std::optional<RunVerdict>& before, const RunEnd& end);
std::string line_json(const std::string& why, const std::string& dead_since_utc);
std::string disk_json(const DiskForecast& forecast);
/// "no transmission from a to b was scored"
std::string direction_names_without_score(const RunEnd& end);

}  // namespace vqas::campaign
