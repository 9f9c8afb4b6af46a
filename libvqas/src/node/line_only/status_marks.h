#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vqas/sync/mark.h"

namespace vqas {

/// Conventions of the two ends that are connected by nothing but the line.

/// The stimulus of a transmission: each group of `count` numbers is one round, a permutation determined by run and
/// round. A sender skips numbers whose stimulus is no longer wanted, so a listener knows the stimulus of every number,
/// sent or skipped. `sequence` counts from 1. Re-entrant.
std::size_t stimulus_of(std::uint32_t run_id, std::uint32_t sequence, std::size_t count);

/// The first 16 bits of a corpus digest.
std::uint16_t short_digest(const std::string& corpus_digest);

/// Position of a stimulus in a mark that is a sign and has no stimulus; so a corpus may have 255 stimuli here.
inline constexpr std::uint8_t kSignPlace = 255;

/// A message from one end to the other: a leading mark without speech. The flags take the lowest four bits of the
/// digest.
struct Sign {
  bool scored = false;      ///< the transmission of this number has a score
  bool enough = false;      ///< its stimulus is no longer wanted
  bool all_enough = false;  ///< no stimulus is wanted
  bool farewell = false;    ///< the sender has finished
  bool broken_off = false;  ///< alone: the sender broke the transmission of this number off
  bool operator==(const Sign&) const = default;
};
MarkData sign_mark(const Sign& sign, End sender, std::uint32_t run_id, std::uint16_t sequence, std::uint16_t digest);
/// The sign of a mark; nothing for one of a stimulus or of another corpus.
std::optional<Sign> sign_of(const MarkData& data, std::uint16_t digest);

}  // namespace vqas
