#pragma once

#include <optional>
#include <string>

#include "vqas/signal/signal.h"
#include "vqas/sync/capture.h"

namespace vqas {

/// Whether a recording in which a transmission was due, and no mark was found, is what a network gives when the call is
/// gone: call-progress tone (350, 425, 440, 480 and 620 Hz, ITU-T E.180 and its supplement 2) with or without cadence,
/// or steady silence. In words, or nothing. Re-entrant.
std::optional<std::string> call_is_gone(const Signal& recording);

/// The same of what was captured for a stimulus of this length: all of it where no mark was found, and from the
/// stimulus's last syllables on where the trailing one is missing.
std::optional<std::string> call_is_gone(const Capture& capture, std::size_t stimulus_length);

}  // namespace vqas
