#include "import_checks.h"

#include <algorithm>
#include <cmath>

#include "vqas/signal/level.h"
#include "vqas/signal/resample.h"

namespace vqas::import_checks {
namespace {

constexpr double kLoudShare = 0.95;
constexpr double kLoudFrameDb = 20.0;  // frames this far below the loud ones still count as loud

}  // namespace

Result<Signal> above(const Signal& recording, int corner_hz) {
  const auto lower = resample(recording, 2 * corner_hz);
  if (!lower) return lower.error();
  auto back = resample(*lower, recording.rate_hz);
  if (!back) return back.error();
  back->samples.resize(recording.size(), 0.0F);
  for (std::size_t n = 0; n < recording.size(); ++n) back->samples[n] = recording.samples[n] - back->samples[n];
  return back;
}

bool holds_speech(const Signal& upper, const Signal& whole) {
  return rms_dbov(upper.samples) - rms_dbov(whole.samples) >= kLeastUpperBandDb &&
         movement_db(speech_edit::frame_levels_dbov(upper)) >= kLeastUpperMovementDb;
}

double movement_db(const std::vector<double>& levels_dbov) {
  return speech_edit::level_quantile(levels_dbov, kLoudShare) -
         speech_edit::level_quantile(levels_dbov, speech_edit::kFloorShare);
}

double colour_movement_db(const Signal& upper, const Signal& whole) {
  const auto high = speech_edit::frame_levels_dbov(upper);
  const auto all = speech_edit::frame_levels_dbov(whole);
  const double loud = speech_edit::level_quantile(all, kLoudShare) - kLoudFrameDb;
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (std::size_t n = 0; n < std::min(high.size(), all.size()); ++n) {
    if (all[n] < loud) continue;
    const double colour = high[n] - all[n];
    sum += colour;
    squares += colour * colour;
    ++count;
  }
  if (count < 2) return 0;
  return std::sqrt(std::max(0.0, (squares - sum * sum / count) / (count - 1)));
}

}  // namespace vqas::import_checks
