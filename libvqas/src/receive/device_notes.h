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

/// Notices from the line's own components while a signal was sent or captured.
struct DeviceNotes {
  bool real_device = false;
  LineStatistics noticed;
  /// How much further the machine's clock advanced than the device's samples show, in ms; above the clocks' offset if
  /// samples were lost, below it if some were inserted.
  double lag_ms = 0;
  /// What to add to the line's clock to get the machine's. notes_of() takes it from the last block; AudioLoop replaces
  /// it by the one 0.4 s after the recording, or the sent transmission, began.
  std::optional<std::int64_t> clock_offset_ns;
  /// By how much that offset may be wrong for the first sample besides the uncertainty of the line's clock, in ms:
  /// largest_clock_step_ms(). Set by AudioLoop alone.
  double clock_step_ms = 0;
  /// A run of exact zeros, as positions in a recording at 8 kHz.
  struct Run {
    std::int64_t begin = 0, end = 0;
  };
  std::vector<Run> zeros, repeats;  ///< the second: exact repetitions of the preceding samples
  /// The jitter buffer was reset during the recording, which is for the time between transmissions.
  bool reset_within = false;
  void move_runs(std::int64_t samples);
  /// The sender's echo of its own mark.
  std::optional<double> echo_delay_ms, echo_return_loss_db;
  /// The line's clock at the end of the recording.
  std::optional<std::int64_t> heard_until_ns = {};
  std::string about_line = {};  ///< Line::take_note()
};

/// The notices in blocks[first..last], summed.
DeviceNotes notes_of(const std::vector<BlockTime>& blocks, std::size_t first, std::size_t last, bool real_device);

/// Largest change of clock_offset_ns within half a second in blocks[first..last], in ms, >= 0, where blocks[used] gives
/// the offset of a transmission that begins in blocks[first]. Each offset covers the half second before it
/// (StreamClock): an offset that rises before `used` comes from a loss before the transmission and does not count. A
/// device whose samples are all there and whose callbacks come in time changes by less than the uncertainty of its
/// clock.
double largest_clock_step_ms(const std::vector<BlockTime>& blocks, std::size_t first, std::size_t used,
                             std::size_t last);

/// Smallest lag that counts: half of the shortest period in use, and more than two clocks drift apart in 20 s.
inline constexpr double kLag_ms = 2;

/// What a capture itself shows of missing, extra or repeated samples.
struct CaptureEvidence {
  bool both = false;                ///< marks were found
  std::optional<double> drift_ppm;  ///< from their distance; nothing if it is beyond any clock's drift
  double delay_step_ms = 0;         ///< largest step of the delay within the speech, >= 0
  double zeroed_ms = 0;             ///< exact zeros where the stimulus is loud
  double repeated_ms = 0;           ///< exact repetitions there
};

/// Largest step from one segment of constant delay to the next, in ms. Re-entrant.
double largest_step_ms(const std::vector<DelayPiece>& track);

/// Collects the evidence. `reference` is the stimulus and shows where speech is expected; `track` is the delay within
/// it, from the score. Re-entrant.
CaptureEvidence evidence_of(const DeviceNotes& notes, const Capture& capture, const Signal& reference,
                            const std::vector<DelayPiece>& track);

/// The distance of a line's marks gives its clocks' drift, which is constant; a capture that deviates from the others
/// lost or gained samples. For one direction and one thread.
class UsualDrift {
 public:
  void add(double ppm);
  /// False if a drift of this size means missing or extra samples.
  bool agrees(const CaptureEvidence& evidence) const;

 private:
  std::vector<double> seen_;  // the last ones
};

/// Whether the receiver's sound device spoilt a capture, in words; nothing if not. A flag or a lag alone is not enough:
/// samples must have been lost, inserted, zeroed or repeated, and the capture must show it. Conversely, if no device
/// reported anything, what the capture shows is the line's.
std::optional<std::string> receiving_fault(const DeviceNotes& notes, const CaptureEvidence& evidence,
                                           const UsualDrift& usual);

/// The same for the sender's device, by its notices and the receiver's capture. A system that plays a period too late
/// does not know what was heard instead.
std::optional<std::string> sending_fault(const DeviceNotes& notes, const CaptureEvidence& evidence,
                                         const UsualDrift& usual);

/// What of a segment the sender's machine did not send in time, by its notices alone, in words; nothing if all was.
/// Re-entrant.
std::optional<std::string> not_sent_in_time(const LineStatistics& noticed);

/// Remarks on a measurement that no device spoilt, for people; empty: none. `statistics` are of both ends.
std::string note_in_words(const LineStatistics& statistics, const CaptureEvidence& evidence);

/// Appends a note to another; either may be empty.
void add_words(std::string& note, const std::string& more);

}  // namespace vqas
