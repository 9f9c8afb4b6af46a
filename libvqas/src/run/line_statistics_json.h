#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "vqas/signal/line_statistics.h"

namespace vqas {

/// Member for member, by the names of LineStatistics.
nlohmann::ordered_json to_json(const LineStatistics& statistics);
/// What is not there is 0; nothing when it is no object or a member cannot be.
std::optional<LineStatistics> line_statistics_from(const nlohmann::ordered_json& json);

}  // namespace vqas
