#pragma once

namespace vqas {

/// In a campaign's folder: the state of its hooks with the documents that wait, and what the programs printed.
inline constexpr const char* kHooksFile = "hooks.json";
inline constexpr const char* kHookLog = "hooks.log";
inline constexpr const char* kEarlierHookLog = "hooks.log.1";

}  // namespace vqas
