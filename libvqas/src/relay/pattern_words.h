#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "vqas/relay/pattern_file.h"

namespace vqas {

/// A word of two bytes for each of eight bits.
inline constexpr std::uint64_t kG192BytesPerOctet = 16;
void append_g192_words(std::span<const std::uint8_t> octets, std::vector<std::uint8_t>& words);

/// Where the notes of a pattern stand, and their text.
std::filesystem::path notes_file(const std::filesystem::path& pattern);
std::string notes_text(const PatternNotes& notes);

}  // namespace vqas
