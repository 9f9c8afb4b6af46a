#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vqas/channel/profile.h"
#include "vqas/experiment/experiment.h"
#include "vqas/signal/signal.h"

namespace vqas::experiment {

/// Distance of two frames of 20 ms, in dB: root mean square difference of the levels of 16 bands of 250 Hz; levels
/// below -70 dBov count as -70 dBov.
double frame_distance(std::span<const float> a, std::span<const float> b);

/// Time from the end of a burst until the distances are back in `band` and stay there for 100 ms, in seconds; the whole
/// rest if that never happens. `distances` are of 20 ms frames, `end_s` is the end of the burst in them.
double recovery_s(std::span<const double> distances, double end_s, double band);

/// The bursts of the report's tables on continuous speech: for each table and length the slowest recovery. A frame has
/// recovered when its distance from the line without errors is inside the 95 % band of a run without bursts (but with
/// the background), or within 1 dB, because rare errors give this band no width.
/// Fewer points if `cancelled`, asked before each table, returns true.
std::vector<ExperimentPoint> measure_bursts(const Signal& speech, std::uint64_t seed,
                                            const std::function<bool()>& cancelled = {});

/// What is heard of speech over a line, from its start.
using HeardOver = std::function<std::vector<float>(const Profile&, const Signal&)>;
/// The same over any line.
std::vector<ExperimentPoint> measure_bursts(const Signal& speech, const HeardOver& heard_over,
                                            const std::function<bool()>& cancelled = {});

}  // namespace vqas::experiment
