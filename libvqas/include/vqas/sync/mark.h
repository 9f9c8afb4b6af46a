#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "vqas/signal/end.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// What a leading mark carries. Each end's marks are near-orthogonal to the other's.
struct MarkData {
  End sender = End::a;
  std::uint32_t run_id = 0;         ///< 24 bits: tells a run's marks from those of another
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
  /// Found by its energy alone, because the line kept no phase (a vocoder): the place is known to some milliseconds
  /// about the line's delay, and there are no data.
  bool coarse = false;
  /// Rms of the mark's code as received; nothing where it is `coarse`.
  std::optional<double> level_dbov;
  std::optional<MarkData> data;  ///< leading marks only, and only when the checksum holds
};

/// The mark as it is transmitted, at the line rate of 8 kHz; its rms while it sounds is -20 dBov. Fields wider than
/// what a mark carries are cut to their low bits. How a mark is made: libvqas/doc/marks.md. Re-entrant.
std::vector<float> make_leading_mark(const MarkData& data);
std::vector<float> make_trailing_mark(End sender);
/// Their lengths, in samples at 8 kHz.
std::size_t leading_mark_length();
std::size_t trailing_mark_length();
/// The point of a mark, in samples from its first one, that is found exactly whatever the clocks: FoundMark::position
/// plus this is the point's place in the stream, and a clock offset stretches the mark about it.
double mark_centre(MarkKind kind);

}  // namespace vqas
