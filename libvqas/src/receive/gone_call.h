#pragma once

#include <optional>
#include <string>

#include "vqas/signal/signal.h"
#include "vqas/sync/capture.h"

namespace vqas {

/// Whether a recording in which a transmission was due, but no mark was found, shows that the call is lost:
/// call-progress tone (350, 425, 440, 480 and 620 Hz, ITU-T E.180 and its supplement 2) with or without cadence, or
/// steady silence. In words, or nothing. Re-entrant.
std::optional<std::string> call_is_gone(const Signal& recording);
/// The strongest frequency, if a recording of a second or more holds nothing but call-progress tone.
std::optional<double> call_progress_tone_hz(const Signal& recording);

/// The same for a capture of a stimulus of this length: all of it if no mark was found; from the stimulus's last
/// syllables on if the trailing one is missing.
std::optional<std::string> call_is_gone(const Capture& capture, std::size_t stimulus_length);

/// For a transmission without its trailing mark: how much of the stimulus's speech is missing right to its end, in s,
/// if at least kMissingTail_s. Counted in frames of 20 ms whose speech should stand out of the signal after it, but
/// does not. `start`: position of the stimulus's first sample in the recording, in samples; `gain_db`: received against
/// sent. Nothing if the trailing mark arrived: then the line made the gap. Re-entrant.
std::optional<double> missing_tail_s(const Capture& capture, const Signal& reference, double start, double gain_db);
/// Less than is missing when a sender stops within the speech: a syllable lasts longer.
inline constexpr double kMissingTail_s = 0.1;

/// call_is_gone() for the captures of one receiver, in their order. Silence means a lost call only while the receiver
/// waits when something is sent: after a transmission without its marks it does not know when that is. For one thread.
class CallWatch {
 public:
  void begin_round() { in_step_ = true; }
  /// `heard_all`: the receiver's machine lost no input; else silence and tones say nothing about the call.
  std::optional<std::string> gone(const Capture& capture, std::size_t stimulus_length, bool heard_all = true);

 private:
  bool in_step_ = true;
};

}  // namespace vqas
