#pragma once

#include <cstdint>
#include <optional>

#include "receive/device_notes.h"
#include "receive/gone_call.h"
#include "vqas/receive/idle_input.h"
#include "vqas/run/run.h"
#include "vqas/score/score.h"
#include "vqas/signal/signal.h"
#include "vqas/sync/capture.h"

namespace vqas {

/// What a receiver knows of the end that sends.
enum class SenderNotes : std::uint8_t {
  told,    ///< a controller asks both ends: what the sender noticed is judged there, by the evidence, and noted there
  unknown  ///< there is nothing but the line: what can be judged is judged here
};

/// A measurement with what it rests on.
struct JudgedCapture {
  Measurement measurement;   ///< without delay and name of a recording
  Signal recording;          ///< as_recorded(): what was measured
  CaptureEvidence evidence;  ///< all 0 where the line has no devices and noticed nothing
  /// The line's clock against the machine's where the capture ends; 0 where it is not known, or not needed.
  std::int64_t clock_offset_ns = 0;
  /// What came where no mark was found, nothing was scored and something was received; only where the sender's notes
  /// are told.
  std::optional<IdleInput> heard;
  /// PlacedMeasurement's.
  std::optional<double> speech_moved_ms, speech_drift_ppm;
};

/// From captures of one direction to measurements, in the order in which they were captured: the score, then whether
/// the call was gone or the transmission was broken off (line_lost), then whether this end's sound device spoilt it
/// (audio_fault). For one thread; allocates.
class CaptureJudge {
 public:
  explicit CaptureJudge(SenderNotes notes) : sender_notes_(notes) {}

  /// From here on the receiver waits where something is sent.
  void begin_round() { call_.begin_round(); }
  /// `notes` are of this end's line while the capture lasted; `no_packets`: of a line of packets, on which none came
  /// meanwhile.
  JudgedCapture judge(const Capture& capture, const Signal& reference, const DeviceNotes& notes,
                      bool no_packets = false);

 private:
  void judge_call(const Capture& recorded, const Signal& reference, const DeviceNotes& notes, bool no_packets,
                  JudgedCapture& judged);
  void judge_end(const Capture& recorded, const Signal& reference, JudgedCapture& judged) const;
  void judge_line(const Capture& recorded, const Signal& reference, const DeviceNotes& notes, JudgedCapture& judged);

  const SenderNotes sender_notes_;
  Scorer scorer_;
  UsualDrift drift_;
  CallWatch call_;
};

}  // namespace vqas
