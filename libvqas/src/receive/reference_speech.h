#pragma once

#include "vqas/signal/signal.h"

namespace vqas {

/// A stimulus as its captures are compared with it: at the line's rate for the score, and at 8 kHz for what is judged
/// in the telephone band. Immutable; safe to read from several threads.
class ReferenceSpeech {
 public:
  /// `speech` has 8 or 16 kHz.
  explicit ReferenceSpeech(Signal speech);

  const Signal& at_line_rate() const { return speech_; }
  const Signal& at_8_khz() const { return halved_.empty() ? speech_ : halved_; }

 private:
  Signal speech_, halved_;  // the latter is empty where the line has 8 kHz
};

}  // namespace vqas
