#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "vqas/signal/result.h"

namespace vqas {

/// JSON of messages and files; its members keep their order. A program that includes this header needs nlohmann_json.
using Json = nlohmann::ordered_json;

/// Limit on nested brackets in a JSON text. The deepest of VQAS are those of results.json, which nests ten.
inline constexpr int kDeepestJson = 16;

/// Parses JSON from a file, a socket or a person; all JSON goes through here. Values are copied and written
/// recursively, so a deeply nested text of some hundred kilobytes could crash the program. A text nested deeper than
/// kDeepestJson is refused before it reaches the parser. `name` names the text in messages. Fails with bad_input.
/// Re-entrant.
Result<Json> parse_json_text(std::string_view text, std::string_view name);

/// The same for a text that VQAS made itself, where invalid JSON is a programming error and ends the program.
Json own_json(std::string_view text);

}  // namespace vqas
