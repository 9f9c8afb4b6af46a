#pragma once

#include <cstdint>
#include <string>

#include "vqas/channel/profile.h"

namespace vqas::cli {

struct PipeOptions {
  std::string in, out;  ///< files of raw octets, or "-" for standard input and output
  std::string record;   ///< where to write the error pattern; empty: nowhere
  std::uint64_t seed = 1;
  bool json = false;
};

/// Sends raw G.711 octets through the digital part of a profile, as they come, until the input ends. Figures go to
/// standard error. Gives the exit code.
int carry_octets(const PipeOptions& options, const Profile& profile);

}  // namespace vqas::cli
