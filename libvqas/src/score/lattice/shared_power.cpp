#include "score/lattice/shared_power.h"

#include <algorithm>

namespace vqas::scoring {
namespace {

constexpr double kTiny = 1e-20;  // against a division by zero

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

SharedPower shared_power(std::span<const float> predicted, std::span<const float> received, std::size_t from,
                         std::size_t count) {
  float aa = 0, ab = 0, ac = 0, bb = 0, bc = 0, cc = 0, ya = 0, yb = 0, yc = 0, yy = 0;
  const std::size_t end = std::min(from + count, predicted.size() - 1);
  for (std::size_t n = std::max<std::size_t>(1, from); n < end; ++n) {
    const float a = predicted[n - 1];
    const float b = predicted[n];
    const float c = predicted[n + 1];
    const float y = received[n];
    aa += a * a;
    ab += a * b;
    ac += a * c;
    bb += b * b;
    bc += b * c;
    cc += c * c;
    ya += y * a;
    yb += y * b;
    yc += y * c;
    yy += y * y;
  }
  return {aa, ab, ac, bb, bc, cc, ya, yb, yc, yy};
}

}  // namespace vqas::scoring
