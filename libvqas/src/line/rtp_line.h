#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "line/machine_clock.h"
#include "line/media/rtp_terms.h"
#include "line/rtcp/rtcp_session.h"
#include "line/rtp_stream.h"
#include "line/socket.h"
#include "line/udp_socket.h"
#include "vqas/line/line.h"

namespace vqas {

/// Options of "rtp:HOST:PORT/HOST:PORT?…", which has neither events nor SRTP.
struct RtpLineOptions : RtpTerms {
  std::string name;  ///< the whole name
  SocketAddress local;
  int buffer_ms = 60;  ///< from a packet's arrival to its playing; a multiple of 20
  /// How long no packets may arrive, after the first, before the call is lost.
  std::chrono::milliseconds patience{5000};
  /// How long the first packet may take before the call is lost; 0: any time.
  std::chrono::milliseconds first_packet{0};
  std::function<std::int64_t()> now_ns = monotonic_ns;  ///< the machine's clock
};
/// Fails with bad_input.
Result<RtpLineOptions> parse_rtp_line(const std::string& name);

/// Name, equipment, rate and clock of such a line.
LineDescription rtp_description(const RtpLineOptions& options);

/// A line of packets: sends and receives speech over RTP, 20 ms per packet, by the machine's clock.
class RtpLine final : public Line {
 public:
  /// Binds the UDP port. Fails with io.
  static Result<std::unique_ptr<Line>> open(const RtpLineOptions& options);
  /// Over sockets that are bound already. What arrived at them before is not of this line. Fails with io.
  static Result<std::unique_ptr<RtpLine>> over(const RtpLineOptions& options, RtpSockets sockets);
  /// Says goodbye to the other end.
  ~RtpLine() override;
  RtpLine(const RtpLine&) = delete;
  RtpLine& operator=(const RtpLine&) = delete;

  LineDescription description() const override { return description_; }
  Result<BlockTime> exchange(std::span<const float> sent, std::span<float> heard, Round round) override;
  void interrupt() override;
  std::string take_warning() override;
  /// For the thread of exchange(): from now on these terms apply: another address, codec or key of the other end.
  /// Counted as a change of the source, so a measurement that is under way gets no score. Fails with unsupported when
  /// a key is refused.
  Status redirect(const RtpTerms& terms);
  /// For the thread of exchange(): the next exchange() sends this instead of its block. Needs events_sent_as.
  void send_event(const EventBlock& event) { event_ = event; }
  /// For the thread of exchange(), after it: digits that the other end sent as events. Empty: nothing new.
  std::string take_digits() { return events_.take_digits(); }
  /// For the thread of exchange(): a packet of speech has arrived.
  bool has_heard() const { return receiver_.last_came_ns().has_value(); }

 private:
  RtpLine(const RtpLineOptions& options, RtpSockets sockets, WakeUp wake_up);
  Status take_keys();
  bool send(std::span<const float> block);
  void take_packet(const PacketReader::Packet& packet);
  std::string other_kind_in_words() const;
  Status wait_until(std::int64_t due_ns);
  void take_packets();
  void take_reports();
  void begin_reports();
  void send_report(std::span<const std::uint8_t> packet);
  Status check_call(std::int64_t now_ns);
  std::int64_t pass_over(std::int64_t late_ns);

  RtpLineOptions options_;
  LineDescription description_;
  RtpSockets sockets_;
  WakeUp wake_up_;
  std::atomic<bool> interrupted_ = false;
  PacketReader reader_;
  RtpSender sender_;
  RtpReceiver receiver_;
  EventReceiver events_;
  std::optional<EventBlock> event_;
  std::optional<Srtp> srtp_;
  LineStatistics refused_;  // by SRTP, since the last block
  bool has_refused_ = false, told_refused_ = false, told_kind_ = false;
  std::optional<PacketKind> other_kind_;  // the first packet that is not of the line's codec
  std::optional<RtcpSession> rtcp_;       // of the sender's stream
  std::uint64_t index_ = 0;
  std::int64_t began_ns_ = 0;
  std::int64_t went_on_ns_ = 0;   // after the last long pause of the machine
  int played_since_ = 0;          // blocks, since the goodbye of the current source
  std::uint32_t redirected_ = 0;  // times, since the last block
};

}  // namespace vqas
