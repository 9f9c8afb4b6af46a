#include "line/rtp_line.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <ctime>
#include <random>
#include <utility>

#include "line/line_name.h"
#include "line/machine_clock.h"
#include "line/rtcp/rtcp_packet.h"
#include "vqas/signal/signal.h"

namespace vqas {
namespace {

constexpr std::int64_t kBlock_ns = std::int64_t{1'000'000'000} * kLineBlock / kLineRateHz;
constexpr int kBlock_ms = 20;
// A packet that leaves later than this after its due time may come too late for the shortest jitter buffer, 20 ms less
// the 5 ms by which a buffer may be shorter before it is reset (rtp_stream.cpp).
constexpr std::int64_t kLate_ns = 15'000'000;
// After a pause of the machine longer than this, the blocks of the pause are neither sent nor played. After a shorter
// one the line catches up, and everything received in time is played.
constexpr std::int64_t kStall_ns = std::int64_t{1'000'000'000};
constexpr std::int64_t kClockUncertainty_ns = 500'000;
constexpr int kMostBatches = 64;  // 2048 packets, 40 s of one stream

std::uint32_t draw() {
  return std::random_device{}();
}

}  // namespace

Result<RtpLineOptions> parse_rtp_line(const std::string& name) {
  const auto parsed = LineName::parse(name, {"law", "buffer_ms"});
  if (!parsed) return parsed.error();
  const std::size_t slash = parsed->body().find('/');
  if (slash == std::string::npos) {
    return Error{ErrorCode::bad_input,
                 fmt::format("the line \"{}\" is not of the form rtp:LOCALHOST:PORT/REMOTEHOST:PORT", name)};
  }
  RtpLineOptions options;
  options.name = name;
  const auto local = parse_address(parsed->body().substr(0, slash), "the line's own address");
  if (!local) return local.error();
  const auto remote = parse_address(parsed->body().substr(slash + 1), "the line's remote address");
  if (!remote) return remote.error();
  if (remote->port == 0 || local->port == 0 || local->port % 2 != 0) {
    return Error{ErrorCode::bad_input,
                 fmt::format("the line \"{}\": give an even port of this machine and the other end's port", name)};
  }
  options.local = *local;
  options.remote = *remote;
  const auto law = parsed->word("law", {"mu", "a"}, "mu");
  if (!law) return law.error();
  options.law = *law == "a" ? G711Law::a : G711Law::mu;
  const auto buffer = parsed->number("buffer_ms", 20, 500, options.buffer_ms);
  if (!buffer) return buffer.error();
  // Whole packets.
  options.buffer_ms = (*buffer + kBlock_ms - 1) / kBlock_ms * kBlock_ms;
  return options;
}

RtpLine::RtpLine(const RtpLineOptions& options, RtpSockets sockets, WakeUp wake_up)
    : options_(options),
      description_(rtp_description(options)),
      sockets_(std::move(sockets)),
      wake_up_(std::move(wake_up)),
      sender_(options.law, draw(), static_cast<std::uint16_t>(draw()), draw()),
      receiver_(options.law, options.buffer_ms / kBlock_ms, options.remote.port),
      rtcp_(sender_.ssrc(), draw()) {}

LineDescription rtp_description(const RtpLineOptions& options) {
  LineDescription description;
  description.name = options.name;
  description.real_device = true;
  description.packets = true;
  description.equipment = fmt::format("RTP, G.711 {}-law, 20 ms a packet, jitter buffer {} ms",
                                      options.law == G711Law::a ? "A" : "mu", options.buffer_ms);
  description.clock = machine_clock_name();
  description.clock_uncertainty_ns = kClockUncertainty_ns;
  return description;
}

Result<std::unique_ptr<Line>> RtpLine::open(const RtpLineOptions& options) {
  auto sockets = bind_rtp_sockets(options.local);
  if (!sockets) return sockets.error();
  auto line = over(options, std::move(sockets).value());
  if (!line) return line.error();
  return std::unique_ptr<Line>(std::move(line).value());
}

Result<std::unique_ptr<RtpLine>> RtpLine::over(const RtpLineOptions& options, RtpSockets sockets) {
  auto wake_up = WakeUp::create();
  if (!wake_up) return wake_up.error();
  std::unique_ptr<RtpLine> line(new RtpLine(options, std::move(sockets), std::move(wake_up).value()));
  for (int batch = 0; batch < kMostBatches && !line->reader_.read(line->sockets_.rtp).empty(); ++batch) {
  }
  return line;
}

void RtpLine::redirect(const SocketAddress& remote) {
  options_.remote = remote;
  receiver_ = RtpReceiver(options_.law, options_.buffer_ms / kBlock_ms, remote.port);
  played_since_ = 0;
  went_on_ns_ = options_.now_ns();
  ++redirected_;
}

void RtpLine::interrupt() {
  interrupted_ = true;
  wake_up_.wake();
}

// A node that ends or is stopped need not be waited for.
RtpLine::~RtpLine() {
  if (index_ == 0) return;
  send_report(rtcp_packet({.from = sender_.ssrc(), .leaving = {sender_.ssrc()}}));
}

void RtpLine::send_report(std::span<const std::uint8_t> packet) const {
  sockets_.rtcp.send(packet, {options_.remote.host, static_cast<std::uint16_t>(options_.remote.port + 1)});
}

// After the packets: a source that sends again with another number is present, whatever the previous one announced.
void RtpLine::take_reports() {
  for (int batch = 0; batch < kMostBatches; ++batch) {
    const auto packets = reader_.read(sockets_.rtcp);
    if (packets.empty()) return;
    for (const PacketReader::Packet& packet : packets) {
      if (packet.from.host != options_.remote.host) continue;
      const RtcpReport report = read_rtcp(packet.octets);
      rtcp_.take(report, packet.came_ns);
      const auto heard = receiver_.ssrc();
      if (heard && std::ranges::find(report.leaving, *heard) != report.leaving.end())
        receiver_.said_goodbye(packet.came_ns);
    }
  }
}

Status RtpLine::check_call(std::int64_t now_ns) {
  const auto last = receiver_.last_came_ns();
  if (last && now_ns - std::max(*last, went_on_ns_) > std::chrono::nanoseconds(options_.patience).count()) {
    return Error{ErrorCode::line_lost,
                 fmt::format("{}: no packet has arrived for {} s; the other end hung up or is gone", options_.name,
                             std::chrono::duration_cast<std::chrono::seconds>(options_.patience).count())};
  }
  const std::int64_t first_ns = std::chrono::nanoseconds(options_.first_packet).count();
  if (!last && first_ns > 0 && now_ns - std::max(began_ns_, went_on_ns_) > first_ns) {
    return Error{ErrorCode::line_lost,
                 fmt::format("{}: no packet has arrived for {} s from the call's beginning", options_.name,
                             std::chrono::duration_cast<std::chrono::seconds>(options_.first_packet).count())};
  }
  if (!receiver_.source_has_left()) {
    played_since_ = 0;
    return success();
  }
  // Packets received before the goodbye are still in the jitter buffer.
  if (++played_since_ <= options_.buffer_ms / kBlock_ms + 1) return success();
  return Error{ErrorCode::line_lost, options_.name + ": the other end hung up (RTCP BYE)"};
}

// A flood must not keep the line from playing and sending: the rest of the socket is read in the next turn.
void RtpLine::take_packets() {
  for (int batch = 0; batch < kMostBatches; ++batch) {
    const auto packets = reader_.read(sockets_.rtp);
    if (packets.empty()) break;
    for (const PacketReader::Packet& packet : packets) {
      // Packets from other hosts are not part of this line.
      if (packet.from.host == options_.remote.host) receiver_.take(packet.octets, packet.came_ns, packet.from.port);
    }
  }
  take_reports();
}

std::string RtpLine::take_warning() {
  const std::string warning = receiver_.take_warning();
  return warning.empty() ? warning : options_.name + ": " + warning;
}

Status RtpLine::wait_until(std::int64_t due_ns) {
  for (;;) {
    if (interrupted_.exchange(false)) {
      wake_up_.clear();
      return Error{ErrorCode::cancelled, options_.name + ": interrupted"};
    }
    // The clock is read first: where the machine pauses between the two, what came before the due time is still taken.
    const bool is_due = options_.now_ns() >= due_ns;
    take_packets();
    if (is_due) return success();
    const std::int64_t left_ns = std::max<std::int64_t>(due_ns - options_.now_ns(), 0);
    std::array<pollfd, 2> entries{{{sockets_.rtp.descriptor(), POLLIN, 0}, {wake_up_.descriptor(), POLLIN, 0}}};
    const timespec patience{left_ns / 1'000'000'000, left_ns % 1'000'000'000};
    if (::ppoll(entries.data(), entries.size(), &patience, nullptr) < 0 && errno != EINTR) {
      return Error{ErrorCode::line_lost, options_.name + ": cannot wait for packets: " + system_error_text(errno)};
    }
    if (entries[1].revents != 0) wake_up_.clear();
  }
}

// In whole blocks, so that the jitter buffer's delay stays. A source that sent meanwhile was not silent.
std::int64_t RtpLine::pass_over(std::int64_t late_ns) {
  const std::int64_t missed = late_ns / kBlock_ns;
  began_ns_ += missed * kBlock_ns;
  went_on_ns_ = began_ns_ + static_cast<std::int64_t>(index_) * kBlock_ns;
  sender_.leave_out(missed);
  receiver_.pass_over(missed);
  receiver_.play_next_at(went_on_ns_);
  take_packets();
  return missed;
}

Result<BlockTime> RtpLine::exchange(std::span<const float> sent, std::span<float> heard, Round round) {
  assert(sent.size() == kLineBlock && heard.size() == kLineBlock);
  if (began_ns_ == 0) began_ns_ = options_.now_ns();
  std::int64_t due_ns = began_ns_ + static_cast<std::int64_t>(index_) * kBlock_ns;
  receiver_.play_next_at(due_ns);
  if (const Status waited = wait_until(due_ns); !waited) return waited.error();
  const std::int64_t now_ns = options_.now_ns();
  const std::int64_t missed = now_ns - due_ns > kStall_ns ? pass_over(now_ns - due_ns) : 0;
  due_ns += missed * kBlock_ns;
  if (const Status stands = check_call(now_ns); !stands) return stands.error();
  BlockTime time;
  time.index = index_;
  time.time_ns = due_ns;
  time.clock_offset_ns = 0;
  const bool sends = sockets_.rtp.send(sender_.packet(sent), options_.remote);
  // The machine may also pause just before it sends.
  const std::int64_t late_ns = options_.now_ns() - due_ns;
  rtcp_.sent(sender_.last_timestamp(), kLineBlock);
  if (const auto report = rtcp_.due(due_ns + late_ns, receiver_.reception(), options_.buffer_ms); !report.empty())
    send_report(report);
  if (!round.busy || !round.hears) receiver_.rest();
  receiver_.play(heard);
  time.noticed = receiver_.notice();
  time.noticed.far = rtcp_.far();
  time.noticed.source_changes += std::exchange(redirected_, 0);
  // Samples missed by this machine: the line did not lose them, and no one else can report them.
  const auto missed_samples = static_cast<std::uint32_t>(missed * std::int64_t{kLineBlock});
  time.noticed.lost_samples += missed_samples;
  time.noticed.inserted_samples += missed_samples;
  // The system had no room for the packet, or there is no receiver yet: it is lost like any other.
  if (!sends) ++time.noticed.output_overflows;
  if (late_ns > kLate_ns) time.noticed.inserted_samples += kLineBlock;
  time.noticed.sent_late_ms = static_cast<double>(std::max<std::int64_t>(late_ns, 0)) * 1e-6;
  ++index_;
  return time;
}

}  // namespace vqas
