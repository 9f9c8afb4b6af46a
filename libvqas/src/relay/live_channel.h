#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "vqas/channel/octet_channel.h"
#include "vqas/channel/profile.h"
#include "vqas/relay/counters.h"

namespace vqas {

/// The digital part of one direction (OctetChannel), whose profile may change while it runs; counts continue across
/// changes. For one thread; process() does not allocate.
class LiveChannel {
 public:
  /// Largest number of octets in one call of process().
  static constexpr std::size_t kMostOctets = 2048;

  /// `profile` is valid.
  LiveChannel(const Profile& profile, std::uint64_t seed, std::uint64_t stream);

  /// Where the errors of a profile begin in the random sequence: the n-th change draws from the same seed and the
  /// stream's n-th continuation. A run with the same changes at the same octets is therefore repeatable.
  struct Place {
    std::uint64_t seed = 0, stream = 0, change = 0;
    bool operator==(const Place&) const = default;
  };
  /// Place of the next change.
  Place next() const { return {seed_, stream_, changes_ + 1}; }
  /// Prepares a change. Callable from any thread; it allocates and may take long.
  static OctetChannel made(const Profile& profile, const Place& place);
  /// Applies `made`, which was prepared for next(), from the next octet on; the times of its profile count from there.
  /// Returns the former state, to be freed elsewhere. Real-time safe.
  OctetChannel change(OctetChannel made);
  /// Prepares and applies a change; allocates.
  void change(const Profile& profile) { change(made(profile, next())); }
  void inject(std::uint32_t bits) { current_.inject(bits); }

  /// Works in place; as many octets out as in. Returns the inverted bits of the octets that came in, 1 for an inverted
  /// one; valid until the next call. `law` is the law of the octets, and decides which code stands for silence. Octets
  /// of dropped packets advance time only.
  std::span<const std::uint8_t> process(std::span<std::uint8_t> octets, G711Law law, bool heard = true);

  const ErrorCounters& counters() const { return counters_; }
  LiveEvents events() const;
  /// Octets by which the stream is delayed so that slips can leave some out. If there are any, octets must be put in
  /// even when none go out, or the delayed ones would jump in time.
  std::uint64_t latency() const { return current_.latency(); }

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t changes_ = 0;
  std::optional<G711Law> law_;  // law of the last octets
  OctetChannel current_;
  LiveEvents before_;  // events of earlier profiles
  ErrorCounters counters_;
  ErrorPattern wrong_;  // pattern of one block
  std::array<std::uint8_t, kMostOctets> inverted_{};
};

}  // namespace vqas
