#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vqas/sync/mark.h"

namespace vqas {

/// Finds one end's marks in a live stream by FFT-based matched filtering, at any offset and gain. Where a vocoder
/// destroyed their phase, it finds them by their energy over time and frequency (FoundMark::coarse). The result depends
/// only on the samples, not on the block sizes. Samples that are not finite count as silence. A weaker mark of the same
/// kind within 0.65 s is an echo and is not reported. For one thread; push() allocates only when it finds a mark.
class MarkDetector {
 public:
  /// Looks for the marks of `sender`.
  explicit MarkDetector(End sender);
  ~MarkDetector();
  MarkDetector(MarkDetector&&) noexcept;
  MarkDetector& operator=(MarkDetector&&) noexcept;

  /// Takes the next samples at 8 kHz; returns the marks confirmed by them, in order of position.
  std::vector<FoundMark> push(std::span<const float> block);
  /// Samples taken so far.
  std::uint64_t position() const;
  /// The longest time from a mark's last sample to its report, in samples.
  static std::size_t latency();

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
