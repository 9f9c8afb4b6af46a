#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// Options for reading a file.
struct AudioReadOptions {
  /// Channel to read, counted from 1; 0: the file must be mono.
  int channel = 0;
  /// Rate to convert to, in Hz; 0: the file's own.
  int rate_hz = 0;
  /// Longest recording that is read, in seconds; a longer one is an error. The limit keeps a hostile header from
  /// filling memory.
  double max_seconds = 3600.0 * 4;
};

/// Reads any format that libsndfile supports. Fails with bad_input, with a message that names the file and the remedy,
/// when the file is missing, empty, truncated, of an unknown format or too long, has more channels than asked for, or
/// holds a value that is not finite. The samples are as stored: no gain, no dither. Re-entrant.
Result<Signal> read_audio(const std::filesystem::path& path, const AudioReadOptions& options = {});

enum class AudioFormat { wav16, flac16 };

/// Writes 16-bit mono. Samples beyond full scale are clipped. The file is written under a temporary name and renamed
/// when it is complete; it is on disk when the call returns. Fails with io. Re-entrant for different paths.
Status write_audio(const std::filesystem::path& path, const Signal& signal, AudioFormat format);

/// The samples rounded to 16 bits, as write_audio() stores them.
std::vector<std::int16_t> to_int16(const Signal& signal);

/// The same for bytes or text. Both follow links, keep a file's permissions, and refuse to replace what is not a
/// regular file (bad_input).
Status write_file_atomically(const std::filesystem::path& path, const std::string& content);

}  // namespace vqas
