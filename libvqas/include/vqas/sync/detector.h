#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vqas/sync/mark.h"

namespace vqas {

/// Finds one end's marks in a live stream by FFT-based matched filtering, at any offset and gain; where a vocoder left
/// them without phase, by their energy over time and frequency (FoundMark::coarse). What it finds depends
/// on the samples alone, never on how they were cut into blocks. Samples that are not finite count as silence. A weaker
/// mark of the same kind within 0.65 s is an echo and not reported. For one thread; push() allocates only when it
/// finds.
class MarkDetector {
 public:
  /// Looks for the marks of `sender`.
  explicit MarkDetector(End sender);
  ~MarkDetector();
  MarkDetector(MarkDetector&&) noexcept;
  MarkDetector& operator=(MarkDetector&&) noexcept;

  /// Takes the next samples at 8 kHz; returns the marks that became certain, in order of position.
  std::vector<FoundMark> push(std::span<const float> block);
  /// Samples taken so far.
  std::uint64_t position() const;
  /// By how many samples a mark may be reported after its own last sample, at most.
  static std::size_t latency();

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
