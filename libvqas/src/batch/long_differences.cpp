#include "vqas/batch/long_differences.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace vqas {
namespace {

constexpr double kLowerMos = 0.5;  // below the better segments: a difference that a listener notices
constexpr double kStepMs = 10;     // a clock's drift of 100 ppm moves the delay by 2 ms in a segment

}  // namespace

std::vector<const SegmentScore*> differing_segments(const LongScore& score) {
  std::vector<double> all;
  std::map<Impairment, std::size_t> named;
  for (const SegmentScore& segment : score.segments) {
    if (!segment.score.mos_lqo) continue;
    all.push_back(*segment.score.mos_lqo);
    for (const ImpairmentFinding& finding : segment.score.impairments) ++named[finding.impairment];
  }
  // The upper quartile: up to three quarters may be spoilt.
  const auto usual = all.begin() + static_cast<std::ptrdiff_t>(all.size() * 3 / 4);
  std::nth_element(all.begin(), usual, all.end());
  // A property of most segments is not a difference.
  const auto tells = [&](const ImpairmentFinding& finding) {
    const bool is_event = finding.impairment == Impairment::loss || finding.impairment == Impairment::cut ||
                          finding.impairment == Impairment::delay_variation;
    return is_event && 2 * named[finding.impairment] <= all.size();
  };
  std::vector<const SegmentScore*> differing;
  for (const SegmentScore& segment : score.segments) {
    const Score& one = segment.score;
    const bool differs = one.mos_lqo ? *one.mos_lqo < *usual - kLowerMos ||
                                           std::any_of(one.impairments.begin(), one.impairments.end(), tells)
                                     : one.outcome != Outcome::no_speech;
    if (differs) differing.push_back(&segment);
  }
  return differing;
}

std::vector<DelayStep> delay_steps(const Score& score) {
  std::vector<DelayStep> steps;
  const auto& track = score.delay_track;
  for (std::size_t k = 1; k < track.size(); ++k) {
    if (std::abs(track[k].delay_ms - track[k - 1].delay_ms) < kStepMs) continue;
    steps.push_back({track[k].start_s, track[k - 1].delay_ms, track[k].delay_ms});
  }
  return steps;
}

}  // namespace vqas
