#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vqas/receive/idle_input.h"
#include "vqas/run/run.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// One point of a readiness test of a line.
struct CheckFinding {
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

/// What the two ends' inputs say besides the transmissions of a direction.
struct InputsHeard {
  bool sender_hears = true;  ///< marks reach the sending end: an echo that it does not hear is none
  /// What the receiving end heard where no mark came; nothing: by the recordings.
  std::optional<IdleInput> instead = {};
  std::string from = "the sending end", to = "the receiving end";  ///< for advice
};

/// The findings of one direction, in order: marks, level, noise, hum, clipping, echo, clock, delay, drop-outs, packets
/// and other senders (only of a line that has packets), onsets. What an input that nothing reaches shows is nothing of
/// the line: it is not measured.
/// `checked` holds transmissions with the shortest guard and with one of 0.5 s or more; onsets are judged by both.
/// Depends on the arguments alone. Re-entrant.
std::vector<CheckFinding> check_findings(const std::vector<CheckedTransmission>& checked,
                                         const InputsHeard& inputs = {});

/// A mark came, or speech that was scored: the direction is joined.
bool is_joined(const std::vector<CheckedTransmission>& checked);

}  // namespace vqas
