#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "line/media/rtp_codec.h"
#include "line/media/telephone_event.h"
#include "line/rtcp/rtp_reception.h"
#include "vqas/line/line.h"
#include "vqas/signal/line_statistics.h"

namespace vqas {

/// Packets of 20 ms each, for one outgoing stream: RFC 3550 and RFC 3551. For one thread.
class RtpSender {
 public:
  /// `ssrc`, `sequence` and `timestamp` are the initial values; RFC 3550 requires random ones.
  RtpSender(const RtpFormat& format, std::uint32_t ssrc, std::uint16_t sequence, std::uint32_t timestamp)
      : format_(format), codec_(make_codec(format)), ssrc_(ssrc), sequence_(sequence), timestamp_(timestamp) {}
  /// The next packet; valid until the next call.
  std::span<const std::uint8_t> packet(std::span<const float> block);
  /// The same with 20 ms of a telephone event in place of speech.
  std::span<const std::uint8_t> packet(const EventBlock& event, std::uint8_t payload_type);
  /// Skips this many blocks, as a sender that suppresses silence does: RFC 3551, clause 4.1.
  void leave_out(std::int64_t blocks);
  std::uint32_t ssrc() const { return ssrc_; }
  /// Of the last packet.
  std::uint32_t last_timestamp() const { return last_timestamp_; }

 private:
  std::span<const std::uint8_t> made(std::uint8_t payload_type, std::uint32_t timestamp,
                                     std::span<const std::uint8_t> payload);

  RtpFormat format_;
  std::unique_ptr<RtpCodec> codec_;
  std::uint32_t ssrc_;
  std::uint16_t sequence_;
  std::uint32_t timestamp_;
  std::uint32_t event_began_ = 0;  // timestamp
  std::uint32_t last_timestamp_ = 0;
  bool first_ = true;
  std::vector<std::uint8_t> packet_;
};

/// A sender with random initial values, as RFC 3550 asks; the first number is below 2^15, so that the other end's SRTP
/// cannot miss the first turn-over of the numbers (RFC 3711, clause 3.3.1). May wait for the system's random numbers.
RtpSender new_rtp_sender(const RtpFormat& format);

/// What a packet says of itself.
struct PacketKind {
  int payload_type = 0;
  std::size_t octets = 0;  ///< of the payload
};
/// Nothing for other datagrams than RTP packets with sound: RTCP, and comfort noise (RFC 3389), which belongs to any
/// codec. Accepts arbitrary octets. Re-entrant.
std::optional<PacketKind> kind_of(std::span<const std::uint8_t> datagram);

/// Receives packets as an endpoint does: puts them in order, plays each at its timestamp's time, and uses the codec's
/// concealment for missing ones. For one thread.
class RtpReceiver {
 public:
  /// `delay_blocks`: blocks of 20 ms from a packet's arrival to its playing, 1..25. `port`: the other end's port, if
  /// known.
  explicit RtpReceiver(const RtpFormat& format, int delay_blocks, std::uint16_t port = 0);
  ~RtpReceiver();
  RtpReceiver(RtpReceiver&&) noexcept;
  RtpReceiver& operator=(RtpReceiver&&) noexcept;

  /// Takes a datagram that arrived at `came_ns` from this port; false when it is not an RTP packet with 20 ms of this
  /// format. RtpSources decides which stream is played; packets of others are discarded. Of two packets with the same
  /// number and different content the first is played, and both are reported. With play_next_at(), `came_ns` alone
  /// decides whether a packet came in time. One that did, and was taken after its block was played, is this machine's
  /// loss (LineStatistics::lost_samples).
  bool take(std::span<const std::uint8_t> datagram, std::int64_t came_ns, std::uint16_t port = 0);
  /// Asks whether an RTP packet that is no speech is of the stream that is played, which then did not lose it; else it
  /// is counted as of others, and must not be used.
  bool use_otherwise(std::span<const std::uint8_t> datagram, std::int64_t came_ns, std::uint16_t port);
  /// The present source said goodbye at this time: the next one need not wait.
  void said_goodbye(std::int64_t came_ns);
  /// It said goodbye, and has not sent since.
  bool source_has_left() const;
  /// A warning about other senders for the operator, a sentence part, given once. Empty: nothing new.
  std::string take_warning();
  /// Due time of the next block, by the clock of `came_ns`. With it the buffer's delay counts from a packet that
  /// arrived in time, even if the first ones of the stream did not.
  void play_next_at(std::int64_t due_ns);
  /// Skips this many blocks of 20 ms that could not be played; the buffer's delay stays. Packets that arrived in time
  /// for them are discarded.
  void pass_over(std::int64_t blocks);
  /// The block played now is not used. If the packets of the last second arrived too early or too late for the buffer's
  /// delay, it is reset as at the stream's start, and counted (LineStatistics::buffer_resets). Needs play_next_at().
  void rest();
  /// The next 20 ms, at 8 kHz.
  void play(std::span<float> block);
  /// Events since the previous call.
  LineStatistics notice();
  /// Arrival of the last packet of speech, in ns.
  std::optional<std::int64_t> last_came_ns() const;
  /// The present source, once a packet has arrived.
  std::optional<std::uint32_t> ssrc() const;
  /// The present stream as RTCP reports it, once a packet has arrived.
  std::optional<RtpReception> reception() const;

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
