#pragma once

#include <optional>
#include <string>

#include "vqas/signal/signal.h"
#include "vqas/sync/capture.h"

namespace vqas {

/// Whether a recording in which a transmission was due, and no mark was found, is what a network gives when the call is
/// gone: call-progress tone (350, 425, 440, 480 and 620 Hz, ITU-T E.180 and its supplement 2) with or without cadence,
/// or steady silence. In words, or nothing. Re-entrant.
std::optional<std::string> call_is_gone(const Signal& recording);
/// The strongest of its frequencies where a recording of a second or more holds nothing but call-progress tone.
std::optional<double> call_progress_tone_hz(const Signal& recording);

/// The same of what was captured for a stimulus of this length: all of it where no mark was found, and from the
/// stimulus's last syllables on where the trailing one is missing.
std::optional<std::string> call_is_gone(const Capture& capture, std::size_t stimulus_length);

/// Of what came without its trailing mark: how much of the stimulus's speech is missing right to its end, in s, where
/// that is kMissingTail_s or more; counted in frames of 20 ms whose speech should stand out of what came behind it, and
/// is not there. `start`: place of the stimulus's first sample in the recording, in samples; `gain_db`: received
/// against sent. Nothing where the trailing mark came: a line may cut what it likes. Re-entrant.
std::optional<double> missing_tail_s(const Capture& capture, const Signal& reference, double start, double gain_db);
/// Less than a sender leaves out that stops within the speech: a syllable lasts longer.
inline constexpr double kMissingTail_s = 0.1;

/// call_is_gone() for the captures of one receiver, in their order. Silence says that the call is gone only while the
/// receiver waits where something is sent: behind a transmission that came without its marks it does not know where
/// that is. For one thread.
class CallWatch {
 public:
  void begin_round() { in_step_ = true; }
  /// `heard_all`: the receiver's machine lost nothing of what came; else silence and tones say nothing of the call.
  std::optional<std::string> gone(const Capture& capture, std::size_t stimulus_length, bool heard_all = true);

 private:
  bool in_step_ = true;
};

}  // namespace vqas
