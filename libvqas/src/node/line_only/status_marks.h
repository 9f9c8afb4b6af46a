#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vqas/sync/mark.h"

namespace vqas {

/// What the two ends agree on where nothing but the line connects them.

/// The stimulus of a transmission: each run of `count` numbers is one round, a permutation that follows from run and
/// round. A sender leaves out numbers whose stimulus is not wanted any more, so a listener knows of every number what
/// it was or would have been. `sequence` counts from 1. Re-entrant.
std::size_t stimulus_of(std::uint32_t run_id, std::uint32_t sequence, std::size_t count);

/// The first 16 bits of a corpus digest.
std::uint16_t short_digest(const std::string& corpus_digest);

/// Place of a stimulus in a mark that belongs to no stimulus but is a sign; so a corpus may have 255 stimuli here.
inline constexpr std::uint8_t kSignPlace = 255;

/// What one end tells the other by a leading mark without speech. The flags take the lowest four bits of the digest.
struct Sign {
  bool scored = false;      ///< the transmission of this number has a score
  bool enough = false;      ///< its stimulus is not wanted any more
  bool all_enough = false;  ///< no stimulus is
  bool farewell = false;    ///< the sender has finished
  bool operator==(const Sign&) const = default;
};
MarkData sign_mark(const Sign& sign, End sender, std::uint32_t run_id, std::uint16_t sequence, std::uint16_t digest);
/// The sign of a mark; nothing for one of a stimulus or of another corpus.
std::optional<Sign> sign_of(const MarkData& data, std::uint16_t digest);

}  // namespace vqas
