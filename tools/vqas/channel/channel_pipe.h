#pragma once

#include <cstdint>
#include <string>

#include "vqas/channel/profile.h"

namespace vqas::cli {

struct PipeOptions {
  std::string in, out;  ///< files of raw octets, or "-" for standard input and output
  std::string record;   ///< file for the error pattern; empty: none
  std::uint64_t seed = 1;
  bool json = false;
};

/// Sends raw G.711 octets through the digital part of a profile as they arrive, until the input ends. Prints figures to
/// standard error. Returns the exit code.
int carry_octets(const PipeOptions& options, const Profile& profile);

}  // namespace vqas::cli
