#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "line/rtcp/rtcp_packet.h"
#include "line/rtcp/rtp_reception.h"
#include "vqas/channel/random.h"
#include "vqas/signal/line_statistics.h"

namespace vqas {

/// The RTCP of one end of a call between two: when it reports, what it says, and what the other end says of it. Values
/// in, values out; all times are CLOCK_MONOTONIC in ns. For one thread.
///
/// RFC 3550, 6.2 allows 5 % of the call's bandwidth. Two members that send 50 packets a second stay far below it, so
/// the minimum interval applies: 5 s, times 0.5 to 1.5 at random, the first one half as long. Nothing is reconsidered,
/// and no member times out: the line has rules of its own for a call that is gone.
class RtcpSession {
 public:
  static constexpr std::int64_t kInterval_ns = 5'000'000'000;

  /// `ssrc` and `clock_hz` of the own stream; `seed` of the random intervals.
  RtcpSession(std::uint32_t ssrc, std::uint64_t seed, int clock_hz = 8000)
      : ssrc_(ssrc), clock_hz_(clock_hz), random_(seed) {}

  /// A packet of the own stream, with this timestamp and payload, left now.
  void sent(std::uint32_t timestamp, std::size_t octets);
  /// The report that is due, if one is: empty where none is. `heard`: the other end's stream; `buffer_ms`: of the own
  /// jitter buffer.
  std::vector<std::uint8_t> due(std::int64_t now_ns, const std::optional<RtpReception>& heard, int buffer_ms);
  /// Takes what was read from a datagram of the other end, which arrived at this time. The caller has checked that the
  /// report is of the stream that is heard.
  void take(const RtcpReport& report, std::int64_t came_ns);
  /// What the other end last reported; `reports` counts those since the previous call.
  std::optional<FarReport> far();

 private:
  struct Before {  // in the last report
    std::uint32_t ssrc = 0, expected = 0, received = 0;
  };
  RtcpReportBlock block_on(const RtpReception& heard, std::int64_t now_ns);

  const std::uint32_t ssrc_;
  const int clock_hz_;
  Random random_;
  std::uint32_t timestamp_ = 0, packets_ = 0, octets_ = 0;
  std::optional<std::int64_t> next_ns_;
  Before before_;
  struct SenderReport {
    std::uint32_t ssrc = 0, middle = 0;  // of its NTP time
    std::int64_t came_ns = 0;
  };
  std::optional<SenderReport> last_sr_;
  std::optional<FarReport> far_;
};

}  // namespace vqas
