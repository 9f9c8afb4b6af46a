#pragma once

#include <filesystem>
#include <string>

#include "vqas/corpus/corpus.h"
#include "vqas/signal/result.h"

namespace vqas::stimulus_files {

inline constexpr int kWideRateHz = 16000;

/// The path of a recording inside a corpus: "8k/M1.wav".
std::filesystem::path path_of(const std::string& id, int rate_hz);

/// Writes the recordings of a stimulus as 16-bit WAV into `folder` and enters them in `stimulus.files`. The master, at
/// -26 dBov and with its pauses, is at 16 kHz (both rates are written, the lower one converted and levelled again) or
/// at 8 kHz (only that is written). Duration and level of the entry are measured on the samples as stored. Fails with
/// io, or with bad_input when the master holds nothing that can be levelled.
Status write(const std::filesystem::path& folder, const Signal& master, Stimulus& stimulus);

}  // namespace vqas::stimulus_files
