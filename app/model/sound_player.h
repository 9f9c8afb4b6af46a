#pragma once

#include <memory>

#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas::app {

/// Plays recordings to a person.
class SoundPlayer {
 public:
  virtual ~SoundPlayer() = default;
  /// Plays from the beginning, in place of what was playing; returns immediately. Fails with io when there is no
  /// output device.
  virtual Status play(const Signal& signal) = 0;
  virtual void stop() = 0;
};

/// Plays through the machine's default output.
std::unique_ptr<SoundPlayer> default_player();

}  // namespace vqas::app
