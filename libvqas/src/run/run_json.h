#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "run/json.h"
#include "vqas/run/provenance.h"
#include "vqas/run/run.h"

namespace vqas::store {

// JSON of the parts of a run, shared by the journal and results.json. Each reader reads what its writer wrote; `where`
// names the object in messages. Numbers are rounded: MOS and auditory distance to 1e-4, delay to 1e-3 ms, drift to 1e-3
// ppm, level to 1e-3 dB.

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

/// What journal and results.json begin with alike: versions, labels, seed, corpus, line, sampling, guard interval.
Status head_from_json(const Json& json, const std::string& where, RunResults& results, Provenance& provenance);

/// Whether each direction occurs once, and in each every stimulus once, with a valid name. A fault begins with `where`.
Status check_plan(const std::vector<DirectionRun>& directions, const std::string& where);

/// The direction in the members "from" and "to". Any other ends than "a" and "b" are a fault of `reader`.
End direction_from(Reader& reader);
/// The member "duplex"; automatic if it is missing or null.
Duplex duplex_from(Reader& reader);

/// Names of ends and stimuli: 1 to 64 letters, digits, '_', '-', '.'; the first is not '.'.
bool is_name(const std::string& text);

/// How the speech of a measurement was located.
enum class FoundBy {
  marks,          ///< at least the leading one
  trailing_mark,  ///< alone
  speech,         ///< by the score's own alignment, when the marks were lost
};
/// "marks", "trailing_mark", "speech".
std::string_view to_string(FoundBy found_by);
/// Nothing if it was not found.
std::optional<FoundBy> found_by(const Measurement& measurement);

/// Scores of the scored measurements, in their order.
std::vector<double> scores_of(const std::vector<Measurement>& measurements);

}  // namespace vqas::store
