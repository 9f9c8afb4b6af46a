#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "vqas/signal/line_statistics.h"

namespace vqas {

/// Each member by its name in LineStatistics.
nlohmann::ordered_json to_json(const LineStatistics& statistics);
nlohmann::ordered_json to_json(const FarReport& far);
std::optional<FarReport> far_report_from(const nlohmann::ordered_json& json);
/// Missing members are 0; nothing if it is not an object or a member has an impossible value.
std::optional<LineStatistics> line_statistics_from(const nlohmann::ordered_json& json);

}  // namespace vqas
