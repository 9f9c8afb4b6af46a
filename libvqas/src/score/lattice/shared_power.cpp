#include "score/lattice/shared_power.h"

#include <algorithm>
#include <array>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"

namespace vqas::scoring {
namespace {

using Products = std::array<float, StepProducts::count>;

SharedPower power_of(const Products& of) {
  return {of[0], of[1], of[2], of[3], of[4], of[5], of[6], of[7], of[8], of[9]};
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

void SharedPower::add(const SharedPower& other) {
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

double SharedPower::explained() const {
  // Least squares by Cholesky, the middle tap first; a tap that adds nothing new is left out.
  constexpr double kNothingNew = 1e-6;
  if (yb <= 0 || bb <= kTiny) return 0;
  double power = yb * yb / bb;
  const double aa_rest = aa - ab * ab / bb;
  if (aa_rest <= kNothingNew * bb) return std::min(power, yy);
  const double ya_rest = ya - ab / bb * yb;
  power += ya_rest * ya_rest / aa_rest;
  const double ac_rest = ac - ab * bc / bb;
  const double cc_rest = cc - bc * bc / bb - ac_rest * ac_rest / aa_rest;
  if (cc_rest <= kNothingNew * bb) return std::min(power, yy);
  const double yc_rest = yc - bc / bb * yb - ac_rest / aa_rest * ya_rest;
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
      for (std::size_t k = 0; k < kLanes; ++k, ++step) {
        std::array<float, StepProducts::count> of{};
        for (std::size_t n = 0; n < of.size(); ++n) of[n] = sums.of[n][k];
        to[step] = power_of(of);
      }
    } else {
      to[step] = power_of(products_of(predicted, received, step * step_size, step_size));
      ++step;
    }
  }
}

}  // namespace vqas::scoring
