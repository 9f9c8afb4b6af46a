#pragma once

#include <filesystem>

#include "vqas/signal/result.h"

namespace vqas {

/// Fails with bad_input where the header of a recording promises more sound than its file holds: it was cut short when
/// it was copied or written, and libsndfile would read the rest without a word. WAV (RIFF, RIFX, RF64, BW64), W64, AIFF
/// and AU tell the length of their data; of other formats, and of lengths that a program that streams cannot know and
/// so fills in (all ones; about 2 GiB by SoX and arecord, in both places that tell a length), nothing is said. A length
/// of 0 in front of sound fails, too: libsndfile reads none of it. Re-entrant.
Status check_promised_length(const std::filesystem::path& path);

}  // namespace vqas
