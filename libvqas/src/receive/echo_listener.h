#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vqas/sync/detector.h"

namespace vqas {

/// The echo of a mark.
struct Echo {
  double delay_ms = 0;
  double return_loss_db = 0;  ///< level of the mark as sent, less that of its echo
  double confidence = 0;      ///< FoundMark's
};

/// Searches an end's input for its own marks. For one thread; allocates.
class EchoListener {
 public:
  explicit EchoListener(End own) : detector_(own) {}

  /// A transmission's first sample left, or will leave, at this position in the input, in samples since the beginning.
  void left(double position);
  /// The next input, at 8 kHz.
  void hear(std::span<const float> block);
  /// Echo of the last transmission that left; nothing if there was none.
  const std::optional<Echo>& echo() const { return echo_; }

 private:
  MarkDetector detector_;
  std::vector<float> last_;  // of the input
  std::uint64_t heard_ = 0;  // samples
  std::optional<double> left_;
  std::optional<Echo> echo_;
};

}  // namespace vqas
