#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace vqas {

/// JSON of messages and files; its members keep their order.
using Json = nlohmann::ordered_json;

/// Whether JSON text is nested no deeper than any message or file of VQAS. Check untrusted text before parsing, because
/// a hostile one could exhaust the stack. Re-entrant.
bool is_shallow_json(const std::string& text);

}  // namespace vqas
