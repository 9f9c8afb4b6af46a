#pragma once

#include <CLI/App.hpp>
#include <string>

#include "vqas/line/simulator.h"

namespace vqas::cli {

/// Options of a simulated line, the same for every command that makes one.
struct LineOptions {
  LineConditions conditions;
  std::string law = "mu";
  bool no_band_limit = false;
  std::string profile;  ///< name or file; empty: the conditions above
  std::string codec = "g711";
  double clock_a_ppm = 20, clock_b_ppm = -30;
};

/// A satellite call: 64 kb/s mu-law, 250 ms, a little loss, and converters as far apart as two sound cards are.
LineOptions default_line_options();
void add_line_options(CLI::App& command, LineOptions& options);
/// Fails with bad_input, naming the value.
Result<SimulatedLine> simulated_line(const LineOptions& options, std::uint64_t seed);
/// The options that make the same line again, " --ber 1e-05 …".
std::string as_arguments(const LineOptions& options);

}  // namespace vqas::cli
