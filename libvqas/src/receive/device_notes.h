#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vqas/line/line.h"
#include "vqas/score/score.h"
#include "vqas/signal/signal.h"
#include "vqas/sync/capture.h"

namespace vqas {

/// What a line's own parts noticed while something was sent or captured.
struct DeviceNotes {
  bool real_device = false;
  LineStatistics noticed;
  /// By how much the machine's clock went on more than the device's samples tell, in ms; above the clocks' offset where
  /// samples were lost, below it where some were made up.
  double lag_ms = 0;
  /// What to add to the line's clock to get the machine's. notes_of() takes it from the last block; AudioLoop replaces
  /// it by the one 0.4 s after the recording, or the sent transmission, began.
  std::optional<std::int64_t> clock_offset_ns;
  /// A run of exact zeros, as places in a recording at 8 kHz.
  struct Run {
    std::int64_t begin = 0, end = 0;
  };
  std::vector<Run> zeros, repeats;  ///< the second: exact repetitions of what came before
  void move_runs(std::int64_t samples);
  /// What the sender heard of its own mark.
  std::optional<double> echo_delay_ms, echo_return_loss_db;
  /// The line's clock where the recording ends.
  std::optional<std::int64_t> heard_until_ns = {};
};

/// Sums what was noticed in blocks[first..last].
DeviceNotes notes_of(const std::vector<BlockTime>& blocks, std::size_t first, std::size_t last, bool real_device);

/// A lag from which it is one: half of the shortest period in use, and more than two clocks drift apart in 20 s.
inline constexpr double kLag_ms = 2;

/// What a capture itself tells of samples that are missing in it, too many, or made up.
struct CaptureEvidence {
  bool both = false;                ///< marks were found
  std::optional<double> drift_ppm;  ///< from their distance; nothing when it is beyond what clocks do
  double delay_step_ms = 0;         ///< largest step of the delay within the speech, >= 0
  double zeroed_ms = 0;             ///< exact zeros where the stimulus is loud
  double repeated_ms = 0;           ///< exact repetitions there
};

/// Largest step from one segment of constant delay to the next, in ms. Re-entrant.
double largest_step_ms(const std::vector<DelayPiece>& track);

/// Takes the evidence together. `reference` is the stimulus and tells where speech is expected, `track` the delay
/// within it, as the score has it. Re-entrant.
CaptureEvidence evidence_of(const DeviceNotes& notes, const Capture& capture, const Signal& reference,
                            const std::vector<DelayPiece>& track);

/// The distance of a line's marks tells its clocks' drift, which stays; a capture that deviates from the others lost or
/// gained samples. For one direction and one thread.
class UsualDrift {
 public:
  void add(double ppm);
  /// False where a drift of this size says that samples are missing or too many.
  bool agrees(const CaptureEvidence& evidence) const;

 private:
  std::vector<double> seen_;  // the last ones
};

/// Whether the receiver's sound device spoilt a capture, in words; nothing when it did not. A flag or a lag alone does
/// not: something must have been lost, inserted, zeroed or repeated, and the capture shows it. The other way round,
/// what the capture shows is the line's where no device told of anything.
std::optional<std::string> receiving_fault(const DeviceNotes& notes, const CaptureEvidence& evidence,
                                           const UsualDrift& usual);

/// The same for the sender's device, by what it noticed and what the receiver captured. A system that plays a period
/// too late does not know what was heard instead.
std::optional<std::string> sending_fault(const DeviceNotes& notes, const CaptureEvidence& evidence,
                                         const UsualDrift& usual);

/// What is worth telling of a measurement that no device spoilt, for people; empty: nothing. `statistics` are of both
/// ends.
std::string note_in_words(const LineStatistics& statistics, const CaptureEvidence& evidence);

/// One note after another; either may be empty.
void add_words(std::string& note, const std::string& more);

}  // namespace vqas
