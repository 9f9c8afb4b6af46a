#pragma once

#include <string>

#include "run/json.h"
#include "vqas/run/provenance.h"
#include "vqas/run/run.h"

namespace vqas::store {

// The JSON of a run's parts, shared by the journal and by results.json. Each reader takes what the writer beside it
// wrote; `where` names the object in messages. Numbers are rounded: MOS and auditory distance to 1e-4, delay to
// 1e-3 ms, drift to 1e-3 ppm, level to 1e-3 dB.

Json to_json(const Measurement& measurement);
Result<Measurement> measurement_from_json(const Json& json, const std::string& where);

Json to_json(const LineConditions& conditions);
Result<LineConditions> conditions_from_json(const Json& json, const std::string& where);

/// The line's name and its simulated conditions by direction.
Json line_to_json(const RunResults& results);
Status line_from_json(const Json& json, const std::string& where, RunResults& results);

Json to_json(const SamplerOptions& options);
Result<SamplerOptions> sampling_from_json(const Json& json, const std::string& where);

Json model_error_to_json(const Provenance& provenance);
Status model_error_from_json(const Json& json, const std::string& where, Provenance& provenance);

/// Names of ends and stimuli: 1 to 64 letters, digits, '_', '-', '.', not beginning with '.'.
bool is_name(const std::string& text);

/// By what the speech of a measurement was found: "marks" (the leading one at least), "trailing_mark" alone, or
/// "speech" alone, where the marks were lost and the score's own alignment found what had arrived. Empty when nothing
/// was.
std::string found_by(const Measurement& measurement);

/// Scores of the measurements that have one, in their order.
std::vector<double> scores_of(const std::vector<Measurement>& measurements);

}  // namespace vqas::store
