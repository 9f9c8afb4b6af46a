#include "vqas/batch/long_explanation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace vqas {
namespace {

constexpr double kColumns = 1000;      // about the pixels of a picture
constexpr double kNarrowestS = 0.016;  // the model's frames
constexpr float kSilenceDb = -90;

// Puts the values of one segment into the columns of its time. Of a column's frames the one furthest from `rest`
// counts, so that nothing short is lost.
void squeeze(const TimeFrequency& from, const SegmentScore& segment, float rest, TimeFrequency& to) {
  constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
  if (to.hz.empty()) to.hz = from.hz;
  if (to.hz.empty()) return;
  const std::size_t width = to.columns();
  const auto column_at = [&](double seconds) { return static_cast<std::size_t>(seconds / to.frame_s); };
  const std::size_t first = column_at(segment.start_s);
  const std::size_t last = column_at(segment.start_s + segment.length_s) + 1;
  if (to.values.size() < last * width) to.values.resize(last * width, kUnknown);
  std::fill(to.values.begin() + static_cast<std::ptrdiff_t>(first * width),
            to.values.begin() + static_cast<std::ptrdiff_t>(last * width), from.frames() > 0 ? rest : kUnknown);
  for (std::size_t frame = 0; frame < from.frames(); ++frame) {
    const std::size_t column = column_at(segment.start_s + static_cast<double>(frame) * from.frame_s);
    if (column >= last) break;
    for (std::size_t k = 0; k < width; ++k) {
      float& cell = to.values[column * width + k];
      const float value = from.values[frame * width + k];
      if (std::abs(value - rest) > std::abs(cell - rest)) cell = value;
    }
  }
}

}  // namespace

LongExplanation::LongExplanation(double seconds) : column_s_(std::max(kNarrowestS, seconds / kColumns)) {
  for (TimeFrequency* map : {&all_.reference, &all_.degraded, &all_.distance}) map->frame_s = column_s_;
}

void LongExplanation::add(const SegmentScore& segment, const Explanation& explanation) {
  squeeze(explanation.reference, segment, kSilenceDb, all_.reference);
  squeeze(explanation.degraded, segment, kSilenceDb, all_.degraded);
  squeeze(explanation.distance, segment, 0, all_.distance);
  Explanation part;
  part.shares = explanation.shares;
  part.matched = explanation.matched;
  part.missing = explanation.missing;
  parts_[segment.start_s] = std::move(part);
}

Explanation LongExplanation::sum(const LongScore& score) const {
  Explanation sum = all_;
  double distances = 0;
  for (const SegmentScore& segment : score.segments) {
    const auto part = parts_.find(segment.start_s);
    if (part == parts_.end()) continue;
    const auto append = [&](std::vector<Segment>& to, const std::vector<Segment>& from) {
      for (const Segment& one : from) to.push_back({segment.start_s + one.start_s, one.length_s});
    };
    append(sum.matched, part->second.matched);
    append(sum.missing, part->second.missing);
    const bool is_explained = !part->second.matched.empty();
    const double distance = is_explained ? segment.score.auditory_distance.value_or(0) : 0;
    distances += distance;
    sum.shares.changed += distance * part->second.shares.changed;
    sum.shares.raised += distance * part->second.shares.raised;
    sum.shares.inserted += distance * part->second.shares.inserted;
  }
  for (double* share : {&sum.shares.changed, &sum.shares.raised, &sum.shares.inserted}) {
    *share = distances > 0 ? *share / distances : 0;
  }
  return sum;
}

}  // namespace vqas
