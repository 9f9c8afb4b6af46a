#pragma once

#include <sndfile.h>

#include <filesystem>
#include <string>

#include "vqas/signal/audio_file.h"
#include "vqas/signal/result.h"

namespace vqas {

/// A fault of the recording in `path`, as bad_input.
Error bad_recording(const std::filesystem::path& path, const std::string& what);

Error too_long_recording(const std::filesystem::path& path, double max_seconds);

/// Fails with bad_input when a recording with this header has no channel as in the options, too many channels, a rate
/// that resample() does not take, or more sound than allowed. A length that the header does not give passes.
Status check_header(const std::filesystem::path& path, const SF_INFO& info, const AudioReadOptions& options);

}  // namespace vqas
