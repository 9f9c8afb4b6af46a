#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vqas/corpus/corpus.h"
#include "vqas/signal/result.h"

namespace vqas::manifest {

inline constexpr const char* kFileName = "manifest.json";
/// Changes when a field changes its meaning; a reader refuses an unknown schema.
inline constexpr const char* kSchema = "vqas-corpus-1";
/// Largest manifest, in bytes: enough for thousands of stimuli, too small to fill memory.
inline constexpr std::uintmax_t kMostBytes = 4U << 20;
/// Largest recording, in bytes: a minute at 192 kHz and 24 bits has 35 MB.
inline constexpr std::uintmax_t kMostRecordingBytes = 64U << 20;

/// True for a word of 1 to 32 letters, digits, '-', '_' that starts with a letter or digit: safe in a file name, a
/// protocol and a table.
bool is_word(const std::string& text);

/// True for 1 to 500 bytes of UTF-8 without control characters.
bool is_line_of_text(const std::string& text);

/// Reads the text of a manifest; every field must be present, of its type and in its range, and each path must stay in
/// the folder. Fails with bad_input, naming `file` and the field.
Result<std::vector<Stimulus>> parse(const std::string& text, const std::filesystem::path& file);

/// Reads `manifest.json` of a folder. Fails with bad_input.
Result<std::vector<Stimulus>> read(const std::filesystem::path& folder);

/// Writes it atomically. Fails with io.
Status write(const std::filesystem::path& folder, const std::vector<Stimulus>& stimuli);

/// The bytes of a regular file of at most `most` bytes. Fails with bad_input, naming the file and the remedy.
Result<std::string> read_bytes(const std::filesystem::path& file, std::uintmax_t most);

}  // namespace vqas::manifest
