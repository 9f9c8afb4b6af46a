#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vqas/line/line.h"
#include "vqas/signal/signal.h"
#include "vqas/sync/capture.h"

namespace vqas {

/// What a line's own parts noticed while something was sent or captured.
struct LineNotes {
  bool real_device = false;
  LineStatistics noticed;
  /// By how much the machine's clock went on more than the device's samples tell, in ms; above the clocks' offset where
  /// samples were lost, below it where some were made up.
  double lag_ms = 0;
  /// The line's clock against the machine's, at the end.
  std::optional<std::int64_t> clock_offset_ns;
  /// Runs of exact zeros, as places in a recording at 8 kHz.
  struct Run {
    std::int64_t begin = 0, end = 0;
  };
  std::vector<Run> zeros;
  /// What the sender heard of its own mark.
  std::optional<double> echo_delay_ms, echo_return_loss_db;
};

/// Sums what was noticed in blocks[first..last].
LineNotes notes_of(const std::vector<BlockTime>& blocks, std::size_t first, std::size_t last, bool real_device);

/// A lag from which it is one: half of the shortest period in use, and more than two clocks drift apart in 20 s.
inline constexpr double kLag_ms = 2;

/// What marks told of a capture, enough to judge whether samples are missing between them.
struct MarkEvidence {
  bool both = false;
  std::optional<double> drift_ppm;  ///< from their distance; nothing when it is beyond what clocks do
};

/// The distance of a line's marks tells its clocks' drift, which stays; a capture that deviates from the others lost or
/// gained samples. For one direction and one thread.
class UsualDrift {
 public:
  void add(double ppm);
  /// False where a drift of this size says that samples are missing or too many.
  bool agrees(const MarkEvidence& evidence) const;

 private:
  std::vector<double> seen_;  // the last ones
};

/// Whether the receiver's sound device spoilt a capture, in words; nothing when it did not. Flags alone do not:
/// something must have been lost, inserted or zeroed. `reference` is the stimulus, and tells where silence is expected.
std::optional<std::string> receiving_fault(const LineNotes& notes, const Capture& capture, const Signal& reference,
                                           const UsualDrift& usual);

/// The same for the sender's device: what it noticed, and what the marks show at the receiver.
std::optional<std::string> sending_fault(const LineNotes& notes, const MarkEvidence& evidence, const UsualDrift& usual);

/// What flags there were, for people; empty: none.
std::string flags_in_words(const LineStatistics& statistics);

}  // namespace vqas
