#pragma once

#include <cstdint>

#include "vqas/channel/error_counters.h"
#include "vqas/channel/octet_channel.h"

namespace vqas {

/// What a profile's digital part did besides bit errors.
struct LiveEvents {
  CallState call = CallState::up;        ///< now
  std::uint64_t releases = 0;            ///< how often the network gave the call up
  std::uint64_t interrupted_octets = 0;  ///< overwritten by interruptions or while released
  std::uint64_t slips = 0;
  std::int64_t slipped_octets = 0;  ///< how much later than at the profile's beginning, < 0: earlier
};

/// What passed one direction of a call since it began. Packets are those that came to the relay from the sending side.
struct RelayCounters {
  std::uint64_t packets = 0;        ///< RTP packets taken
  std::uint64_t g711_packets = 0;   ///< of these, PCMU or PCMA: bit errors go into their payload
  std::uint64_t other_packets = 0;  ///< of these, any other payload: passed on as it came
  std::uint64_t octets = 0;         ///< of payload, all RTP packets
  std::uint64_t rtcp_packets = 0;   ///< passed on as they came

  std::uint64_t missing = 0;        ///< sequence numbers that never came: lost before the relay
  std::uint64_t lost = 0;           ///< packets that the relay dropped as asked
  std::uint64_t lost_in_queue = 0;  ///< of these, those for which the bottleneck had no room
  std::uint64_t reordered = 0;      ///< held back while others passed
  std::uint64_t duplicated = 0;     ///< sent twice
  std::uint64_t repeated = 0;       ///< came although it had come already: leaves as it left before

  std::uint64_t sent = 0;        ///< RTP packets that left the relay, copies counted
  std::uint64_t late = 0;        ///< of these, those that left more than 2 ms after they were due
  std::int64_t latest_ns = 0;    ///< the longest that one left after it was due
  std::uint64_t unsendable = 0;  ///< refused by the system, or nobody known yet to send to
  std::uint64_t no_room = 0;     ///< dropped, because too many others waited for their time

  // Hostile or foreign packets: counted and dropped.
  std::uint64_t malformed = 0;  ///< too short, wrong version, wrong padding
  std::uint64_t oversized = 0;  ///< longer than 2048 octets
  std::uint64_t strangers = 0;  ///< from an address that is not the peer's

  /// Bits of G.711 payload that were passed on and not overwritten, with the errors put into them; a packet that came
  /// or left twice counts once.
  ErrorCounters errors;
  LiveEvents events;

  // The bottleneck's other flow.
  std::uint64_t video_sent = 0;  ///< packets of the wanted video that left the bottleneck
  std::uint64_t video_lost = 0;
};

/// Beyond this a packet counts as late, in ns.
inline constexpr std::int64_t kLateNs = 2'000'000;

}  // namespace vqas
