#pragma once

#include <string>

#include "vqas/calls/call_outcome.h"
#include "vqas/signal/json_text.h"
#include "vqas/signal/result.h"

namespace vqas {

/// A call as a line of calls.jsonl and of "--json-lines" has it. Re-entrant.
Json to_json(const CallOutcome& call);
/// Fails with bad_input for values that to_json() never writes. Re-entrant.
Result<CallOutcome> call_from_json(const Json& json);

/// A row of calls.csv, with its line end; and the first row, of calls with scores of that scale.
std::string csv_row(const CallOutcome& call, std::optional<double> relative_mos = {});
std::string csv_heading(ScoreMode mode);

}  // namespace vqas
