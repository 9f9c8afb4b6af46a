#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vqas {

/// `text` of an untrusted source, for people: nothing in it moves a terminal's cursor, changes the order of what stands
/// around it, or breaks the encoding. A space stands for each control character (U+0000..U+001F but for those of
/// `kept`, U+007F..U+009F), for each of the marks, embeddings, overrides and isolates by which text chooses its own
/// direction (U+061C, U+200E, U+200F, U+202A..U+202E, U+2066..U+2069), and for U+2028 and U+2029, which end a line; '?'
/// for each byte that is no UTF-8. Never longer than `text`. Re-entrant.
std::string plain_text(std::string_view text, std::string_view kept = {});
/// Whether plain_text() leaves it as it is.
bool is_plain_text(std::string_view text);

/// How many bytes of `text` come before a character of UTF-8 that its end cuts; all of them where none is cut.
std::size_t whole_characters(std::string_view text);

}  // namespace vqas
