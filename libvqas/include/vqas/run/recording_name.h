#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "vqas/run/run.h"

namespace vqas {

/// The folder of a run's recordings, below the run's folder.
inline constexpr const char* kRecordingsFolder = "recordings";

/// Letters, digits, '-' and '_'; everything else becomes '_'. Re-entrant.
std::string as_file_name(const std::string& text);

/// The recording's name within the folder of its run, "recordings/a-to-b-M6-0001.flac". Re-entrant.
std::string recording_name(const DirectionRun& direction, const std::string& stimulus, std::uint32_t sequence);
/// The same for the `number`th transmission, from 1, whose marks a listener could not read. Re-entrant.
std::string undecodable_name(std::size_t number);

}  // namespace vqas
