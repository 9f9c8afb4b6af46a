#include "score/lattice/shared_power.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "score/dsp/dispatch.h"
#include "score/dsp/kernels.h"

namespace vqas::scoring {
namespace {

using Products = std::array<float, 10>;

SharedPower power_of(const Products& of) {
  return {of[0], of[1], of[2], of[3], of[4], of[5], of[6], of[7], of[8], of[9]};
}

/// `b` is the first sample of the step. The sums that are missing are others, moved by a sample.
SharedPower power_of(const float (&sums)[8], const float* b, int length) {
  using Sum = StepProducts::Sum;
  const double before = b[-1];
  const double first = b[0];
  const double last = b[length - 1];
  const double behind = b[length];
  SharedPower power;
  power.bb = sums[Sum::bb];
  power.ab = sums[Sum::ab];
  power.ac = sums[Sum::ac];
  power.ya = sums[Sum::ya];
  power.yb = sums[Sum::yb];
  power.yc = sums[Sum::yc];
  power.yy = sums[Sum::yy];
  power.aa = std::max(0.0, power.bb + before * before - last * last);
  power.cc = std::max(0.0, power.bb + behind * behind - first * first);
  power.bc = power.ab + last * behind - before * first;
  return power;
}

Products products_of(std::span<const float> predicted, std::span<const float> received, std::size_t from,
                     std::size_t count) {
  Products sums{};
  const std::size_t end = std::min(from + count, predicted.size() - 1);
  for (std::size_t n = std::max<std::size_t>(1, from); n < end; ++n) {
    const float a = predicted[n - 1];
    const float b = predicted[n];
    const float c = predicted[n + 1];
    const float y = received[n];
    const Products products{a * a, a * b, a * c, b * b, b * c, c * c, y * a, y * b, y * c, y * y};
    for (std::size_t k = 0; k < products.size(); ++k) sums[k] += products[k];
  }
  return sums;
}

/// Of kLanes steps, side by side.
struct Rows {
  double aa[kLanes] = {}, ab[kLanes] = {}, ac[kLanes] = {}, bb[kLanes] = {}, bc[kLanes] = {}, cc[kLanes] = {};
  double ya[kLanes] = {}, yb[kLanes] = {}, yc[kLanes] = {}, yy[kLanes] = {};

  __attribute__((always_inline)) void put(const SharedPower& one, std::size_t k) {
    aa[k] = one.aa;
    ab[k] = one.ab;
    ac[k] = one.ac;
    bb[k] = one.bb;
    bc[k] = one.bc;
    cc[k] = one.cc;
    ya[k] = one.ya;
    yb[k] = one.yb;
    yc[k] = one.yc;
    yy[k] = one.yy;
  }
  __attribute__((always_inline)) SharedPower at(std::size_t k) const {
    return {aa[k], ab[k], ac[k], bb[k], bc[k], cc[k], ya[k], yb[k], yc[k], yy[k]};
  }
};

}  // namespace

VQAS_DISPATCHED
void explained_powers(std::span<const SharedPower> of, std::span<double> to) {
  Rows rows;
  double explained[kLanes];
  for (std::size_t first = 0; first < of.size(); first += kLanes) {
    const std::size_t count = std::min<std::size_t>(kLanes, of.size() - first);
    for (std::size_t k = 0; k < count; ++k) rows.put(of[first + k], k);
    for (std::size_t k = 0; k < kLanes; ++k) explained[k] = rows.at(k).explained();
    std::copy_n(explained, count, to.data() + first);
  }
}

VQAS_DISPATCHED
void correlate_steps(std::span<const SharedPower> shared, double floor, std::span<double> correlation,
                     std::span<double> norm) {
  Rows steps;
  Rows arounds;
  double best[kLanes];
  double root[kLanes];
  for (std::size_t first = 0; first < shared.size(); first += kLanes) {
    const std::size_t count = std::min<std::size_t>(kLanes, shared.size() - first);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t step = first + k;
      SharedPower around = shared[step];
      if (step > 0) around.add(shared[step - 1]);
      if (step + 1 < shared.size()) around.add(shared[step + 1]);
      steps.put(shared[step], k);
      arounds.put(around, k);
    }
    for (std::size_t k = 0; k < kLanes; ++k) {
      const SharedPower step = steps.at(k);
      const SharedPower around = arounds.at(k);
      const double alone = step.yb / std::sqrt((step.bb + kTiny) * (step.yy + floor));
      const double filtered = std::copysign(std::sqrt(around.explained() / (around.yy + 3 * floor)), around.yb);
      best[k] = alone < filtered ? filtered : alone;
      root[k] = std::sqrt((around.bb + kTiny) * (around.yy + 3 * floor));
    }
    std::copy_n(best, count, correlation.data() + first);
    std::copy_n(root, count, norm.data() + first);
  }
}

VQAS_DISPATCHED
void correlate_around(std::span<const SharedPower> shared, std::span<double> to) {
  constexpr std::size_t kReach = 2;                   // not tuned: steps either side, 20 ms in all
  constexpr std::size_t kSeen = kLanes + 2 * kReach;  // not tuned: steps of a batch and around it
  double bb[kSeen];
  double yb[kSeen];
  double yy[kSeen];
  double correlation[kLanes];
  for (std::size_t first = 0; first < shared.size(); first += kLanes) {
    for (std::size_t k = 0; k < kSeen; ++k) {
      const bool is_there = first + k >= kReach && first + k - kReach < shared.size();
      const SharedPower& one = shared[is_there ? first + k - kReach : first];
      bb[k] = is_there ? one.bb : 0;
      yb[k] = is_there ? one.yb : 0;
      yy[k] = is_there ? one.yy : 0;
    }
    for (std::size_t k = 0; k < kLanes; ++k) {
      double bb_sum = 0;
      double yb_sum = 0;
      double yy_sum = 0;
      for (std::size_t n = k; n <= k + 2 * kReach; ++n) {
        bb_sum += bb[n];
        yb_sum += yb[n];
        yy_sum += yy[n];
      }
      correlation[k] = yb_sum / std::sqrt(bb_sum * yy_sum + kTiny);
    }
    std::copy_n(correlation, std::min<std::size_t>(kLanes, shared.size() - first), to.data() + first);
  }
}

void shared_powers(std::span<const float> predicted, std::span<const float> received, int length,
                   std::span<SharedPower> to) {
  const auto step_size = static_cast<std::size_t>(length);
  for (std::size_t step = 0; step < to.size();) {
    if (step > 0 && step + kLanes <= to.size() && (step + kLanes) * step_size < predicted.size()) {
      StepProducts sums;
      step_products(predicted.data() + step * step_size, received.data() + step * step_size, length, sums);
      for (std::size_t k = 0; k < kLanes; ++k, ++step)
        to[step] = power_of(sums.of[k], predicted.data() + step * step_size, length);
    } else {
      to[step] = power_of(products_of(predicted, received, step * step_size, step_size));
      ++step;
    }
  }
}

}  // namespace vqas::scoring
