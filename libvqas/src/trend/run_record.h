#pragma once

#include <string>

#include "vqas/signal/json_text.h"
#include "vqas/trend/trend.h"

namespace vqas::trend {

/// A run as a site keeps it, so that it is not read anew each time; without RunOfTrend::report.
Json to_json(const RunOfTrend& run);
/// The inverse. Fails with bad_input; `where` names the run in messages.
Result<RunOfTrend> run_from_json(const Json& json, const std::string& where);

}  // namespace vqas::trend
