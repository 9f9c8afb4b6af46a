#pragma once

#include <toml++/toml.h>

#include <cstddef>
#include <filesystem>
#include <string>

#include "vqas/signal/result.h"

namespace vqas {

/// Limit on the parts of a dotted key, and on nested brackets, in a TOML text. Profiles and plans need four.
inline constexpr std::size_t kDeepestToml = 16;
/// Longest TOML text, in bytes.
inline constexpr std::size_t kLongestToml = 4U << 20U;

/// Parses a TOML text into a table; all TOML goes through here. The parser's tree nests as deeply as the text and is
/// destroyed recursively, so a text of some hundred kilobytes could crash the program. Text nested deeper than
/// kDeepestToml, in any spelling, is refused before it reaches the parser. Fails with bad_input, with file and line.
/// Re-entrant.
Result<toml::table> parse_toml(const std::string& text, const std::filesystem::path& where);

}  // namespace vqas
