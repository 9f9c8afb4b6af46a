#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "vqas/channel/error_counters.h"
#include "vqas/channel/error_pattern.h"
#include "vqas/channel/profile.h"

namespace vqas {

/// Whether a call stands.
enum class CallState : std::uint8_t {
  up,
  released,  ///< the network gave it up: ones only
  restored,  ///< made again, at the release's own low error ratio, until the line's errors have calmed down
};

/// The digital part of a profile: what happens to octets at 64 kb/s. In this order: bit errors and the network's
/// release, interruptions, slips and steps of the delay. Counts time by octets, 8000 a second. What comes out depends
/// on profile, seed and stream alone, never on how the octets were cut into blocks. process() does not allocate and is
/// real-time safe; for one thread, save where it is said otherwise.
class OctetChannel {
 public:
  /// `profile` has passed validate().
  OctetChannel(const Profile& profile, std::uint64_t seed, std::uint64_t stream = 0);
  /// With other bit errors than those of the profile, whose legs are not used.
  OctetChannel(const Profile& profile, std::unique_ptr<ErrorProcess> errors, std::uint64_t seed, std::uint64_t stream);
  ~OctetChannel();
  OctetChannel(OctetChannel&&) noexcept;
  OctetChannel& operator=(OctetChannel&&) noexcept;

  /// In place: as many octets out as in.
  void process(std::span<std::uint8_t> octets);
  /// Octets by which the stream is held back from the beginning, so that slips can leave some out; idle until then.
  std::uint64_t latency() const;

  /// Another law than the profile's decides which code stands for silence. Before the first octet; real-time safe.
  void set_law(G711Law law);

  /// Bits and errors that are heard, in the order in which octets came in. What an interruption, a release or a slip
  /// does is no bit error; octets that an interruption or a release overwrites count in time alone, neither as bits nor
  /// with the errors that they had. An octet that a slip repeats or leaves out counts once.
  const ErrorCounters& counters() const;
  /// The next bits that are heard arrive wrong, besides those of the profile. From any thread.
  void inject(std::uint32_t bits = 1);
  /// Adds each wrong bit that counters() count to `pattern` from here on, at its place among all octets that came in,
  /// as BitErrorStream::record_to() does.
  void record_to(ErrorPattern* pattern);

  CallState call() const;
  std::uint64_t releases() const;            ///< how often the network gave the call up
  std::uint64_t interrupted_octets() const;  ///< overwritten by interruptions or while released
  std::uint64_t slips() const;
  std::int64_t slipped_octets() const;  ///< how much later the stream is now than at its beginning, < 0: earlier

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
