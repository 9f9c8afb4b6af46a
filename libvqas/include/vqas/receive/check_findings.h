#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vqas/receive/idle_input.h"
#include "vqas/run/run.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// One item of a readiness test of a line.
struct CheckFinding {
  std::string name;             ///< "level"
  std::optional<double> value;  ///< nothing if it could not be measured
  std::string unit;             ///< "dB"
  bool pass = false;
  std::string advice;  ///< one sentence; empty when it passed

  /// Whether a measurement says anything about the line.
  bool made() const { return value.has_value() || pass; }
};

/// What was found, "3.1 dB", "1.4 dB stronger"; "none" for a fault that is not there, "unknown" if it could not be
/// measured.
std::string value_in_words(const CheckFinding& finding);

/// A transmission of a line check: the measurement, its recording (0.5 s before and after the stimulus) and the
/// stimulus itself.
struct CheckedTransmission {
  Measurement measurement;
  Signal recording, reference;
  double guard_s = 0.05;
  /// Of a scored one of a line of 16 kHz: the telephone's band alone arrived. Nothing: of 8 kHz, or without a score.
  std::optional<bool> lacks_upper_band = {};
  /// The receiver's input was at full scale. Told from the recording at its own rate: a copy at 8 kHz does not keep it.
  bool is_clipped = false;
};

/// The two ends' inputs besides the transmissions of a direction.
struct InputsHeard {
  bool sender_hears = true;  ///< marks reach the sending end; otherwise a missing echo means nothing
  /// The receiving end's input if no mark arrived; nothing: by the recordings.
  std::optional<IdleInput> instead = {};
  std::optional<End> from = {};  ///< the sending end, which advice names
};

/// The findings of one direction, in order: marks, level, noise, hum, clipping, echo, clock, delay, drop-outs, packets
/// and other senders (only for a packet line), upper band lost (only at 16 kHz), onsets. An input that nothing
/// reaches says nothing about the line: it is not measured. `checked` holds transmissions with the shortest guard
/// interval and with one of 0.5 s or more; onsets are judged by both. Depends only on the arguments. Re-entrant.
std::vector<CheckFinding> check_findings(const std::vector<CheckedTransmission>& checked,
                                         const InputsHeard& inputs = {});

/// A mark arrived, or speech that was scored: the direction is connected.
bool is_joined(const std::vector<CheckedTransmission>& checked);

}  // namespace vqas
