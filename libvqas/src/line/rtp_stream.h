#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vqas/channel/g711.h"
#include "vqas/line/line.h"
#include "vqas/signal/line_statistics.h"

namespace vqas {

/// Packets of G.711, 20 ms each, for one stream that is sent: RFC 3550 and RFC 3551. For one thread.
class RtpSender {
 public:
  /// `ssrc`, `sequence` and `timestamp` are where it begins; RFC 3550 wants them random.
  RtpSender(G711Law law, std::uint32_t ssrc, std::uint16_t sequence, std::uint32_t timestamp)
      : law_(law), ssrc_(ssrc), sequence_(sequence), timestamp_(timestamp) {}
  /// The next packet; valid until the next call.
  std::span<const std::uint8_t> packet(std::span<const float> block);
  /// Leaves out so many blocks, as a sender does with silence: RFC 3551, clause 4.1.
  void leave_out(std::int64_t blocks);
  std::uint32_t ssrc() const { return ssrc_; }

 private:
  G711Law law_;
  std::uint32_t ssrc_;
  std::uint16_t sequence_;
  std::uint32_t timestamp_;
  bool first_ = true;
  std::vector<std::uint8_t> packet_;
};

/// What an endpoint does with the packets that come: they are put in order, each is played at its timestamp's time, and
/// spandsp's concealment fills in for what has not come by then. For one thread.
class RtpReceiver {
 public:
  /// `delay_blocks`: blocks of 20 ms between a packet's coming and its playing, 1..25. `port`: the one that the other
  /// end speaks from as far as is known.
  explicit RtpReceiver(G711Law law, int delay_blocks, std::uint16_t port = 0);
  ~RtpReceiver();
  RtpReceiver(RtpReceiver&&) noexcept;
  RtpReceiver& operator=(RtpReceiver&&) noexcept;

  /// A datagram that came at `came_ns` from this port; what is no RTP packet of G.711 by this law is ignored (false).
  /// RtpSources decides which stream is heard; packets of others are discarded. Of two packets with one number and
  /// different content the first is played, and both are told of.
  bool take(std::span<const std::uint8_t> datagram, std::int64_t came_ns, std::uint16_t port = 0);
  /// The source that is heard said at this time that it ends: the next one need not wait.
  void said_goodbye(std::int64_t came_ns);
  /// It said so, and has not spoken since.
  bool source_has_left() const;
  /// What an operator should know of other senders, a sentence part; each once. Empty: nothing new.
  std::string take_warning();
  /// When the next block is due to be played, by the clock of `came_ns`. Who tells it gets a buffer whose delay counts
  /// from a packet that came in time, even where the stream's first ones did not.
  void play_next_at(std::int64_t due_ns);
  /// Passes over what was due in so many blocks of 20 ms in which nobody could play; the buffer's delay stays. What
  /// came in time for them is discarded.
  void pass_over(std::int64_t blocks);
  /// Nothing of what is played now is wanted: where the packets of the last second came too early or too late for the
  /// buffer's delay, it is set anew, as at the stream's beginning, and counted (LineStatistics::buffer_resets). Needs
  /// play_next_at().
  void rest();
  /// The next 20 ms, at 8 kHz.
  void play(std::span<float> block);
  /// What was noticed since the call before.
  LineStatistics notice();
  /// When the last packet of speech came, in ns.
  std::optional<std::int64_t> last_came_ns() const;
  /// The source that is heard, once a packet came.
  std::optional<std::uint32_t> ssrc() const;

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
