#include "line/rtp_stream.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <random>
#include <string_view>
#include <utility>

#include "line/rtp_queue.h"
#include "line/rtp_sources.h"

// Each header after those it needs.
// clang-format off
extern "C" {
#include <re_types.h>
#include <re_sa.h>
#include <re_mbuf.h>
#include <re_mem.h>
#include <re_rtp.h>
}
// clang-format on

namespace vqas {
namespace {

constexpr std::size_t kMostHeld = 200;  // packets, 4 s
constexpr std::int64_t kMostWait = kMostHeld;
// This many late packets in a row are a change of the line's delay, not jitter.
constexpr int kStepAfter = 10;
// Number of packets at a stream's start that may show that its first one was late; there is no speech within the first
// second.
constexpr int kSettling = 50;
constexpr std::int64_t kBlock_ns = 20'000'000;
// Number of packets, 1 s, that show how early packets arrive. The quarter of a packet is a hysteresis for delays near a
// whole number of packets.
constexpr int kWindow = 50;
constexpr std::int64_t kHysteresis_ns = kBlock_ns / 4;
// Copies of a packet within this many are recognised, as long as its stream accepts late packets.
constexpr std::size_t kRemembered = RtpSources::kBehind;
// A stream that pauses for longer may have ended: from there on silence is counted, and packets count as lost only if
// the stream continues after them.
constexpr int kLongestGap = 50;

struct Release {
  void operator()(void* object) const { mem_deref(object); }
};

// Null: no packet of RTP.
std::unique_ptr<mbuf, Release> packet_of(std::span<const std::uint8_t> datagram, rtp_header& header) {
  std::unique_ptr<mbuf, Release> packet(mbuf_alloc(datagram.size()));
  mbuf_write_mem(packet.get(), datagram.data(), datagram.size());
  packet->pos = 0;
  if (rtp_hdr_decode(&header, packet.get()) != 0 || header.ver != RTP_VERSION) packet.reset();
  return packet;
}

// What follows the header, without padding (RFC 3550, 5.1). Empty: there is nothing, or the padding is impossible.
std::span<const std::uint8_t> payload_of(const rtp_header& header, const mbuf& packet) {
  const std::span<const std::uint8_t> rest(packet.buf + packet.pos, packet.end - packet.pos);
  if (!header.pad || rest.empty()) return rest;
  const std::size_t padding = rest.back();
  return padding == 0 || padding > rest.size() ? rest.first(0) : rest.first(rest.size() - padding);
}

}  // namespace

std::span<const std::uint8_t> RtpSender::made(std::uint8_t payload_type, std::uint32_t timestamp,
                                              std::span<const std::uint8_t> payload) {
  const std::unique_ptr<mbuf, Release> buffer(mbuf_alloc(RTP_HEADER_SIZE));
  rtp_header header{};
  header.ver = RTP_VERSION;
  header.m = std::exchange(first_, false);
  header.pt = payload_type;
  header.seq = sequence_++;
  header.ts = timestamp;
  header.ssrc = ssrc_;
  last_timestamp_ = timestamp_;
  timestamp_ += format_.ticks();
  rtp_hdr_encode(buffer.get(), &header);
  packet_.assign(buffer->buf, buffer->buf + buffer->end);
  packet_.insert(packet_.end(), payload.begin(), payload.end());
  return packet_;
}

std::span<const std::uint8_t> RtpSender::packet(std::span<const float> block) {
  return made(format_.sends_as, timestamp_, codec_->encode(block));
}

// The marker bit stands at the beginning of an event, and of the speech after it.
std::span<const std::uint8_t> RtpSender::packet(const EventBlock& event, std::uint8_t payload_type) {
  if (event.first) event_began_ = timestamp_;
  first_ = event.first;
  const auto packet = made(payload_type, event_began_, event_payload(event, format_.ticks()));
  first_ = true;
  return packet;
}

void RtpSender::leave_out(std::int64_t blocks) {
  timestamp_ += static_cast<std::uint32_t>(blocks * std::int64_t{format_.ticks()});
  first_ = true;
}

struct RtpReceiver::Engine {
  RtpFormat format;
  int delay_blocks;
  RtpSources sources;
  std::unique_ptr<RtpCodec> codec;
  std::int64_t ticks;  // timestamps of a block
  RtpQueue queue{kMostHeld};
  LineStatistics counted;
  std::optional<RtpReception> reception;
  std::optional<std::int64_t> last_came_ns;
  std::int64_t last_transit_ns = 0;
  double jitter_ns = 0;
  // The timestamp played next, once the first packet has arrived.
  std::optional<std::uint32_t> now;
  int starts_in = 0;
  bool heard_before = false;
  struct Seen {
    std::uint16_t sequence = 0;
    std::uint32_t timestamp = 0;
    std::size_t content = 0;  // a digest of the payload
    bool operator==(const Seen&) const = default;
  };
  // Received packets by sequence number.
  std::array<std::optional<Seen>, kRemembered> came{};
  std::optional<std::uint16_t> last_sequence;
  int late_in_a_row = 0, missing_in_a_row = 0;
  std::optional<std::uint16_t> last_played;
  int settling = 0;
  std::optional<std::int64_t> next_play_ns;
  // Packets before this one belong to blocks that the line passed over, and counts itself.
  std::optional<std::uint32_t> passed_to;
  // How long the earliest packet waits to be played: in the current window, and in the last complete one.
  int window_count = 0;
  std::int64_t window_ns = 0;
  std::optional<std::int64_t> earliest_waits_ns;

  Engine(const RtpFormat& with, int delay, std::uint16_t port)
      : format(with), delay_blocks(delay), sources(port), codec(make_codec(with)), ticks(with.ticks()) {}

  void begin_at(std::uint32_t timestamp, std::int64_t came_ns) {
    now = timestamp;
    starts_in = delay_blocks;
    // A machine that is behind plays the blocks that were due before the packet came first.
    if (next_play_ns && came_ns > *next_play_ns)
      starts_in += static_cast<int>((came_ns - *next_play_ns + kBlock_ns - 1) / kBlock_ns);
    settling = kSettling;
    forget_waits();
  }

  std::int64_t waits_ns(std::uint32_t timestamp, std::int64_t came_ns) const {
    const std::int64_t blocks = starts_in + static_cast<std::int32_t>(timestamp - *now) / ticks;
    return *next_play_ns + blocks * kBlock_ns - came_ns;
  }

  // True when packets are skipped.
  bool play_sooner(std::int64_t blocks) {
    const auto silent = static_cast<int>(std::min<std::int64_t>(blocks, starts_in));
    starts_in -= silent;
    now = *now + static_cast<std::uint32_t>((blocks - silent) * ticks);
    return blocks > silent;
  }

  // The buffer's delay counts from a packet that was not late. If it counted from a packet that was sent late, or that
  // waited in the socket while this machine paused, all following packets would wait as long.
  void settle(std::uint32_t timestamp, std::int64_t came_ns) {
    if (settling == 0 || !next_play_ns) return;
    --settling;
    const std::int64_t too_long = waits_ns(timestamp, came_ns) / kBlock_ns - delay_blocks;
    if (too_long <= 0 || too_long > kMostWait) return;
    if (play_sooner(too_long)) ++counted.buffer_steps;
  }

  void forget_waits() {
    window_count = 0;
    earliest_waits_ns.reset();
  }

  void watch(std::uint32_t timestamp, std::int64_t came_ns) {
    if (settling > 0 || !next_play_ns) return;
    const std::int64_t waits = waits_ns(timestamp, came_ns);
    window_ns = window_count == 0 ? waits : std::max(window_ns, waits);
    if (++window_count < kWindow) return;
    earliest_waits_ns = window_ns;
    window_count = 0;
  }

  void pass_over(std::int64_t blocks) {
    if (!now) return;
    play_sooner(blocks);
    passed_to = now;
  }

  void rest() {
    if (!now || !earliest_waits_ns) return;
    const std::int64_t too_long_ns = *earliest_waits_ns - delay_blocks * kBlock_ns;
    earliest_waits_ns.reset();
    if (std::abs(too_long_ns) > kMostWait * kBlock_ns) return;
    if (too_long_ns >= kBlock_ns) {
      play_sooner(too_long_ns / kBlock_ns);
    } else if (too_long_ns < -kHysteresis_ns) {
      starts_in += static_cast<int>((-too_long_ns + kBlock_ns - 1) / kBlock_ns);
    } else {
      return;
    }
    forget_waits();
    ++counted.buffer_resets;
  }

  void count_jitter(std::uint32_t timestamp, std::int64_t came_ns) {
    const double tick_ns = 1e9 / facts_of(format.encoding).clock_hz;
    const std::int64_t transit = came_ns - std::llround(static_cast<double>(timestamp) * tick_ns);
    if (last_came_ns) {
      const double moved = std::fabs(static_cast<double>(transit - last_transit_ns));
      // A timestamp that wrapped or restarted cannot be used.
      if (moved < 1e9) jitter_ns += (moved - jitter_ns) / 16;
    }
    last_transit_ns = transit;
    last_came_ns = came_ns;
  }

  // Whether this packet is of the present stream, or of one that is played from now on.
  bool is_heard(const rtp_header& header, std::uint16_t port, std::int64_t came_ns) {
    const bool first = !sources.heard();
    const auto verdict = sources.take({port, header.ssrc}, header.seq, came_ns);
    if (verdict == RtpSources::Verdict::begins && !first) {
      restart();
      ++counted.source_changes;
    }
    return verdict != RtpSources::Verdict::other;
  }

  // Whether its number is new. A network may duplicate a packet, but does not change it.
  bool is_new(const Seen& one) {
    auto& before = came[one.sequence % kRemembered];
    if (!before || before->sequence != one.sequence) {
      before = one;
      return true;
    }
    if (*before == one) {
      ++counted.packets_repeated;
      return false;
    }
    ++counted.packets_discarded;
    ++counted.packets_contradicting;
    sources.contradicted();
    return false;
  }

  bool use_otherwise(std::span<const std::uint8_t> datagram, std::int64_t came_ns, std::uint16_t port) {
    rtp_header header{};
    if (!packet_of(datagram, header)) return false;
    // Another stream must not begin with it: only speech shows that it is the call's.
    const bool of_another = sources.heard() && sources.heard() != RtpSource{port, header.ssrc};
    if (of_another || !is_heard(header, port, came_ns)) {
      ++counted.packets;
      ++counted.packets_discarded;
      ++counted.packets_of_others;
      return false;
    }
    if (!reception) reception.emplace(header.ssrc, header.seq);
    reception->take(header.seq);
    return true;
  }

  bool take(std::span<const std::uint8_t> datagram, std::int64_t came_ns, std::uint16_t port) {
    rtp_header header{};
    const auto packet = packet_of(datagram, header);
    if (!packet || header.pt != format.hears_as) return false;
    const auto payload = payload_of(header, *packet);
    if (!codec->fits(payload)) return false;
    ++counted.packets;
    if (!is_heard(header, port, came_ns)) {
      ++counted.packets_discarded;
      ++counted.packets_of_others;
      return true;
    }
    if (!reception) reception.emplace(header.ssrc, header.seq);
    reception->take(header.seq);
    const std::string_view content(reinterpret_cast<const char*>(payload.data()), payload.size());
    if (!is_new({header.seq, header.ts, std::hash<std::string_view>()(content)})) return true;
    if (!now) begin_at(header.ts, came_ns);
    count_jitter(header.ts, came_ns);
    settle(header.ts, came_ns);
    watch(header.ts, came_ns);
    if (came_late(header.ts, came_ns)) {
      if (!late(header.ts, came_ns)) return true;
    } else if (is_ahead(header.ts) < 0) {
      drop_unread(header.ts);
      return true;
    }
    late_in_a_row = 0;
    if (starts_in == 0 && is_far_too_early(header.ts, came_ns)) {
      // The path became shorter, or the other end's clock is fast.
      ++counted.buffer_steps;
      now = header.ts - static_cast<std::uint32_t>(delay_blocks * ticks);
      forget_waits();
    }
    if (!queue.put({header.ts, header.seq, {payload.begin(), payload.end()}})) ++counted.packets_discarded;
    return true;
  }

  std::int32_t is_ahead(std::uint32_t timestamp) const { return static_cast<std::int32_t>(timestamp - *now); }

  // By its arrival alone, whenever this machine read it.
  bool came_late(std::uint32_t timestamp, std::int64_t came_ns) const {
    return next_play_ns ? waits_ns(timestamp, came_ns) < 0 : is_ahead(timestamp) < 0;
  }

  // It arrived in time, and this machine played its block without it.
  void drop_unread(std::uint32_t timestamp) {
    ++counted.packets_discarded;
    reception->discard();
    if (!passed_to || static_cast<std::int32_t>(timestamp - *passed_to) >= 0) counted.lost_samples += kLineBlock;
  }

  // Packets that waited in the socket while the machine paused are far ahead of the playing position, and arrived in
  // time.
  bool is_far_too_early(std::uint32_t timestamp, std::int64_t came_ns) const {
    const int most = 2 * delay_blocks + kStepAfter;
    if (is_ahead(timestamp) <= most * ticks) return false;
    return !next_play_ns || waits_ns(timestamp, came_ns) > most * kBlock_ns;
  }

  // Whether it can still be played.
  bool late(std::uint32_t timestamp, std::int64_t came_ns) {
    ++counted.packets_late;
    reception->discard();
    if (++late_in_a_row < kStepAfter) return false;
    // The path became longer: the buffer waits for it. The packets already in the queue come after this one.
    ++counted.buffer_steps;
    begin_at(timestamp, came_ns);
    return true;
  }

  void flush() {
    counted.packets_discarded += static_cast<std::uint32_t>(queue.size());
    queue.clear();
    last_sequence.reset();
    late_in_a_row = 0;
  }

  void restart() {
    flush();
    now.reset();
    reception.reset();
    passed_to.reset();
    last_played.reset();
    missing_in_a_row = 0;
    last_came_ns.reset();
    came.fill(std::nullopt);
    codec = make_codec(format);
  }

  // The packet due now, if it has arrived.
  std::optional<RtpQueue::Packet> due() {
    while (const RtpQueue::Packet* const first = queue.first()) {
      const auto ahead = static_cast<std::int32_t>(first->timestamp - *now);
      if (ahead > 0) return std::nullopt;
      last_sequence = first->sequence;
      RtpQueue::Packet packet = queue.take_first();
      if (ahead == 0) return packet;
      ++counted.packets_discarded;
    }
    return std::nullopt;
  }

  // Counts the losses of a long outage that were not counted while it lasted.
  void count_outage() {
    if (last_played && missing_in_a_row > kLongestGap) {
      const auto lost = static_cast<std::uint16_t>(*last_sequence - *last_played - 1);
      counted.packets_lost +=
          static_cast<std::uint32_t>(std::max(std::min<int>(lost, missing_in_a_row) - kLongestGap, 0));
    }
    missing_in_a_row = 0;
    last_played = last_sequence;
  }

  // Nothing was sent for this time: the sender suppressed silence (RFC 3551, 4.1).
  bool silence_was_left_out() const {
    const RtpQueue::Packet* const first = queue.first();
    return first != nullptr && last_sequence && first->sequence == static_cast<std::uint16_t>(*last_sequence + 1);
  }

  // The packet that follows the one due now, which is lost.
  std::span<const std::uint8_t> next_payload() const {
    const RtpQueue::Packet* const first = queue.first();
    if (first == nullptr || is_ahead(first->timestamp) != ticks) return {};
    return first->octets;
  }

  void play(std::span<float> block) {
    if (!now || starts_in > 0) {
      if (starts_in > 0) --starts_in;
      if (heard_before) counted.silence_samples += kLineBlock;
      std::fill(block.begin(), block.end(), 0.0F);
      return;
    }
    heard_before = true;
    const auto packet = due();
    if (packet) {
      codec->decode(packet->octets, block);
      count_outage();
      reception->play(true);
    } else if (silence_was_left_out()) {
      missing_in_a_row = 0;
      std::fill(block.begin(), block.end(), 0.0F);
    } else {
      if (missing_in_a_row < kLongestGap) {
        reception->play(false);
        ++counted.packets_lost;
        counted.concealed_samples += kLineBlock;
      } else {
        counted.silence_samples += kLineBlock;
      }
      ++missing_in_a_row;
      codec->conceal(next_payload(), block);
    }
    *now += static_cast<std::uint32_t>(ticks);
  }
};

RtpSender new_rtp_sender(const RtpFormat& format) {
  constexpr std::uint16_t kFirst = 0x7FFF;
  std::random_device draw;
  const auto sequence = static_cast<std::uint16_t>(draw() & kFirst);
  return {format, draw(), sequence, draw()};
}

std::optional<PacketKind> kind_of(std::span<const std::uint8_t> datagram) {
  constexpr int kComfortNoise = 13, kFirstRtcp = 72, kLastRtcp = 79;  // RFC 3551, table 4; RFC 5761, clause 4
  rtp_header header{};
  const auto packet = packet_of(datagram, header);
  if (!packet) return std::nullopt;
  if (header.pt == kComfortNoise || (header.pt >= kFirstRtcp && header.pt <= kLastRtcp)) return std::nullopt;
  return PacketKind{header.pt, packet->end - packet->pos};
}

RtpReceiver::RtpReceiver(const RtpFormat& format, int delay_blocks, std::uint16_t port)
    : engine_(std::make_unique<Engine>(format, delay_blocks, port)) {}
RtpReceiver::~RtpReceiver() = default;
RtpReceiver::RtpReceiver(RtpReceiver&&) noexcept = default;
RtpReceiver& RtpReceiver::operator=(RtpReceiver&&) noexcept = default;

bool RtpReceiver::take(std::span<const std::uint8_t> datagram, std::int64_t came_ns, std::uint16_t port) {
  return engine_->take(datagram, came_ns, port);
}

bool RtpReceiver::use_otherwise(std::span<const std::uint8_t> datagram, std::int64_t came_ns, std::uint16_t port) {
  return engine_->use_otherwise(datagram, came_ns, port);
}

void RtpReceiver::said_goodbye(std::int64_t came_ns) {
  engine_->sources.said_goodbye(came_ns);
}

bool RtpReceiver::source_has_left() const {
  return engine_->sources.has_left();
}

std::string RtpReceiver::take_warning() {
  return engine_->sources.take_warning();
}

void RtpReceiver::play_next_at(std::int64_t due_ns) {
  engine_->next_play_ns = due_ns;
}

void RtpReceiver::pass_over(std::int64_t blocks) {
  engine_->pass_over(blocks);
}

void RtpReceiver::rest() {
  engine_->rest();
}

void RtpReceiver::play(std::span<float> block) {
  engine_->play(block);
}

LineStatistics RtpReceiver::notice() {
  LineStatistics noticed = engine_->counted;
  noticed.jitter_ms = engine_->jitter_ns * 1e-6;
  engine_->counted = {};
  return noticed;
}

std::optional<std::int64_t> RtpReceiver::last_came_ns() const {
  return engine_->last_came_ns;
}

std::optional<RtpReception> RtpReceiver::reception() const {
  auto reception = engine_->reception;
  if (reception) reception->jitter_ms = engine_->jitter_ns * 1e-6;
  return reception;
}

std::optional<std::uint32_t> RtpReceiver::ssrc() const {
  const auto& source = engine_->sources.heard();
  return source ? std::optional(source->ssrc) : std::nullopt;
}

}  // namespace vqas
