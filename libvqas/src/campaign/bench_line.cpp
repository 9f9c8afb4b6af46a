#include "vqas/campaign/bench_line.h"

#include "vqas/channel/profile_library.h"

namespace vqas {

Result<SimulatedLine> simulated_line(const BenchLine& bench, std::uint64_t seed) {
  SimulatedLine line;
  if (bench.profile.empty()) {
    LineConditions conditions = bench.conditions;
    conditions.band_limit =
        conditions.band_limit && (bench.codec == LineCodec::g711 || bench.codec == LineCodec::gateway);
    line = symmetric_line(conditions, bench.clock_a_ppm, bench.clock_b_ppm, seed);
  } else {
    const auto profile = find_profile(bench.profile);
    if (!profile) return profile.error();
    line = profiled_line(*profile, bench.clock_a_ppm, bench.clock_b_ppm, seed);
    line.a_to_b.end_silence_s = line.b_to_a.end_silence_s = bench.conditions.end_silence_s;
  }
  line.codec = bench.codec;
  const Status valid = validate(line);
  if (!valid) return valid.error();
  return line;
}

}  // namespace vqas
