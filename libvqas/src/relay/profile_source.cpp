#include <fmt/format.h>

#include <algorithm>

#include "vqas/channel/profile_library.h"
#include "vqas/relay/conditions.h"

namespace vqas {

ProfileSource ProfileSource::of_command_line() {
  ProfileSource source;
  source.files_ = true;
  return source;
}

Result<Profile> ProfileSource::named(const std::string& name) const {
  if (files_) return find_profile(name);
  std::string known;
  for (const auto* const profiles : {&loaded_, &built_in_profiles()}) {
    const auto found = std::ranges::find(*profiles, name, &Profile::name);
    if (found != profiles->end()) return *found;
    for (const Profile& one : *profiles) known += (known.empty() ? "" : ", ") + one.name;
  }
  return Error{ErrorCode::bad_input,
               fmt::format("there is no profile \"{}\" in this relay; start it with --preload FILE, give the profile's "
                           "text as \"toml\", or one of {}",
                           name, known)};
}

Result<Profile> ProfileSource::from_text(const std::string& toml) const {
  return parse_profile(toml, "toml", files_ ? ProfileFiles::read : ProfileFiles::refuse);
}

}  // namespace vqas
