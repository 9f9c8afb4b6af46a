#pragma once

#include <cstdint>

#include "vqas/channel/error_counters.h"
#include "vqas/channel/octet_channel.h"

namespace vqas {

/// Events in a profile's digital part, besides bit errors.
struct LiveEvents {
  CallState call = CallState::up;        ///< now
  std::uint64_t releases = 0;            ///< how often the network released the call
  std::uint64_t interrupted_octets = 0;  ///< overwritten by interruptions or while released
  std::uint64_t slips = 0;
  std::int64_t slipped_octets = 0;  ///< added delay since the profile began; < 0: less delay
};

/// Traffic in one direction of a call since it began. Packets are counted as they arrive from the sending side.
struct RelayCounters {
  std::uint64_t packets = 0;        ///< RTP packets taken
  std::uint64_t g711_packets = 0;   ///< of these, PCMU or PCMA: bit errors are put into their payload
  std::uint64_t other_packets = 0;  ///< of these, any other payload: forwarded unchanged
  std::uint64_t octets = 0;         ///< of payload, all RTP packets
  std::uint64_t rtcp_packets = 0;   ///< forwarded unchanged

  std::uint64_t missing = 0;        ///< sequence numbers that never arrived: lost before the relay
  std::uint64_t lost = 0;           ///< packets dropped as configured
  std::uint64_t lost_in_queue = 0;  ///< of these, packets without room in the bottleneck
  std::uint64_t reordered = 0;      ///< delayed while later packets passed
  std::uint64_t duplicated = 0;     ///< sent twice
  std::uint64_t repeated = 0;       ///< arrived again: sent again unchanged

  std::uint64_t sent = 0;        ///< RTP packets sent by the relay, including copies
  std::uint64_t late = 0;        ///< of these, packets sent more than 2 ms after they were due
  std::int64_t latest_ns = 0;    ///< longest time between due and sent
  std::uint64_t unsendable = 0;  ///< refused by the system, or sent nowhere because the peer is unknown
  std::uint64_t no_room = 0;     ///< dropped because too many packets were waiting

  // Hostile or foreign packets, counted and dropped.
  std::uint64_t malformed = 0;  ///< too short, wrong version, wrong padding
  std::uint64_t oversized = 0;  ///< longer than 2048 octets
  std::uint64_t strangers = 0;  ///< from an address other than the peer's

  /// Bits of G.711 payload that were forwarded and not overwritten, with their inserted errors. A packet that arrived
  /// or was sent twice counts once.
  ErrorCounters errors;
  LiveEvents events;

  // The other flow through the bottleneck.
  std::uint64_t video_sent = 0;  ///< packets of the wanted video that left the bottleneck
  std::uint64_t video_lost = 0;
};

/// Beyond this a packet counts as late, in ns.
inline constexpr std::int64_t kLateNs = 2'000'000;

}  // namespace vqas
