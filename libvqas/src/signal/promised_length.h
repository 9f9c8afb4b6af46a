#pragma once

#include <filesystem>

#include "signal/sound_bytes.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Fails with bad_input when the header of a recording declares more sound than its file holds: the file was truncated
/// when it was copied or written, and libsndfile would read the rest without an error. Checked for WAV (RIFF, RIFX,
/// RF64, BW64), W64, AIFF and AU, whose headers give the length of their data, and for Ogg, whose last page says that
/// it is the last. Other formats pass, and so do the placeholder lengths of streaming programs (all ones; about 2 GiB
/// by SoX and arecord, in both length fields). A length of 0 before sound also fails, because libsndfile would read
/// none of it. A MIDI sample dump (SDS) fails, because libsndfile writes to standard output while it reads a damaged
/// one. `path` is that of `bytes`, for the message.
Status check_promised_length(const std::filesystem::path& path, SoundBytes& bytes);

}  // namespace vqas
