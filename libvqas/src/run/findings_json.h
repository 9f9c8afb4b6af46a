#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "vqas/run/run.h"
#include "vqas/signal/result.h"

namespace vqas {

/// What a measurement found on the line, as it stands in messages, journals and results; null for nothing.
nlohmann::json findings_json(const std::optional<MeasurementFindings>& findings);

/// The reverse; nothing for null. Fails with bad_input when a value is missing or cannot exist. Re-entrant.
Result<std::optional<MeasurementFindings>> findings_from(const nlohmann::json& json);

}  // namespace vqas
