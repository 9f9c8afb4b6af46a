#include "terminal/next_line.h"

namespace vqas::cli {
namespace {

constexpr double kFirstBer = 1e-5;
constexpr double kUnusableBer = 1e-2;
constexpr double kInaudibleBer = 1e-8;

}  // namespace

NextLine next_line(double ber) {
  if (ber >= kUnusableBer) return better_line(ber);
  return {ber > 0 ? 10 * ber : kFirstBer, "-worse"};
}

NextLine better_line(double ber) {
  return {ber > kInaudibleBer ? ber / 10 : 0, "-better"};
}

}  // namespace vqas::cli
