#include "calls/media/media_call.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vqas {
namespace {

constexpr int kBlock_ms = 20;
constexpr std::size_t kSettled = 50;  // blocks, 1 s: RtpReceiver's time to find the buffer's delay
// Of a recording whose length is not known, in blocks: a minute.
constexpr std::size_t kGrowth = 3000;
constexpr double kNsPerMs = 1e6;
constexpr std::size_t kHeader = 12;         // of RTP, octets
constexpr std::uint64_t kReportsEach = 50;  // blocks

// Decoders and concealment have 16 bits, so nothing is lost.
std::int16_t as_int16(float sample) {
  return static_cast<std::int16_t>(std::lround(std::clamp(sample * 32768.0F, -32768.0F, 32767.0F)));
}

}  // namespace

MediaCall::MediaCall(std::unique_ptr<PacketPort> port, const MediaOptions& options, CallPart part, Clock clock)
    : port_(std::move(port)),
      options_(options),
      part_(std::move(part)),
      clock_(std::move(clock)),
      speech_(part_),
      sender_(new_rtp_sender(options.format)),
      receiver_(options.format, options.buffer_ms / kBlock_ms, options.remote_port),
      rtcp_(sender_.ssrc(), sender_.ssrc(), static_cast<int>(facts_of(options.format.encoding).clock_hz)),
      heard_(line_block(options.format.rate_hz)),
      sent_(heard_.size()) {
  recorded_.rate_hz = options.format.rate_hz;
  make_room(part_.stays == 0 ? std::min(part_.most_recorded, kGrowth) : part_.most_recorded);
}

// The memory is touched here, so that the system need not provide it while packets are due.
void MediaCall::make_room(std::size_t blocks) {
  recorded_.samples.resize(blocks * heard_.size());
  recorded_.blocks.resize(blocks);
}

void MediaCall::redirect(const SocketAddress& remote) {
  const std::lock_guard lock(mutex_);
  moved_to_ = remote;
  moved_ = true;
}

void MediaCall::take_packets() {
  if (moved_) {
    const std::lock_guard lock(mutex_);
    moved_ = false;
    port_->redirect(moved_to_);
    receiver_ = RtpReceiver(options_.format, options_.buffer_ms / kBlock_ms, moved_to_.port);
    ++packets_.moves;
  }
  port_->take([this](std::span<const std::uint8_t> packet, std::int64_t came_ns, std::uint16_t port) {
    receiver_.take(packet, came_ns, port);
  });
}

void MediaCall::turn(std::int64_t due_ns) {
  if (began_ns_ == 0) began_ns_ = due_ns;
  receiver_.play_next_at(due_ns);
  take_packets();
  if (phase_ == Phase::settling) receiver_.rest();
  receiver_.play(heard_);
  LineStatistics noticed = receiver_.notice();
  packets_.heard += noticed;
  // What waited at the port before the first turn was silence. The recording has what was noticed of each block.
  if (phase_ == Phase::settling) packets_.heard.lost_samples = 0;
  packets_.worst_jitter_ms = std::max(packets_.worst_jitter_ms, noticed.jitter_ms);
  const bool speaks = phase_ == Phase::running;
  if (part_.echoes) {
    sent_ = heard_;
  } else if (speaks) {
    speech_.fill(sent_);
  } else {
    std::ranges::fill(sent_, 0.0F);
  }
  const std::span<const std::uint8_t> packet = sender_.packet(sent_);
  const std::size_t octets = packet.size() - kHeader;
  const std::int64_t now_ns = clock_();
  const std::int64_t late_ns = now_ns - due_ns;
  lateness_.worst_ms = std::max(lateness_.worst_ms, static_cast<double>(late_ns) / kNsPerMs);
  if (late_ns > options_.late_ns) ++lateness_.late;
  if (!port_->send(packet)) {
    ++packets_.refused;
    ++noticed.output_overflows;
  }
  ++packets_.sent;
  report(now_ns, octets);
  record(due_ns, noticed);
  ++index_;
  if (speaks) ++spoken_blocks_;
  follow(now_ns);
}

// What comes is read once a second; its time is the kernel's.
void MediaCall::report(std::int64_t now_ns, std::size_t octets) {
  rtcp_.sent(sender_.last_timestamp(), octets);
  if (const auto due = rtcp_.due(now_ns, receiver_.reception(), options_.buffer_ms); !due.empty())
    port_->send_report(due);
  if (index_ % kReportsEach != 0) return;
  port_->take_reports([this](std::span<const std::uint8_t> packet, std::int64_t came_ns, std::uint16_t) {
    const RtcpReport report = read_rtcp(packet);
    // Anyone at that host could send the reports of another stream.
    if (receiver_.ssrc() == report.from) rtcp_.take(report, came_ns);
  });
}

void MediaCall::record(std::int64_t due_ns, const LineStatistics& noticed) {
  if (recorded_blocks_ >= part_.most_recorded) return;
  if (recorded_blocks_ == recorded_.blocks.size()) make_room(recorded_blocks_ + kGrowth);
  std::ranges::transform(
      heard_, recorded_.samples.begin() + static_cast<std::ptrdiff_t>(recorded_blocks_ * heard_.size()), as_int16);
  BlockTime& time = recorded_.blocks[recorded_blocks_++];
  time.index = index_;
  time.time_ns = due_ns;
  time.clock_offset_ns = 0;
  time.noticed = noticed;
}

void MediaCall::follow(std::int64_t now_ns) {
  if (phase_ != Phase::settling && phase_ != Phase::running) return;
  const auto last = receiver_.last_came_ns();
  if (!last) {
    if (now_ns - began_ns_ > options_.first_packet_ns) phase_ = Phase::no_audio;
    return;
  }
  if (now_ns - *last > options_.patience_ns) {
    phase_ = Phase::silent;
  } else if (phase_ == Phase::settling) {
    if (++heard_blocks_ >= kSettled) phase_ = Phase::running;
  } else if (part_.stays > 0 && spoken_blocks_ >= part_.stays) {
    phase_ = Phase::finished;
  }
}

void MediaCall::skip(std::int64_t turns, std::int64_t due_ns) {
  sender_.leave_out(turns);
  receiver_.pass_over(turns);
  lateness_.late += static_cast<std::uint32_t>(turns);
  lateness_.worst_ms = std::max(lateness_.worst_ms, static_cast<double>(turns) * kBlock_ms);
  if (began_ns_ == 0) began_ns_ = due_ns;
}

void MediaCall::say_goodbye() {
  port_->send_report(rtcp_packet({.from = sender_.ssrc(), .leaving = {sender_.ssrc()}}));
  left_ = true;
}

MediaCall::Taken MediaCall::taken() {
  make_room(recorded_blocks_);
  packets_.heard.far = rtcp_.far();
  return {std::move(recorded_), packets_, lateness_};
}

}  // namespace vqas
