#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vqas {

/// Which marks of a transmission were found.
enum class MarksFound : std::uint8_t { both, leading_only, trailing_only, none };
/// "both", "leading_only", "trailing_only", "none".
std::string_view to_string(MarksFound marks);
std::optional<MarksFound> marks_found_from_string(std::string_view name);

/// Whether any mark arrived. Nothing: no mark was waited for.
constexpr bool any_mark(std::optional<MarksFound> marks) {
  return marks && *marks != MarksFound::none;
}
/// Whether the leading mark arrived, which gives the place of the speech.
constexpr bool leading_mark(std::optional<MarksFound> marks) {
  return marks == MarksFound::both || marks == MarksFound::leading_only;
}

}  // namespace vqas
