#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "vqas/channel/bit_error_stream.h"
#include "vqas/channel/profile.h"

namespace vqas {

/// Bit errors of one direction whose conditions may change while it runs; counts across the changes. For one thread;
/// process() does not allocate.
class LiveErrors {
 public:
  /// Most octets that process() takes at once.
  static constexpr std::size_t kMostOctets = 2048;

  /// `profile` is valid.
  LiveErrors(const Profile& profile, std::uint64_t seed, std::uint64_t stream);

  /// From the next octet on. The n-th change draws from the same seed and the stream's n-th continuation, so that a run
  /// with the same changes at the same octets repeats.
  void change(const Profile& profile);
  void inject(std::uint32_t bits) { current_->inject(bits); }

  /// Inverts what is due and gives what was inverted, 1 for an inverted bit; valid until the next call.
  std::span<const std::uint8_t> process(std::span<std::uint8_t> octets);

  const ErrorCounters& counters() const { return counters_; }

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t changes_ = 0;
  std::unique_ptr<BitErrorStream> current_;
  ErrorCounters counters_;
  std::array<std::uint8_t, kMostOctets> inverted_{};
};

}  // namespace vqas
