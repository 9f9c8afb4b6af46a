#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vqas/node/run.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// One point of a readiness test of a line.
struct LineFinding {
  std::string name;             ///< "level"
  std::optional<double> value;  ///< nothing when it could not be measured
  std::string unit;             ///< "dB"
  bool pass = false;
  std::string advice;  ///< one sentence; empty when it passed

  /// Whether anything was measured that says something of the line.
  bool made() const { return value.has_value() || pass; }
};

/// What a transmission of a line check gave: the measurement, its recording (0.5 s before and after the stimulus) and
/// the stimulus itself.
struct CheckedTransmission {
  Measurement measurement;
  Signal recording, reference;
  double guard_s = 0.05;
};

/// The findings of one direction, in order: marks, level, noise, hum, clipping, echo, clock, delay, drop-outs, packets
/// (only of a line that has some), onsets.
/// `checked` holds transmissions with the shortest guard and with one of 0.5 s or more; onsets are judged by both.
/// Depends on the arguments alone. Re-entrant.
std::vector<LineFinding> line_findings(const std::vector<CheckedTransmission>& checked);

}  // namespace vqas
