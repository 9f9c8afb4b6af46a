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
/// For one thread; process() does not allocate.
class LiveChannel {
 public:
  /// Most octets that process() takes at once.
  static constexpr std::size_t kMostOctets = 2048;

  /// `profile` is valid.
  LiveChannel(const Profile& profile, std::uint64_t seed, std::uint64_t stream);

  /// Where the errors of a profile begin in the randomness: the n-th change draws from the same seed and the stream's
  /// n-th continuation, so that a run with the same changes at the same octets repeats.
  struct Place {
    std::uint64_t seed = 0, stream = 0, change = 0;
    bool operator==(const Place&) const = default;
  };
  /// Of the next change.
  Place next() const { return {seed_, stream_, changes_ + 1}; }
  /// What that change puts in: made in any thread, because it allocates and may take long.
  static OctetChannel made(const Profile& profile, const Place& place);
  /// From the next octet on `made`, made for next(), which is where the times of its profile count from. Gives what was
  /// there before, so that somebody else may free it. Real-time safe.
  OctetChannel change(OctetChannel made);
  /// Both at once; allocates.
  void change(const Profile& profile) { change(made(profile, next())); }
  void inject(std::uint32_t bits) { current_.inject(bits); }

  /// In place; as many octets out as in. Gives the bits that were inverted among those that came in, 1 for an inverted
  /// one; valid until the next call. `law` is that of the octets: the first ones decide which code stands for silence.
  /// Octets that nobody hears, because their packet is dropped, count in time alone.
  std::span<const std::uint8_t> process(std::span<std::uint8_t> octets, G711Law law, bool heard = true);

  const ErrorCounters& counters() const { return counters_; }
  LiveEvents events() const;
  /// Octets by which the stream is held back so that slips can leave some out. Where there are any, octets must come in
  /// even where nothing goes out: what is held back would else jump.
  std::uint64_t latency() const { return current_.latency(); }

 private:
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
