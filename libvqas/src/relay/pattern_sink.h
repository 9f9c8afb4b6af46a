#pragma once

#include <cstdint>
#include <span>

namespace vqas {

/// Receives what one direction did to the sender's stream. Octets are counted by the sender's RTP timestamps from the
/// first packet on, so they are positions in what was sent, regardless of loss and reordering. The relay's thread makes
/// all calls; they do not block.
class PatternSink {
 public:
  virtual ~PatternSink() = default;
  /// A stream begins at this octet: the first packet, or another source after it.
  virtual void stream_begins(std::uint64_t at_octet, std::uint32_t ssrc, std::uint32_t timestamp) = 0;
  /// Octets that were forwarded; a bit of `inverted` is 1 where a bit was inverted.
  virtual void passed(std::uint64_t at_octet, std::span<const std::uint8_t> inverted) = 0;
  /// Octets of a packet that the relay dropped.
  virtual void lost(std::uint64_t at_octet, std::uint64_t octets) = 0;
};

}  // namespace vqas
