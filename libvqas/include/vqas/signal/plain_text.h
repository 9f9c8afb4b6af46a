#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vqas {

/// Makes `text` from an untrusted source safe to display: it cannot move a terminal's cursor, reorder the text around
/// it, or break the encoding. A space replaces each control character (U+0000..U+001F except those in `kept`,
/// U+007F..U+009F), each bidirectional mark, embedding, override and isolate (U+061C, U+200E, U+200F, U+202A..U+202E,
/// U+2066..U+2069), and the line ends U+2028 and U+2029. '?' replaces each byte that is not valid UTF-8. The result is
/// never longer than `text`. Re-entrant.
std::string plain_text(std::string_view text, std::string_view kept = {});
/// Whether plain_text() leaves the text unchanged.
bool is_plain_text(std::string_view text);

/// Number of bytes before an incomplete UTF-8 character at the end of `text`; all of them if none is incomplete.
std::size_t whole_characters(std::string_view text);

}  // namespace vqas
