#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "vqas/channel/error_counters.h"
#include "vqas/channel/error_pattern.h"
#include "vqas/channel/profile.h"

namespace vqas {

/// State of a call.
enum class CallState : std::uint8_t {
  up,
  released,  ///< released by the network: ones only
  restored,  ///< re-established, at the release's own low error ratio, until the line's errors have calmed down
};

/// The digital part of a profile: its effects on octets at 64 kb/s. In this order: bit errors and the network's
/// release, interruptions, slips and steps of the delay. Counts time in octets, 8000 a second. The result depends only
/// on profile, seed and stream, not on block sizes. process() does not allocate and is real-time safe; for one thread,
/// except where stated otherwise.
class OctetChannel {
 public:
  /// `profile` must have passed validate().
  OctetChannel(const Profile& profile, std::uint64_t seed, std::uint64_t stream = 0);
  /// With bit errors other than those of the profile, whose legs are not used.
  OctetChannel(const Profile& profile, std::unique_ptr<ErrorProcess> errors, std::uint64_t seed, std::uint64_t stream);
  ~OctetChannel();
  OctetChannel(OctetChannel&&) noexcept;
  OctetChannel& operator=(OctetChannel&&) noexcept;

  /// In place: as many octets out as in.
  void process(std::span<std::uint8_t> octets);
  /// Octets by which the stream is delayed from the start, so that slips can skip some; idle until then.
  std::uint64_t latency() const;

  /// Sets a law other than the profile's for the code of silence. Before the first octet; real-time safe.
  void set_law(G711Law law);

  /// Bits and errors that are heard, in the order of the incoming octets. The effect of an interruption, a release or a
  /// slip is not a bit error. Octets that an interruption or a release overwrites count only as time, neither as bits
  /// nor with their errors. An octet that a slip repeats or skips counts once.
  const ErrorCounters& counters() const;
  /// Inverts the next bits that are heard, in addition to the errors of the profile. From any thread.
  void inject(std::uint32_t bits = 1);
  /// Appends each wrong bit that counters() count to `pattern` from here on, at its place among all incoming octets,
  /// like BitErrorStream::record_to().
  void record_to(ErrorPattern* pattern);

  CallState call() const;
  std::uint64_t releases() const;            ///< how often the network released the call
  std::uint64_t interrupted_octets() const;  ///< overwritten by interruptions or while released
  std::uint64_t slips() const;
  std::int64_t slipped_octets() const;  ///< current delay of the stream against its start, < 0: earlier

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
