#pragma once

#include <map>

#include "vqas/score/segments.h"

namespace vqas {

/// The explanations of all segments as one, as narrow as a picture, so that its size does not grow with the length.
/// Unknown cells are NaN. Each segment's spectrogram is relative to its own strongest cell. Feed it from
/// SegmentEvents::on_explained; for one thread.
class LongExplanation {
 public:
  /// `seconds`: the length of the reference.
  explicit LongExplanation(double seconds);
  /// Adds one segment; replaces earlier values of its time.
  void add(const SegmentScore& segment, const Explanation& explanation);
  Explanation sum(const LongScore& score) const;

 private:
  double column_s_;
  Explanation all_;
  std::map<double, Explanation> parts_;  // by start; without their maps
};

}  // namespace vqas
