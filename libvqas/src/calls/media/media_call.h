#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "calls/media/call_part.h"
#include "calls/media/packet_port.h"
#include "line/rtcp/rtcp_session.h"
#include "line/rtp_stream.h"
#include "vqas/calls/call_outcome.h"

namespace vqas {

struct MediaOptions {
  RtpFormat format = {};
  int buffer_ms = 60;
  std::uint16_t remote_port = 0;  ///< of the session description
  std::int64_t late_ns = 2'000'000;
  std::int64_t first_packet_ns = 10'000'000'000;  ///< from the answer until audio must have come
  std::int64_t patience_ns = 5'000'000'000;       ///< how long no packet may come after the first
};

/// The audio of one call: a turn each 20 ms plays what has arrived, records it, and sends. turn() and skip() belong to
/// one thread, and in a call of known length they need no new memory for the recording; the rest may be called from
/// any.
class MediaCall {
 public:
  using Clock = std::function<std::int64_t()>;
  enum class Phase {
    settling,  ///< silence is sent until packets have come for a second
    running,
    finished,  ///< this end has done its part
    no_audio,  ///< no packet came
    silent,    ///< packets came, and came no more
  };

  MediaCall(std::unique_ptr<PacketPort> port, const MediaOptions& options, CallPart part, Clock clock);

  /// The turn that is due at `due_ns` by the clock.
  void turn(std::int64_t due_ns);
  /// These turns are left out, because the machine stood still; the next one is due at `due_ns`.
  void skip(std::int64_t turns, std::int64_t due_ns);

  Phase phase() const { return phase_; }
  void redirect(const SocketAddress& remote);
  /// Asks the thread of the media to let go of the call; has_left() says that it did, and taken() may be called.
  void leave() { leaving_ = true; }
  bool is_leaving() const { return leaving_; }
  /// By the thread of the media, its last act in the call: RTCP BYE.
  void say_goodbye();
  bool has_left() const { return left_; }

  struct Taken {
    RecordedCall recorded;
    CallPackets packets;
    OwnLateness lateness;
  };
  Taken taken();

 private:
  void make_room(std::size_t blocks);
  void take_packets();
  void follow(std::int64_t now_ns);
  void report(std::int64_t now_ns, std::size_t octets);
  void record(std::int64_t due_ns, const LineStatistics& noticed);

  const std::unique_ptr<PacketPort> port_;
  const MediaOptions options_;
  const CallPart part_;
  const Clock clock_;
  CallSpeech speech_;
  RtpSender sender_;
  RtpReceiver receiver_;
  RtcpSession rtcp_;
  std::atomic<Phase> phase_ = Phase::settling;
  std::atomic<bool> leaving_ = false, left_ = false, moved_ = false;
  std::mutex mutex_;
  SocketAddress moved_to_;  // guarded by mutex_
  std::int64_t began_ns_ = 0;
  std::uint64_t index_ = 0;
  std::size_t heard_blocks_ = 0, spoken_blocks_ = 0, recorded_blocks_ = 0;
  std::vector<float> heard_, sent_;  // a block
  RecordedCall recorded_;
  CallPackets packets_;
  OwnLateness lateness_;
};

}  // namespace vqas
