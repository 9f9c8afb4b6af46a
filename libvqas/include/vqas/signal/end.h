#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vqas {

/// The two ends of a line. An end also names the direction that starts there: a transmits to b, b transmits to a.
enum class End : std::uint8_t { a = 0, b = 1 };
constexpr End other_end(End end) {
  return end == End::a ? End::b : End::a;
}

/// "a" or "b".
constexpr const char* name_of(End end) {
  return end == End::a ? "a" : "b";
}
/// The end with that name; nothing for any other text.
constexpr std::optional<End> end_of_name(std::string_view name) {
  if (name == "a") return End::a;
  if (name == "b") return End::b;
  return std::nullopt;
}

/// The direction that starts at `from`, in words: "a to b" or "b to a".
constexpr const char* direction_words(End from) {
  return from == End::a ? "a to b" : "b to a";
}
/// The same in files, their names and options: "a-to-b" or "b-to-a".
constexpr const char* direction_name(End from) {
  return from == End::a ? "a-to-b" : "b-to-a";
}

}  // namespace vqas
