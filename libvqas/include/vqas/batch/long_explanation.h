#pragma once

#include <map>

#include "vqas/score/segments.h"

namespace vqas {

/// The explanations of all segments as one, made as narrow as a picture is, so that its size does not grow with the
/// length. Cells that nothing is known of are not numbers. Each segment's spectrogram counts from its own strongest
/// cell. To be fed from SegmentEvents::on_explained; for one thread.
class LongExplanation {
 public:
  /// `seconds`: the length of the reference.
  explicit LongExplanation(double seconds);
  /// One segment; replaces what was known of its time.
  void add(const SegmentScore& segment, const Explanation& explanation);
  Explanation sum(const LongScore& score) const;

 private:
  double column_s_;
  Explanation all_;
  std::map<double, Explanation> parts_;  // by start; without their maps
};

}  // namespace vqas
