#pragma once

#include <optional>
#include <string>

#include "vqas/channel/profile.h"

namespace vqas {

/// The first value of a profile that is out of range.
struct ProfileFault {
  std::string key;      ///< its key in TOML: "errors[1].ber"
  std::string message;  ///< what is wrong and the remedy
};

std::optional<ProfileFault> find_fault(const Profile& profile);

}  // namespace vqas
