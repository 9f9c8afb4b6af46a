#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "vqas/signal/end.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// Content of a leading mark. Each end's marks are near-orthogonal to the other's.
struct MarkData {
  End sender = End::a;
  std::uint32_t run_id = 0;         ///< 24 bits: distinguishes runs
  std::uint8_t stimulus = 0;        ///< place in the run's list of stimuli
  std::uint16_t sequence = 0;       ///< number of the transmission in this direction
  std::uint16_t corpus_digest = 0;  ///< first 16 bits of the corpus digest
  bool operator==(const MarkData&) const = default;
};

enum class MarkKind { leading, trailing };

/// A mark that was found in a stream.
struct FoundMark {
  MarkKind kind = MarkKind::leading;
  End sender = End::a;
  double position = 0;    ///< of the mark's first sample, in samples since the detector's start, fractional
  double confidence = 0;  ///< normalised peak, 0..1
  /// Found by its energy alone, because the line did not preserve phase (a vocoder): the position is accurate to some
  /// milliseconds, and there are no data.
  bool coarse = false;
  /// Rms of the mark's code as received; nothing if `coarse`.
  std::optional<double> level_dbov;
  std::optional<MarkData> data;  ///< leading marks only, and only when the checksum is correct
};

/// The mark as transmitted, at the line rate of 8 kHz; its rms while it sounds is -20 dBov. Fields wider than their
/// place in a mark are cut to their low bits. Construction of a mark: libvqas/doc/marks.md. Re-entrant.
std::vector<float> make_leading_mark(const MarkData& data);
std::vector<float> make_trailing_mark(End sender);
/// Their lengths, in samples at 8 kHz.
std::size_t leading_mark_length();
std::size_t trailing_mark_length();
/// The point of a mark, in samples from its first one, whose position does not depend on the clocks: a clock offset
/// stretches the mark about it. FoundMark::position plus this value is the point's position in the stream.
double mark_centre(MarkKind kind);

}  // namespace vqas
