#pragma once

#include <vector>

#include "vqas/signal/signal.h"
#include "vqas/sync/mark.h"

namespace vqas {

struct TransmissionOptions {
  double guard_s =
      0.05;  ///< silence between leading mark and stimulus, and between stimulus and trailing mark; 0.05..1
  double mark_level_dbov = -20.0;  ///< rms of a mark while it sounds; at most -19.2 (-13 dBm0)
};

/// Positions in a transmission, in samples at 8 kHz from the leading mark's first sample.
struct TransmissionLayout {
  std::size_t speech_start = 0;
  std::size_t speech_length = 0;
  std::size_t trailing_start = 0;
  std::size_t total = 0;
};
TransmissionLayout transmission_layout(std::size_t stimulus_length, const TransmissionOptions& options);

/// Length of a stimulus at 8 or 16 kHz in samples at 8 kHz, rounded up.
std::size_t length_at_mark_rate(const Signal& stimulus);

/// Leading mark, guard interval, stimulus, guard interval, trailing mark, ready for the line. The signal has the
/// stimulus's rate, 8 or 16 kHz; the layout counts samples at 8 kHz.
struct Transmission {
  Signal signal;
  TransmissionLayout layout;
};
Transmission compose_transmission(const Signal& stimulus, const MarkData& data, const TransmissionOptions& options);

}  // namespace vqas
