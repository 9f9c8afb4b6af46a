#pragma once

#include <bitset>
#include <cstdint>

#include "relay/rtp.h"

namespace vqas {

/// Where the packets of a G.711 stream belong in it, by their timestamps: RFC 3551 gives them one tick an octet.
/// Streams that follow one another are laid end to end: those of another source, behind a jump of more than kLongestGap
/// either way, or behind timestamps that ran ahead of the clock.
class StreamPlace {
 public:
  /// A minute: so far a pause may reach, in octets.
  static constexpr std::int64_t kLongestGap = std::int64_t{60} * 8000;
  /// Ten seconds: the places of all streams go beyond the payload that came and the time that passed, together, by no
  /// more octets than this. Bounds the pattern file against hostile timestamps.
  static constexpr std::uint64_t kMostAhead = std::uint64_t{10} * 8000;

  struct Found {
    std::uint64_t octet = 0;  ///< of the packet's first octet, from the first packet's
    bool begins = false;      ///< it is the first of a stream
  };
  /// `now_ns` does not fall.
  Found find(const RtpHeader& header, std::int64_t now_ns);

 private:
  bool any_ = false;
  std::uint32_t ssrc_ = 0;
  std::uint32_t newest_timestamp_ = 0;  // of the packet that lies farthest
  std::uint64_t newest_ = 0;            // its place
  std::uint64_t begin_ = 0;             // of this stream
  std::uint64_t end_ = 0;               // of all so far
  std::int64_t first_ns_ = 0;           // when the first packet came
  std::uint64_t payload_ = 0;           // octets that came
};

/// How many sequence numbers did not come: RFC 3550, appendix A.3, but a number that comes again stands for no other
/// one, nor does one from before the first.
class SequenceCounter {
 public:
  /// With this packet counted; over all streams.
  std::uint64_t count(const RtpHeader& header);

 private:
  // A step beyond this, either way, is a new start of the sender: RFC 3550, appendix A.1 (MAX_DROPOUT).
  static constexpr int kLongestStep = 3000;
  // More than the longest step, and a power of two, so that numbers that wrap keep their places.
  static constexpr std::size_t kRemembered = 4096;

  bool any_ = false;
  std::uint32_t ssrc_ = 0;
  std::uint16_t newest_ = 0;
  std::uint64_t missing_before_ = 0;  // in streams that ended
  std::uint64_t expected_ = 0;        // from the first to the newest
  std::uint64_t received_ = 0;        // of these
  std::bitset<kRemembered> came_;     // of the last numbers
};

}  // namespace vqas
