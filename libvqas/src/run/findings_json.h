#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "vqas/run/run.h"
#include "vqas/signal/result.h"

namespace vqas {

/// The findings of a measurement on the line, in messages, journals and results; null for none.
nlohmann::json findings_json(const std::optional<MeasurementFindings>& findings);

/// The inverse; nothing for null. Fails with bad_input when a value is missing or impossible. Re-entrant.
Result<std::optional<MeasurementFindings>> findings_from(const nlohmann::json& json);

}  // namespace vqas
