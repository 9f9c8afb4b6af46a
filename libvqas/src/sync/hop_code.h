#pragma once

#include <array>
#include <complex>

#include "vqas/sync/mark.h"

namespace vqas::sync {

/// The carrier: middle of the marks' band, in Hz.
inline constexpr double kCarrierHz = 1570;
/// Cells of a hop code, and their length in samples at 8 kHz (17 ms).
inline constexpr int kCells = 8;
inline constexpr int kCellLength = 136;
/// Length of a whole code in samples.
inline constexpr int kHopLength = kCells * kCellLength;
/// Raised-cosine rise and fall of a code, in samples.
inline constexpr int kHopEdge = 16;

/// One of the four signals by which marks are found: eight chirps, each in its own sub-band of 1150–1990 Hz, up or
/// down, in an order specific to one end and one kind of mark (libvqas/doc/marks.md). Unit amplitude; a closed form, so
/// that it can be evaluated at any fraction of a sample. Immutable; re-entrant.
class HopCode {
 public:
  HopCode(End sender, MarkKind kind);

  /// The complex envelope about the carrier, `at` samples after the code's start; 0 outside.
  std::complex<double> envelope(double at) const;

 private:
  struct Cell {
    double phase = 0;  ///< at its start, in radians
    double step = 0;   ///< of the phase at its start, radians a sample
    double sweep = 0;  ///< half the growth of the step, radians a sample²
  };
  std::array<Cell, kCells> cells_{};
};

}  // namespace vqas::sync
