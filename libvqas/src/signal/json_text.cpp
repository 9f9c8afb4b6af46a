#include "vqas/signal/json_text.h"

#include <fmt/format.h>

namespace vqas {
namespace {

bool is_shallow(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepestJson) return false;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return true;
}

}  // namespace

Result<Json> parse_json_text(std::string_view text, std::string_view name) {
  if (!is_shallow(text)) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{} nests more than {} brackets of JSON, the most that are read; give "
                             "it as VQAS wrote it",
                             name, kDeepestJson)};
  }
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_discarded()) return json;
  return Error{ErrorCode::bad_input, fmt::format("{} is not valid JSON; give it as VQAS wrote it", name)};
}

Json own_json(std::string_view text) {
  return parse_json_text(text, "a text of VQAS").value();
}

}  // namespace vqas
