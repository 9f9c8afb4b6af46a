#pragma once

#include <optional>
#include <utility>

namespace vqas {

/// Real-time priority for the calling thread while this exists: a real line does not wait for samples, and scoring and
/// other programs can wait. If the system refuses, the thread runs without it (libvqas/doc/sound-devices.md). Must be
/// destroyed by the same thread.
class AudioPriority {
 public:
  AudioPriority();
  ~AudioPriority();
  AudioPriority(const AudioPriority&) = delete;
  AudioPriority& operator=(const AudioPriority&) = delete;

 private:
  std::optional<std::pair<int, int>> before_;  // policy and priority, if they were changed
};

}  // namespace vqas
