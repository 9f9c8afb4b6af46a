#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "vqas/channel/octet_channel.h"
#include "vqas/channel/profile.h"
#include "vqas/relay/counters.h"

namespace vqas {

/// The digital part of one direction (OctetChannel) whose profile may change while it runs; counts across the changes.
/// For one thread; process() does not allocate, but for the first octets when their law is not the profile's.
class LiveChannel {
 public:
  /// Most octets that process() takes at once.
  static constexpr std::size_t kMostOctets = 2048;

  /// `profile` is valid.
  LiveChannel(const Profile& profile, std::uint64_t seed, std::uint64_t stream);

  /// From the next octet on, which is where the times of the profile count from. The n-th change draws from the same
  /// seed and the stream's n-th continuation, so that a run with the same changes at the same octets repeats.
  void change(const Profile& profile);
  void inject(std::uint32_t bits) { current_.inject(bits); }

  /// In place; as many octets out as in. Gives the bits that were inverted among those that came in, 1 for an inverted
  /// one; valid until the next call. `law` is that of the octets: the first ones decide which code stands for silence.
  std::span<const std::uint8_t> process(std::span<std::uint8_t> octets, G711Law law);

  const ErrorCounters& counters() const { return counters_; }
  LiveEvents events() const;
  /// True if octets must come in even where nothing goes out: what is held back for slips would else jump.
  bool holds_back() const { return current_.latency() > 0; }

 private:
  OctetChannel made() const;
  void begin(G711Law law);

  Profile profile_;
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t changes_ = 0;
  std::optional<G711Law> law_;  // of the first octets
  OctetChannel current_;
  LiveEvents before_;  // of the profiles before this one
  ErrorCounters counters_;
  ErrorPattern wrong_;  // of one block
  std::array<std::uint8_t, kMostOctets> inverted_{};
};

}  // namespace vqas
