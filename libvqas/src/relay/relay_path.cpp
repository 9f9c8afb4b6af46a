#include "vqas/relay/relay_path.h"

#include "relay/live_channel.h"
#include "relay/packet_fate.h"
#include "relay/pattern_sink.h"
#include "relay/stream_place.h"
#include "vqas/relay/rtp.h"

namespace vqas {

struct RelayPath::State {
  State(const RelayConditions& given, std::uint64_t seed, std::uint64_t stream, PatternSink* sink)
      : conditions(given), channel(given.profile, seed, stream), fates(given, seed, stream), pattern(sink) {}

  RelayConditions conditions;
  LiveChannel channel;
  PacketFates fates;
  PatternSink* pattern;
  RelayCounters counters;
  StreamPlace place;
  SequenceCounter sequence;
};

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

  const Fate fate = state_->fates.next(now_ns, is_g711 ? header.payload_size : 0);
  if (fate.reordered) ++counters.reordered;
  if (fate.copies == 0) ++counters.lost;
  if (fate.queue_full) ++counters.lost_in_queue;
  const auto video = state_->fates.video();
  counters.video_sent = video.sent;
  counters.video_lost = video.lost;
  if (fate.copies == 2) ++counters.duplicated;
  if (is_g711) {
    const StreamPlace::Found found = state_->place.find(header);
    if (found.begins && state_->pattern != nullptr) {
      state_->pattern->stream_begins(found.octet, header.ssrc, header.timestamp);
    }
    if (fate.copies > 0 || state_->channel.holds_back()) {
      const G711Law law = header.payload_type == kPayloadPcmu ? G711Law::mu : G711Law::a;
      const auto inverted = state_->channel.process(packet.subspan(header.payload_begin, header.payload_size), law);
      counters.errors = state_->channel.counters();
      counters.events = state_->channel.events();
      if (fate.copies > 0 && state_->pattern != nullptr) state_->pattern->passed(found.octet, inverted);
    }
    if (fate.copies == 0 && state_->pattern != nullptr) state_->pattern->lost(found.octet, header.payload_size);
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

void RelayPath::change(const RelayConditions& conditions) {
  state_->conditions = conditions;
  state_->channel.change(conditions.profile);
  state_->fates.change(conditions);
}

void RelayPath::inject(std::uint32_t bits) {
  state_->channel.inject(bits);
}

const RelayConditions& RelayPath::conditions() const {
  return state_->conditions;
}

const RelayCounters& RelayPath::counters() const {
  return state_->counters;
}

RelayCounters& RelayPath::counters() {
  return state_->counters;
}

}  // namespace vqas
