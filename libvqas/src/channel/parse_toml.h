#pragma once

#include <toml++/toml.h>

#include <cstddef>
#include <filesystem>
#include <string>

#include "vqas/signal/result.h"

namespace vqas {

/// Parts of a dotted key, and brackets within brackets, that a TOML text may have. Profiles and plans need four.
inline constexpr std::size_t kDeepestToml = 16;
/// Longest TOML text that is read, in bytes.
inline constexpr std::size_t kLongestToml = 4U << 20U;

/// A TOML text as a table: the only way to the parser. The parser's tree nests as deeply as the text asks for, and is
/// destroyed by recursion, so that a text of some hundred kilobytes would end the program; what nests deeper than
/// kDeepestToml in any spelling is refused before the parser sees it. Fails with bad_input, with file and line.
/// Re-entrant.
Result<toml::table> parse_toml(const std::string& text, const std::filesystem::path& where);

}  // namespace vqas
