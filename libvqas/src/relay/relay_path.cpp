#include "relay/relay_path.h"

#include "relay/live_channel.h"
#include "relay/packet_fate.h"
#include "relay/pattern_sink.h"
#include "relay/rtp.h"
#include "relay/sent_payloads.h"
#include "relay/stream_place.h"

namespace vqas {

struct RelayPath::State {
  State(const RelayConditions& given, std::uint64_t seed, std::uint64_t stream, PatternSink* sink)
      : conditions(std::make_shared<const RelayConditions>(given)),
        channel(in_effect(given).profile, seed, stream),
        fates(in_effect(given), seed, stream),
        pattern(sink) {}

  std::shared_ptr<const RelayConditions> conditions;
  LiveChannel channel;
  PacketFates fates;
  PatternSink* pattern;
  RelayCounters counters;
  StreamPlace place;
  SequenceCounter sequence;
  SentPayloads sent;
};

struct RelayPath::Change::Parts {
  LiveChannel::Place place;
  std::shared_ptr<const RelayConditions> conditions;
  OctetChannel channel;
  PacketFates::Parts fates;
};
RelayPath::Change::Change(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
RelayPath::Change::~Change() = default;
RelayPath::Change::Change(Change&&) noexcept = default;

RelayPath::RelayPath(const RelayConditions& conditions, std::uint64_t seed, std::uint64_t stream, PatternSink* pattern)
    : state_(std::make_unique<State>(conditions, seed, stream, pattern)) {}
RelayPath::~RelayPath() = default;
RelayPath::RelayPath(RelayPath&&) noexcept = default;

PacketOrder RelayPath::take(std::span<std::uint8_t> packet, std::int64_t now_ns) {
  RelayCounters& counters = state_->counters;
  if (packet.size() > kLongestPacket) {
    ++counters.oversized;
    return {};
  }
  if (is_rtcp(packet)) return take_rtcp(packet, now_ns);
  const RtpParse parse = parse_rtp(packet);
  if (!parse) {
    ++counters.malformed;
    return {};
  }
  const RtpHeader& header = parse.header;
  const bool is_g711 = header.payload_type == kPayloadPcmu || header.payload_type == kPayloadPcma;
  ++counters.packets;
  ++(is_g711 ? counters.g711_packets : counters.other_packets);
  counters.octets += header.payload_size;
  counters.missing = state_->sequence.count(header);

  const auto payload = packet.subspan(header.payload_begin, header.payload_size);
  const bool is_repeat = is_g711 && state_->sent.repeat(header, payload);
  if (is_repeat) ++counters.repeated;
  const Fate fate = state_->fates.next(now_ns, is_g711 ? header.payload_size : 0);
  if (fate.reordered) ++counters.reordered;
  if (fate.copies == 0) ++counters.lost;
  if (fate.queue_full) ++counters.lost_in_queue;
  const auto video = state_->fates.video();
  counters.video_sent = video.sent;
  counters.video_lost = video.lost;
  if (fate.copies == 2) ++counters.duplicated;
  if (is_g711 && !is_repeat) {
    const StreamPlace::Found found = state_->place.find(header, now_ns);
    if (found.begins && state_->pattern != nullptr) {
      state_->pattern->stream_begins(found.octet, header.ssrc, header.timestamp);
    }
    const bool heard = fate.copies > 0;
    if (heard || state_->channel.latency() > 0) {
      const G711Law law = header.payload_type == kPayloadPcmu ? G711Law::mu : G711Law::a;
      const auto inverted = state_->channel.process(payload, law, heard);
      counters.errors = state_->channel.counters();
      counters.events = state_->channel.events();
      state_->sent.keep(header, payload);
      if (heard && state_->pattern != nullptr) state_->pattern->passed(found.octet, inverted);
    }
    if (!heard && state_->pattern != nullptr) state_->pattern->lost(found.octet, header.payload_size);
  }
  return {fate.due_ns, fate.copies};
}

PacketOrder RelayPath::take_rtcp(std::span<const std::uint8_t> packet, std::int64_t now_ns) {
  RelayCounters& counters = state_->counters;
  if (packet.size() > kLongestPacket) {
    ++counters.oversized;
    return {};
  }
  if (!is_rtcp(packet)) {
    ++counters.malformed;
    return {};
  }
  ++counters.rtcp_packets;
  return {state_->fates.delayed(now_ns), 1, true};
}

RelayPath::ChangePlace RelayPath::next_change() const {
  const LiveChannel::Place place = state_->channel.next();
  return {place.seed, place.stream, place.change};
}

RelayPath::Change RelayPath::made(const RelayConditions& conditions, const ChangePlace& place) {
  const LiveChannel::Place at{place.seed, place.stream, place.number};
  const RelayConditions done = in_effect(conditions);
  return Change(
      std::make_unique<Change::Parts>(Change::Parts{at, std::make_shared<const RelayConditions>(conditions),
                                                    LiveChannel::made(done.profile, at), PacketFates::parts_of(done)}));
}

bool RelayPath::change(Change& change) {
  Change::Parts& parts = *change.parts_;
  if (parts.place != state_->channel.next()) return false;
  std::swap(state_->conditions, parts.conditions);
  parts.channel = state_->channel.change(std::move(parts.channel));
  parts.fates = state_->fates.change(std::move(parts.fates));
  return true;
}

void RelayPath::change(const RelayConditions& conditions) {
  Change made_now = made(conditions, next_change());
  change(made_now);
}

void RelayPath::inject(std::uint32_t bits) {
  state_->channel.inject(bits);
}

const RelayConditions& RelayPath::conditions() const {
  return *state_->conditions;
}

std::shared_ptr<const RelayConditions> RelayPath::shared_conditions() const {
  return state_->conditions;
}

const RelayCounters& RelayPath::counters() const {
  return state_->counters;
}

RelayCounters& RelayPath::counters() {
  return state_->counters;
}

}  // namespace vqas
