#pragma once

#include <string>
#include <utility>
#include <vector>

#include "vqas/channel/profile.h"
#include "vqas/channel/profile_text.h"
#include "vqas/signal/result.h"

namespace vqas {

/// What the relay does to one direction of a call: the parts of a profile that can be done to octets and packets on
/// their way. That is the digital part (bit errors and their mask, the network's release, interruptions, slips), and of
/// its packets loss, jitter, order, copies and the bottleneck. Times count from the direction's first octet of G.711,
/// by octets; from a change while running they count anew.
struct RelayConditions {
  Profile profile = plain_profile();
  /// Of every packet, 0..10000, and at least held_back_ms(). It stands in place of `profile.line.delay_s`, which counts
  /// from mouth to ear and holds what the endpoints themselves take.
  double delay_ms = 0;
  /// Nothing of the above is done, not even the delay, as long as this is set; what passes is counted all the same.
  bool bypass = false;
  /// RTP goes back to who sent it, with all that is done to it, and not to the other side; RTCP goes on as ever.
  bool loopback = false;
  bool operator==(const RelayConditions&) const = default;
};

/// A profile with its whole delay put into the relay.
RelayConditions relay_conditions(const Profile& profile);

/// What is really done to octets and packets: nothing in bypass.
RelayConditions in_effect(const RelayConditions& conditions);

/// What the slips of a profile hold back so that octets can be left out: part of the delay, not besides it.
double held_back_ms(const Profile& profile);

/// The parts of a profile that the relay leaves out, in the words of the profile's TOML ("band", "gain", …).
std::vector<std::string> left_out(const Profile& profile);

/// Where conditions that are changed take the profiles that they name from. A command line is its user's own; a socket
/// is open to every program of the machine, which must not have files read, or learn of what is in them, by way of it.
class ProfileSource {
 public:
  /// The built-in profiles, and `loaded` ones, which come first, by their names. No name opens a file, and a profile as
  /// text cannot name one.
  explicit ProfileSource(std::vector<Profile> loaded = {}) : loaded_(std::move(loaded)) {}
  /// Any profile that find_profile() finds, files too.
  static ProfileSource of_command_line();

  Result<Profile> named(const std::string& name) const;
  Result<Profile> from_text(const std::string& toml) const;

 private:
  std::vector<Profile> loaded_;
  bool files_ = false;
};

/// `conditions` with what the JSON object `json` names changed, as relay.md tells; valid ones. Fails with bad_input and
/// the member's name.
Result<RelayConditions> with_changes(const RelayConditions& conditions, const std::string& json,
                                     const ProfileSource& profiles = ProfileSource());

/// Fails with bad_input and the name of what is out of its range.
Status validate(const RelayConditions& conditions);

}  // namespace vqas
