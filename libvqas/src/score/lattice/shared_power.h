#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "score/model/shared_numbers.h"

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
  __attribute__((always_inline)) double explained() const;
};

inline double SharedPower::explained() const {
  // Least squares by Cholesky, the middle tap first; a tap that adds nothing new is left out. Without a branch, so that
  // several are computed side by side. Divisions are the dearest here: one for each tap.
  constexpr double kNothingNew = 1e-6;  // not tuned: rounding of single precision
  const double per_bb = 1 / bb;
  const double by_one = yb * yb * per_bb;
  const double ab_share = ab * per_bb;
  const double aa_rest = aa - ab * ab_share;
  const double per_aa = 1 / aa_rest;
  const double ya_rest = ya - ab_share * yb;
  const double by_two = by_one + ya_rest * ya_rest * per_aa;
  const double bc_share = bc * per_bb;
  const double ac_rest = ac - ab * bc_share;
  const double ac_share = ac_rest * per_aa;
  const double cc_rest = cc - bc * bc_share - ac_rest * ac_share;
  const double yc_rest = yc - bc_share * yb - ac_share * ya_rest;
  const double by_three = by_two + yc_rest * yc_rest / cc_rest;
  const double by_most = cc_rest <= kNothingNew * bb ? by_two : by_three;
  const double power = aa_rest <= kNothingNew * bb ? by_one : by_most;
  const double limited = yy < power ? yy : power;
  return (yb <= 0) | (bb <= kTiny) ? 0 : limited;
}

/// explained() of each.
void explained_powers(std::span<const SharedPower> of, std::span<double> to);

/// Of each step the correlation of what was received with what was predicted: alone, or together with its neighbours
/// and behind the best three taps, whichever is more. `norm` becomes the root of the powers of the three. What is added
/// to the power of a step is `floor`.
void correlate_steps(std::span<const SharedPower> shared, double floor, std::span<double> correlation,
                     std::span<double> norm);

/// Of each step the correlation over it and two steps either side, as far as there are any.
void correlate_around(std::span<const SharedPower> shared, std::span<double> to);

/// Of each step of `length` samples, a multiple of kLanes, one value of `to`. The first and
/// the last sample of all have a neighbour only on one side and are left out.
void shared_powers(std::span<const float> predicted, std::span<const float> received, int length,
                   std::span<SharedPower> to);

}  // namespace vqas::scoring
