#pragma once

#include <cstdint>
#include <span>

namespace vqas {

/// Is told what one direction did to the sender's stream. Octets are counted by the sender's RTP timestamps from the
/// first packet on, so they are places in what the sender sent, whatever got lost or came out of order. All calls from
/// the relay's thread; they do not block.
class PatternSink {
 public:
  virtual ~PatternSink() = default;
  /// A stream begins (the first packet, or another source after it) at this octet.
  virtual void stream_begins(std::uint64_t at_octet, std::uint32_t ssrc, std::uint32_t timestamp) = 0;
  /// Octets passed on; a bit of `inverted` is 1 where a bit was inverted.
  virtual void passed(std::uint64_t at_octet, std::span<const std::uint8_t> inverted) = 0;
  /// Octets of a packet that the relay dropped.
  virtual void lost(std::uint64_t at_octet, std::uint64_t octets) = 0;
};

}  // namespace vqas
