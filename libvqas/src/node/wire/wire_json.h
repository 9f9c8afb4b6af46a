#pragma once

#include <string>
#include <vector>

#include "receive/device_notes.h"
#include "vqas/receive/idle_input.h"
#include "vqas/run/run.h"
#include "vqas/signal/json_text.h"
#include "vqas/signal/result.h"

namespace vqas {

/// A receiver's result of one transmission.
struct ReceivedMeasurement {
  std::string stimulus;
  /// Its marks carry no number, so its sequence is that of the first transmission that was awaited.
  bool number_guessed = false;
  Measurement measurement;                    ///< without a delay; `recording` is the receiver's name for it
  std::optional<std::int64_t> arrived_at_ns;  ///< of the transmission's first sample, by the line's clock
  /// If it was not found: the time up to which the line was listened to, by the same clock.
  std::optional<std::int64_t> heard_until_ns = {};
  std::int64_t clock_offset_ns = 0;     ///< of the line's clock against the machine's
  double clock_step_ms = 0;             ///< as in DeviceNotes
  CaptureEvidence evidence;             ///< real lines only
  std::optional<IdleInput> heard = {};  ///< what arrived instead, where no mark was found
};
Json to_json(const ReceivedMeasurement& received);
/// Fails with protocol when a member is missing or no line can produce such a measurement (measurement_limits.h).
Result<ReceivedMeasurement> received_measurement_from(const Json& json);

/// What the sender's device reported during a transmission; only for lines with a real device.
struct PlayedNotice {
  std::uint32_t sequence = 0;
  DeviceNotes notes;
};
/// A sender's notice that a transmission begins.
struct DepartureNotice {
  std::uint32_t sequence = 0;
  std::int64_t left_at_ns = 0;  ///< of its first sample, by the line's clock
  std::int64_t clock_offset_ns = 0;
  std::optional<PlayedNotice> played = {};  ///< in the list, after it has left
};
Json to_json(const PlayedNotice& played);
Result<PlayedNotice> played_from(const Json& json);

/// A node's notice that a round is complete.
struct RoundDone {
  std::uint64_t number = 0;
  std::int64_t line_time_ns = 0;
};
/// A node's notice that a round failed.
struct RoundFailed {
  bool line_lost = false;
  std::string message;                       ///< plain text
  std::optional<std::int64_t> line_time_ns;  ///< of the session in all
};
/// A receiver's notice that the mark of a transmission has not arrived yet.
struct SilenceNotice {
  std::uint32_t sequence = 0;
  double waited_s = 0;
  double left_s = 0;  ///< until it is abandoned
  IdleInput heard;
};
Json to_json(const SilenceNotice& silence);
// These fail with protocol.
Result<SilenceNotice> silence_from(const Json& json);
/// A warning from a line; plain text.
Result<std::string> warning_from(const Json& json);
Result<std::string> trace_from(const Json& json);
Result<DepartureNotice> departure_from(const Json& json);
Result<RoundDone> round_done_from(const Json& json);
Result<RoundFailed> round_failed_from(const Json& json);

/// Longest time that a receiver may be asked to wait, in s.
inline constexpr double kLongestWait_s = 600;
/// A round, as requested from a node.
struct RoundRequest {
  struct Send {
    std::string stimulus;
    std::uint32_t sequence = 0;
  };
  struct Expect {
    std::string stimulus;
    std::uint32_t sequence = 0;
    double within_s = 10;
  };
  std::uint64_t number = 0;
  std::vector<Send> send;
  std::vector<Expect> expect;
  bool in_turn = false;  ///< begins at this node when everything requested before has left and arrived
};
Json to_json(const RoundRequest& request);
/// Fails with bad_input, naming the member that is missing or out of range.
Result<RoundRequest> round_request_from(const Json& json);

}  // namespace vqas
