#pragma once

#include <string>
#include <utility>
#include <vector>

#include "vqas/channel/profile.h"
#include "vqas/channel/profile_text.h"
#include "vqas/signal/result.h"

namespace vqas {

/// What the relay does to one direction of a call: the parts of a profile that apply to octets and packets in transit.
/// From the digital part: bit errors and their mask, the network's release, interruptions and slips. From the packets:
/// loss, jitter, order, copies and the bottleneck. Times count in octets from the direction's first octet of G.711, or
/// from the last change while running.
struct RelayConditions {
  Profile profile = plain_profile();
  /// For every packet, 0..10000, and at least held_back_ms(). Replaces `profile.line.delay_s`, which is mouth-to-ear
  /// and includes the delay of the endpoints.
  double delay_ms = 0;
  /// While set, none of the above is applied, not even the delay; packets are still counted.
  bool bypass = false;
  /// Returns RTP, with all conditions applied, to its sender instead of the other side. RTCP is forwarded as usual.
  bool loopback = false;
  bool operator==(const RelayConditions&) const = default;
};

/// A profile with its whole delay assigned to the relay.
RelayConditions relay_conditions(const Profile& profile);

/// The conditions in effect: in bypass none but the law, in which sound is coded even then.
RelayConditions in_effect(const RelayConditions& conditions);

/// Part of the delay, in ms, that a profile's slips need so that octets can be left out.
double held_back_ms(const Profile& profile);

/// What a relay passes on.
enum class Relayed {
  packets,  ///< of G.711: coded by the phones
  sound     ///< between sound devices: coded here
};
/// The parts of a profile that a relay ignores although they differ from plain_profile(): "band" and "analogue" as in
/// the profile's TOML, as are "gain_ripple_db" and "fresh_phase"; "gain" for `gain_db`, "noise" for
/// `circuit_noise_dbm0p`, "clocks" for `sender_clock_ppm` and `receiver_clock_ppm`. Of packets also "law": that of each
/// packet applies; of sound also "packets".
std::vector<std::string> left_out(const Profile& profile, Relayed relayed);

/// The profiles that changed conditions may name. A command line belongs to its user; a socket is open to every program
/// on the machine and must not be a way to read files or learn their content.
class ProfileSource {
 public:
  /// The `loaded` profiles, which come first, and the built-in ones, by name. No name opens a file, and a profile given
  /// as text cannot name one.
  explicit ProfileSource(std::vector<Profile> loaded = {}) : loaded_(std::move(loaded)) {}
  /// Any profile that find_profile() finds, including files.
  static ProfileSource of_command_line();

  Result<Profile> named(const std::string& name) const;      ///< fails with bad_input; lists the known names
  Result<Profile> from_text(const std::string& toml) const;  ///< fails with bad_input

 private:
  std::vector<Profile> loaded_;
  bool files_ = false;
};

/// `conditions` changed as the JSON object `json` says, see relay.md; the result is valid. Fails with bad_input and the
/// member's name.
Result<RelayConditions> with_changes(const RelayConditions& conditions, const std::string& json,
                                     const ProfileSource& profiles = ProfileSource());

/// Fails with bad_input and the name of the value that is out of range.
Status validate(const RelayConditions& conditions);

}  // namespace vqas
