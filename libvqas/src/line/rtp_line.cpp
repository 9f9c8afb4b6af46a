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
  const auto parsed = LineName::parse(name, {"buffer_ms", "codec", "hd", "law"});
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
  const auto codecs = codecs_of(*parsed, false);
  if (!codecs) return codecs.error();
  options.format = RtpFormat(codecs->front());
  const auto rate_hz = rate_of(*parsed, *codecs);
  if (!rate_hz) return rate_hz.error();
  options.format.rate_hz = *rate_hz;
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
      sender_(new_rtp_sender(options.format)),
      receiver_(options.format, options.buffer_ms / kBlock_ms, options.remote.port),
      events_(options.events_heard_as) {
  begin_reports();
}

void RtpLine::begin_reports() {
  rtcp_.emplace(sender_.ssrc(), draw(), static_cast<int>(facts_of(options_.format.encoding).clock_hz));
}

LineDescription rtp_description(const RtpLineOptions& options) {
  LineDescription description;
  description.name = options.name;
  description.real_device = true;
  description.packets = true;
  description.equipment = fmt::format("RTP, {}, 20 ms a packet, jitter buffer {} ms",
                                      facts_of(options.format.encoding).words, options.buffer_ms) +
                          hd_in_words(options.format.rate_hz);
  description.rate_hz = options.format.rate_hz;
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
  if (const Status keyed = line->take_keys(); !keyed) return keyed.error();
  for (int batch = 0; batch < kMostBatches && !line->reader_.read(line->sockets_.rtp).empty(); ++batch) {
  }
  return line;
}

Status RtpLine::take_keys() {
  if (!options_.srtp) {
    srtp_.reset();
    return success();
  }
  if (srtp_) return srtp_->change(*options_.srtp);
  auto made = Srtp::create(*options_.srtp);
  if (!made) return made.error();
  srtp_.emplace(std::move(made).value());
  return success();
}

// A codec may have another clock, so its stream is another one (RFC 7160). The keys stay with their counters while they
// are the same: with a counter begun anew, packets would be encrypted by what earlier ones were.
Status RtpLine::redirect(const RtpTerms& terms) {
  const bool other_keys = options_.srtp != terms.srtp;
  const bool other_format = options_.format != terms.format;
  if (other_format) sender_ = new_rtp_sender(terms.format);
  static_cast<RtpTerms&>(options_) = terms;
  if (other_format) begin_reports();
  receiver_ = RtpReceiver(terms.format, options_.buffer_ms / kBlock_ms, terms.remote.port);
  events_ = EventReceiver(terms.events_heard_as);
  played_since_ = 0;
  went_on_ns_ = options_.now_ns();
  ++redirected_;
  return other_keys ? take_keys() : success();
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

void RtpLine::send_report(std::span<const std::uint8_t> packet) {
  sockets_.rtcp.send(srtp_ ? srtp_->protect_rtcp(packet) : packet,
                     {options_.remote.host, static_cast<std::uint16_t>(options_.remote.port + 1)});
}

// After the packets: a source that sends again with another number is present, whatever the previous one announced.
void RtpLine::take_reports() {
  for (int batch = 0; batch < kMostBatches; ++batch) {
    const auto packets = reader_.read(sockets_.rtcp);
    if (packets.empty()) return;
    for (const PacketReader::Packet& packet : packets) {
      if (packet.from.host != options_.remote.host) continue;
      std::span<const std::uint8_t> octets = packet.octets;
      if (srtp_) octets = srtp_->unprotect_rtcp(octets);
      if (octets.empty()) continue;
      const RtcpReport report = read_rtcp(octets);
      const auto heard = receiver_.ssrc();
      // Anyone at that host could send the reports of another stream.
      if (heard == report.from) rtcp_->take(report, packet.came_ns);
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
    return Error{
        ErrorCode::line_lost,
        fmt::format("{}: no packet of the line's codec has arrived for {} s from the call's beginning{}{}",
                    options_.name, std::chrono::duration_cast<std::chrono::seconds>(options_.first_packet).count(),
                    other_kind_ ? "; " : "", other_kind_in_words())};
  }
  if (!receiver_.source_has_left()) {
    played_since_ = 0;
    return success();
  }
  // Packets received before the goodbye are still in the jitter buffer.
  if (++played_since_ <= options_.buffer_ms / kBlock_ms + 1) return success();
  return Error{ErrorCode::line_lost, options_.name + ": the other end hung up (RTCP BYE)"};
}

// What SRTP refuses is of another sender, or was changed by one.
void RtpLine::take_packet(const PacketReader::Packet& packet) {
  std::span<const std::uint8_t> octets = packet.octets;
  if (srtp_) octets = srtp_->unprotect(octets);
  if (octets.empty()) {
    ++refused_.packets;
    ++refused_.packets_discarded;
    ++refused_.packets_of_others;
    has_refused_ = true;
  } else if (events_.expects(octets)) {
    if (receiver_.use_otherwise(octets, packet.came_ns, packet.from.port)) events_.take(octets);
  } else if (!receiver_.take(octets, packet.came_ns, packet.from.port)) {
    if (!other_kind_) other_kind_ = kind_of(octets);
  }
}

std::string RtpLine::other_kind_in_words() const {
  if (!other_kind_ || has_heard()) return {};
  return fmt::format(
      "packets of payload type {} with {} octets come, and not {} (type {}): give both ends the same codec",
      other_kind_->payload_type, other_kind_->octets, facts_of(options_.format.encoding).words,
      options_.format.hears_as);
}

// A flood must not keep the line from playing and sending: the rest of the socket is read in the next turn.
void RtpLine::take_packets() {
  for (int batch = 0; batch < kMostBatches; ++batch) {
    const auto packets = reader_.read(sockets_.rtp);
    if (packets.empty()) break;
    for (const PacketReader::Packet& packet : packets) {
      // Packets from other hosts are not part of this line.
      if (packet.from.host == options_.remote.host) take_packet(packet);
    }
  }
  take_reports();
}

std::string RtpLine::take_warning() {
  std::string warning = receiver_.take_warning();
  if (srtp_ && has_refused_ && !std::exchange(told_refused_, true))
    warning += std::string(warning.empty() ? "" : "; ") + "packets come that SRTP refuses; they are not played";
  if (const std::string kind = other_kind_in_words(); !kind.empty() && !std::exchange(told_kind_, true))
    warning += std::string(warning.empty() ? "" : "; ") + kind;
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

bool RtpLine::send(std::span<const float> block) {
  auto packet =
      event_ && options_.events_sent_as ? sender_.packet(*event_, *options_.events_sent_as) : sender_.packet(block);
  event_.reset();
  constexpr std::size_t kHeader = 12;
  rtcp_->sent(sender_.last_timestamp(), packet.size() - kHeader);
  if (srtp_) packet = srtp_->protect(packet);
  return !packet.empty() && sockets_.rtp.send(packet, options_.remote);
}

Result<BlockTime> RtpLine::exchange(std::span<const float> sent, std::span<float> heard, Round round) {
  assert(sent.size() == line_block(description_.rate_hz) && heard.size() == sent.size());
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
  const bool sends = send(sent);
  // The machine may also pause just before it sends.
  const std::int64_t late_ns = options_.now_ns() - due_ns;
  if (const auto report = rtcp_->due(due_ns + late_ns, receiver_.reception(), options_.buffer_ms); !report.empty())
    send_report(report);
  if (!round.busy || !round.hears) receiver_.rest();
  receiver_.play(heard);
  time.noticed = std::exchange(refused_, {});
  time.noticed += receiver_.notice();
  time.noticed.far = rtcp_->far();
  time.noticed.source_changes += std::exchange(redirected_, 0);
  // Samples missed by this machine: the line did not lose them, and no one else can report them.
  const auto missed_samples = static_cast<std::uint32_t>(missed * std::int64_t{kLineBlock});
  time.noticed.lost_samples += missed_samples;
  time.noticed.inserted_samples += missed_samples;
  // The system had no room for the packet, or there is no receiver yet: it is lost like any other.
  if (!sends) ++time.noticed.output_overflows;
  if (late_ns > kLate_ns) time.noticed.inserted_samples += kLineBlock;
  time.noticed.sent_late_ms = static_cast<double>(std::max<std::int64_t>(late_ns + missed * kBlock_ns, 0)) * 1e-6;
  ++index_;
  return time;
}

}  // namespace vqas
