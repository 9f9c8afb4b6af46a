#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "relay/relay_path.h"
#include "relay/rtp.h"

namespace vqas {

/// Payload of the last packets as sent. A packet that arrives twice is sent both times with the same payload. It uses
/// no further octets of the channel, whose errors would otherwise shift. Allocates only when constructed; for one
/// thread.
class SentPayloads {
 public:
  /// A copy may arrive this many packets later: 0.3 s of 20 ms.
  static constexpr std::size_t kKept = 16;

  SentPayloads() : octets_(std::make_unique_for_overwrite<Octets[]>(kKept)) {}

  /// True if the packet was sent before; its payload is replaced by the payload sent then.
  bool repeat(const RtpHeader& header, std::span<std::uint8_t> payload) const {
    for (std::size_t i = 0; i < count_; ++i) {
      if (!is_same(headers_[i], header)) continue;
      std::copy_n(octets_[i].begin(), payload.size(), payload.begin());
      return true;
    }
    return false;
  }
  void keep(const RtpHeader& header, std::span<const std::uint8_t> payload) {
    headers_[next_] = header;
    std::copy(payload.begin(), payload.end(), octets_[next_].begin());
    count_ = std::max(count_, next_ + 1);
    next_ = (next_ + 1) % kKept;
  }

 private:
  using Octets = std::array<std::uint8_t, RelayPath::kLongestPacket>;
  static bool is_same(const RtpHeader& one, const RtpHeader& other) {
    return one.sequence == other.sequence && one.timestamp == other.timestamp && one.ssrc == other.ssrc &&
           one.payload_type == other.payload_type && one.payload_size == other.payload_size;
  }

  std::array<RtpHeader, kKept> headers_{};
  std::unique_ptr<Octets[]> octets_;  // untouched memory costs nothing while a call is silent
  std::size_t next_ = 0;
  std::size_t count_ = 0;
};

}  // namespace vqas
