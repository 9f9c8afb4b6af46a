#pragma once

#include <cstdint>
#include <optional>

#include "receive/device_notes.h"
#include "receive/gone_call.h"
#include "receive/reference_speech.h"
#include "vqas/receive/idle_input.h"
#include "vqas/run/run.h"
#include "vqas/score/score.h"
#include "vqas/signal/signal.h"
#include "vqas/sync/capture.h"

namespace vqas {

/// What a receiver knows about the sending end.
enum class SenderNotes : std::uint8_t {
  told,    ///< a controller asks both ends: the sender's notices are judged and noted there, with the evidence
  unknown  ///< there is only the line: everything is judged here, as far as possible
};

/// A measurement with its evidence.
struct JudgedCapture {
  Measurement measurement;   ///< without delay and name of a recording
  Signal recording;          ///< as_recorded(): the measured signal
  CaptureEvidence evidence;  ///< all 0 if the line has no devices and noticed nothing
  /// Offset of the line's clock from the machine's at the end of the capture; 0 if unknown or not needed.
  std::int64_t clock_offset_ns = 0;
  double clock_step_ms = 0;  ///< as in DeviceNotes
  /// The input if no mark was found, nothing was scored and something was received; only with SenderNotes::told.
  std::optional<IdleInput> heard;
  /// As in PlacedMeasurement.
  std::optional<double> speech_moved_ms, speech_drift_ppm;
};

/// Turns captures of one direction into measurements, in the order of capture: the score, then whether the call was
/// lost or the transmission broken off (line_lost), then whether this end's sound device spoilt it (audio_fault). For
/// one thread; allocates.
class CaptureJudge {
 public:
  explicit CaptureJudge(SenderNotes notes) : sender_notes_(notes) {}

  /// The model of the scores from here on, narrowband at first; `narrowband_too`: each capture that is scored in
  /// wideband, also in narrowband.
  void score_as(ScoreMode mode, bool narrowband_too);
  /// From here on the receiver waits while something is sent.
  void begin_round() { call_.begin_round(); }
  /// `reference` has the capture's rate at its line. `notes` are of this end's line during the capture; `no_packets`:
  /// of a packet line on which none arrived meanwhile.
  JudgedCapture judge(const Capture& capture, const ReferenceSpeech& reference, const DeviceNotes& notes,
                      bool no_packets = false);

 private:
  void judge_in_narrowband(const Capture& recorded, const Signal& reference, const DeviceNotes& notes, bool no_packets,
                           JudgedCapture& judged);
  void judge_call(const Capture& recorded, const Signal& reference, const DeviceNotes& notes, bool no_packets,
                  JudgedCapture& judged);
  void judge_end(const Capture& recorded, const Signal& reference, JudgedCapture& judged) const;
  void judge_line(const Capture& recorded, const Signal& reference, const DeviceNotes& notes, JudgedCapture& judged);

  const SenderNotes sender_notes_;
  Scorer scorer_;
  std::optional<Scorer> narrowband_too_;
  UsualDrift drift_;
  CallWatch call_;
};

}  // namespace vqas
