#pragma once

#include <cstddef>
#include <span>

namespace vqas::scoring {

/// What a segment of the received speech has in common with the prediction when that may move by a fraction of a
/// sample: sums of products at lags that allow a filter of three taps to be fitted.
struct SharedPower {
  /// Of the prediction one sample earlier (a), at the same place (b) and one later (c) with one another.
  double aa = 0, ab = 0, ac = 0, bb = 0, bc = 0, cc = 0;
  double ya = 0, yb = 0, yc = 0;  ///< of what was received with those
  double yy = 0;

  void add(const SharedPower& other) {
    aa += other.aa;
    ab += other.ab;
    ac += other.ac;
    bb += other.bb;
    bc += other.bc;
    cc += other.cc;
    ya += other.ya;
    yb += other.yb;
    yc += other.yc;
    yy += other.yy;
  }
  /// Power of the received that the best three taps explain; 0..yy.
  double explained() const;
};

/// Of each step of `length` samples, a multiple of kLanes, one value of `to`. The first and
/// the last sample of all have a neighbour only on one side and are left out.
void shared_powers(std::span<const float> predicted, std::span<const float> received, int length,
                   std::span<SharedPower> to);

}  // namespace vqas::scoring
