#pragma once

#include <optional>
#include <string>

#include "vqas/channel/profile.h"

namespace vqas {

/// The first thing about a profile that is out of range.
struct ProfileFault {
  std::string key;      ///< where it stands in TOML: "errors[1].ber"
  std::string message;  ///< what is wrong and the cure
};

std::optional<ProfileFault> find_fault(const Profile& profile);

}  // namespace vqas
