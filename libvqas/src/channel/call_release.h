#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "vqas/channel/bit_error_stream.h"
#include "vqas/channel/octet_channel.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// Bit errors on a network that monitors them: each second's error ratio decides whether the call stands (LinkRelease).
/// No allocation in process(); for one thread.
class CallRelease {
 public:
  /// The errors of the restored call use the randomness of (seed, stream).
  CallRelease(const std::optional<LinkRelease>& rule, std::uint64_t seed, std::uint64_t stream);

  /// Octets until the state may change next; a block must not reach beyond it.
  std::uint64_t octets_left() const { return rule_ ? kLineRateHz - in_second_ : ~std::uint64_t{0}; }
  /// Applies the errors that are due to the octets if these are heard; overwrites them with ones while the call is
  /// released.
  void process(std::span<std::uint8_t> octets, BitErrorStream& errors, bool heard);

  CallState state() const { return state_; }
  std::uint64_t releases() const { return releases_; }

 private:
  std::uint64_t put_errors(std::span<std::uint8_t> octets, BitErrorStream& errors, bool heard);
  void end_second();

  std::optional<LinkRelease> rule_;
  BitErrorStream restored_;
  CallState state_ = CallState::up;
  std::uint64_t in_second_ = 0;      // octets of the current second
  std::uint64_t second_errors_ = 0;  // of the line itself, heard or not
  int turning_ = 0;                  // seconds in a row towards a change of state
  std::uint64_t releases_ = 0;
};

}  // namespace vqas
