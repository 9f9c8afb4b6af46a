#include "score/lattice/shared_power.h"

#include <algorithm>
#include <array>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"

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

}  // namespace

double SharedPower::explained() const {
  // Least squares by Cholesky, the middle tap first; a tap that adds nothing new is left out.
  constexpr double kNothingNew = 1e-6;  // not tuned: rounding of single precision
  if (yb <= 0 || bb <= kTiny) return 0;
  // Divisions are the dearest here: one for each tap.
  const double per_bb = 1 / bb;
  double power = yb * yb * per_bb;
  const double ab_share = ab * per_bb;
  const double aa_rest = aa - ab * ab_share;
  if (aa_rest <= kNothingNew * bb) return std::min(power, yy);
  const double per_aa = 1 / aa_rest;
  const double ya_rest = ya - ab_share * yb;
  power += ya_rest * ya_rest * per_aa;
  const double bc_share = bc * per_bb;
  const double ac_rest = ac - ab * bc_share;
  const double ac_share = ac_rest * per_aa;
  const double cc_rest = cc - bc * bc_share - ac_rest * ac_share;
  if (cc_rest <= kNothingNew * bb) return std::min(power, yy);
  const double yc_rest = yc - bc_share * yb - ac_share * ya_rest;
  power += yc_rest * yc_rest / cc_rest;
  return std::min(power, yy);
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
