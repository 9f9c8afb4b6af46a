#pragma once

#include <bitset>
#include <cstdint>

#include "relay/rtp.h"

namespace vqas {

/// Positions of the packets of a G.711 stream, by their timestamps: RFC 3551 gives one tick per octet. Streams are laid
/// end to end. A new one begins with another source, a jump of more than kLongestGap either way, or timestamps that run
/// ahead of the clock.
class StreamPlace {
 public:
  /// One minute, in octets: the longest pause that keeps its length.
  static constexpr std::int64_t kLongestGap = std::int64_t{60} * 8000;
  /// Ten seconds: all positions together exceed the sum of payload received and time passed by at most this many
  /// octets. Bounds the pattern file against hostile timestamps.
  static constexpr std::uint64_t kMostAhead = std::uint64_t{10} * 8000;

  struct Found {
    std::uint64_t octet = 0;  ///< position of the packet's first octet, from the first packet
    bool begins = false;      ///< it is the first packet of a stream
  };
  /// `now_ns` never decreases.
  Found find(const RtpHeader& header, std::int64_t now_ns);

 private:
  bool any_ = false;
  std::uint32_t ssrc_ = 0;
  std::uint32_t newest_timestamp_ = 0;  // of the packet with the highest position
  std::uint64_t newest_ = 0;            // its position
  std::uint64_t begin_ = 0;             // of this stream
  std::uint64_t end_ = 0;               // of all so far
  std::int64_t first_ns_ = 0;           // when the first packet came
  std::uint64_t payload_ = 0;           // octets that came
};

/// Number of missing sequence numbers as in RFC 3550, appendix A.3, except that a repeated number does not stand for
/// another one, nor does a number before the first.
class SequenceCounter {
 public:
  /// Counts this packet; the sum over all streams.
  std::uint64_t count(const RtpHeader& header);

 private:
  // A larger step either way means that the sender restarted: RFC 3550, appendix A.1 (MAX_DROPOUT).
  static constexpr int kLongestStep = 3000;
  // More than the longest step, and a power of two, so that wrapping numbers keep their places.
  static constexpr std::size_t kRemembered = 4096;

  bool any_ = false;
  std::uint32_t ssrc_ = 0;
  std::uint16_t newest_ = 0;
  std::uint64_t missing_before_ = 0;  // in ended streams
  std::uint64_t expected_ = 0;        // from the first to the newest
  std::uint64_t received_ = 0;        // received of these
  std::bitset<kRemembered> came_;     // which of the last numbers were received
};

}  // namespace vqas
