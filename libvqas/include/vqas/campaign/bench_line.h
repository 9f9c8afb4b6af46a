#pragma once

#include <cstdint>
#include <string>

#include "vqas/line/simulator.h"
#include "vqas/signal/result.h"

namespace vqas {

/// A receiver on a simulated line waits for its first mark at least that much longer than the line takes, in s.
inline constexpr double kBenchPatience_s = 10;

/// A simulated line with equal directions, whose clocks differ as much as those of two sound cards.
struct BenchLine {
  LineConditions conditions;
  std::string profile;                ///< name or file; empty: the conditions above
  LineCodec codec = LineCodec::g711;  ///< g722 and l16 have no band limit, whatever the conditions say
  double clock_a_ppm = 20, clock_b_ppm = -30;
};

/// Fails with bad_input, naming the value.
Result<SimulatedLine> simulated_line(const BenchLine& line, std::uint64_t seed);

}  // namespace vqas
