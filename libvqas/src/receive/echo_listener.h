#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vqas/sync/detector.h"

namespace vqas {

/// What came back of a mark.
struct Echo {
  double delay_ms = 0;
  double return_loss_db = 0;  ///< level of the mark as it was sent, less that of what came back
  double confidence = 0;      ///< FoundMark's
};

/// Listens for an end's own marks in what it hears. For one thread; allocates.
class EchoListener {
 public:
  explicit EchoListener(End own) : detector_(own) {}

  /// A transmission's first sample left, or will, at this place in what is heard, in samples since the beginning.
  void left(double position);
  /// What was heard next, at 8 kHz.
  void hear(std::span<const float> block);
  /// Of the last transmission that left; nothing when none was heard so far.
  const std::optional<Echo>& echo() const { return echo_; }

 private:
  MarkDetector detector_;
  std::vector<float> last_;  // of what was heard
  std::uint64_t heard_ = 0;  // samples
  std::optional<double> left_;
  std::optional<Echo> echo_;
};

}  // namespace vqas
