#pragma once

#include "run/json.h"
#include "vqas/run/run.h"

namespace vqas::store {

/// The labels of a run, without its uuid; null if there are none.
Json to_json(const RunAbout& about);
Result<RunAbout> about_from_json(const Json& json, const std::string& where);

Json to_json(const OperatorNote& note);
Result<OperatorNote> note_from_json(const Json& json, const std::string& where);

/// 8-4-4-4-12 lower-case hexadecimal digits.
bool is_uuid(const std::string& text);

}  // namespace vqas::store
