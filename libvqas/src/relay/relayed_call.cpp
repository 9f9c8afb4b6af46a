#include "relay/relayed_call.h"

#include <algorithm>

#include "relay/rtp.h"

namespace vqas {
namespace {

// After this silence an endpoint may return from another port (a restarted phone); before, it is a stranger.
constexpr std::int64_t kRelearnNs = 5'000'000'000;

SocketAddress next_port(const SocketAddress& address) {
  return {address.host, static_cast<std::uint16_t>(address.port + 1)};
}

bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other) {
  std::error_code fault;
  return std::filesystem::weakly_canonical(one, fault) == std::filesystem::weakly_canonical(other, fault);
}

}  // namespace

Result<RelayedCall::Leg> RelayedCall::open_leg(const CallSide& side, std::uint64_t seed, std::uint64_t stream) {
  if (const Status valid = validate(side.conditions); !valid) return valid.error();
  auto sockets = bind_rtp_sockets(side.listen);
  if (!sockets) return sockets.error();
  std::unique_ptr<PatternRecorder> recorder;
  if (side.record) {
    PatternNotes notes;
    notes.seed = seed;
    notes.stream = stream;
    auto created = PatternRecorder::create(side.record->file, notes);
    if (!created) return created.error();
    recorder = std::move(created).value();
  }
  PatternSink* const sink = recorder.get();
  return Leg{std::move(sockets).value(),
             std::move(recorder),
             RelayPath(side.conditions, seed, stream, sink),
             stream,
             side.peer,
             {},
             {},
             side.symmetric};
}

Result<std::unique_ptr<RelayedCall>> RelayedCall::open(std::uint64_t number, const CallOptions& options,
                                                       std::int64_t now_ns) {
  const auto& of_a = options.sides[0].record;
  const auto& of_b = options.sides[1].record;
  if (of_a && of_b && is_same_file(of_a->file, of_b->file)) {
    return Error{ErrorCode::bad_input,
                 of_b->file.string() + ": both directions would be recorded in it; give each direction its own file"};
  }
  auto a = open_leg(options.sides[0], options.seed, 2 * number);
  if (!a) return a.error();
  auto b = open_leg(options.sides[1], options.seed, 2 * number + 1);
  if (!b) {
    // The call was never established.
    if (a->recorder) a->recorder->discard();
    return b.error();
  }
  return std::unique_ptr<RelayedCall>(
      new RelayedCall(number, options.seed, {std::move(a).value(), std::move(b).value()}, now_ns));
}

const UdpSocket& RelayedCall::socket(End side, bool rtcp) const {
  return rtcp ? leg(side).sockets.rtcp : leg(side).sockets.rtp;
}

bool RelayedCall::knows(Leg& leg, const PacketReader::Packet& packet, bool rtcp) {
  if (leg.announced) {
    if (packet.from.host != leg.announced->host) return false;
    if (!leg.symmetric && packet.from != (rtcp ? next_port(*leg.announced) : *leg.announced)) return false;
  }
  Source& heard = rtcp ? leg.heard_rtcp : leg.heard;
  const bool is_new = heard.address != packet.from;
  if (heard.address && is_new && packet.came_ns - heard.last_ns < kRelearnNs) return false;
  // Only real RTP or RTCP may decide where a stream is sent.
  if (is_new) {
    const bool lawful = is_rtcp(packet.octets) || (!rtcp && parse_rtp(packet.octets));
    if (!lawful) return true;
    heard.address = packet.from;
  }
  heard.last_ns = packet.came_ns;
  return true;
}

std::optional<SocketAddress> RelayedCall::destination(const Leg& leg, bool rtcp) {
  if (!rtcp) return leg.heard.address ? leg.heard.address : leg.announced;
  if (leg.heard_rtcp.address) return leg.heard_rtcp.address;
  if (leg.announced) return next_port(*leg.announced);
  if (leg.heard.address) return next_port(*leg.heard.address);
  return std::nullopt;
}

void RelayedCall::take(std::span<PacketReader::Packet> packets, End side, bool rtcp, DelayQueue& queue) {
  Leg& from = leg(side);
  for (PacketReader::Packet& packet : packets) {
    if (!knows(from, packet, rtcp)) {
      ++from.path.counters().strangers;
      continue;
    }
    last_ns_ = std::max(last_ns_, packet.came_ns);
    const PacketOrder order =
        rtcp ? from.path.take_rtcp(packet.octets, packet.came_ns) : from.path.take(packet.octets, packet.came_ns);
    for (int copy = 0; copy < order.copies; ++copy) {
      if (!has_room_for(packet.octets.size()) || !queue.has_room_for(packet.octets.size())) {
        ++from.path.counters().no_room;
      } else {
        waiting_ += DelayQueue::cost_of(packet.octets.size());
        queue.push(order.due_ns, {number_, side == End::a, rtcp, order.control}, packet.octets);
      }
    }
  }
}

void RelayedCall::send(const DelayQueue::Waiting& waiting, std::int64_t now_ns) {
  waiting_ -= DelayQueue::cost_of(waiting.octets.size());
  const End from = waiting.ticket.from_a ? End::a : End::b;
  const bool loops = leg(from).path.conditions().loopback && !waiting.ticket.control;
  Leg& to = leg(loops ? from : other_end(from));
  RelayCounters& counters = leg(from).path.counters();
  const auto destination = RelayedCall::destination(to, waiting.ticket.rtcp);
  const UdpSocket& out = waiting.ticket.rtcp ? to.sockets.rtcp : to.sockets.rtp;
  if (!destination || !out.send(waiting.octets, *destination)) {
    ++counters.unsendable;
    return;
  }
  if (waiting.ticket.control) return;
  ++counters.sent;
  const std::int64_t late = now_ns - waiting.due_ns;
  counters.latest_ns = std::max(counters.latest_ns, late);
  if (late > kLateNs) ++counters.late;
}

void RelayedCall::set_peer(End side, const SocketAddress& peer) {
  Leg& changed = leg(side);
  if (changed.announced == peer) return;
  changed.announced = peer;
  changed.heard = {};
  changed.heard_rtcp = {};
}

RelayedCallState RelayedCall::state(std::int64_t now_ns) const {
  RelayedCallState state;
  state.number = number_;
  state.seed = seed_;
  state.age_ns = now_ns - began_ns_;
  state.silent_ns = silent_ns(now_ns);
  for (std::size_t i = 0; i < legs_.size(); ++i) {
    const Leg& one = legs_[i];
    state.directions[i] = {one.sockets.rtp.address(), one.heard.address ? one.heard.address : one.announced, one.stream,
                           one.path.shared_conditions(), one.path.counters()};
  }
  return state;
}

Status RelayedCall::finish() {
  Status all = success();
  for (Leg& one : legs_) {
    if (!one.recorder) continue;
    const Status finished = one.recorder->finish();
    if (all && !finished) all = finished;
  }
  return all;
}

}  // namespace vqas
