#pragma once

#include <cstdint>

#include "vqas/relay/rtp.h"

namespace vqas {

/// Where the packets of a G.711 stream belong in it, by their timestamps: RFC 3551 gives them one tick an octet.
/// Streams that follow one another (another source, or a jump of more than kLongestGap) are laid end to end.
class StreamPlace {
 public:
  /// A minute: so far a pause may reach, in octets. Bounds the pattern file against hostile timestamps.
  static constexpr std::uint64_t kLongestGap = std::uint64_t{60} * 8000;

  struct Found {
    std::uint64_t octet = 0;  ///< of the packet's first octet, from the first packet's
    bool begins = false;      ///< it is the first of a stream
  };
  Found find(const RtpHeader& header);

 private:
  bool any_ = false;
  std::uint32_t ssrc_ = 0;
  std::uint32_t newest_timestamp_ = 0;  // of the packet that lies farthest
  std::uint64_t newest_ = 0;            // its place
  std::uint64_t begin_ = 0;             // of this stream
  std::uint64_t end_ = 0;               // of all so far
};

/// How many sequence numbers did not come: RFC 3550, appendix A.3.
class SequenceCounter {
 public:
  /// With this packet counted; over all streams.
  std::uint64_t count(const RtpHeader& header);

 private:
  bool any_ = false;
  std::uint32_t ssrc_ = 0;
  std::uint16_t newest_ = 0;
  std::uint64_t missing_before_ = 0;  // in streams that ended
  std::uint64_t expected_ = 0;
  std::uint64_t received_ = 0;
};

}  // namespace vqas
