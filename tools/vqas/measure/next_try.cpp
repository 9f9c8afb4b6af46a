#include "measure/next_try.h"

namespace vqas::cli {
namespace {

constexpr double kFirstBer = 1e-5;
constexpr double kUnusableBer = 1e-2;
constexpr double kInaudibleBer = 1e-8;

}  // namespace

NextTry next_try(double ber) {
  if (ber >= kUnusableBer) return better_try(ber);
  return {ber > 0 ? 10 * ber : kFirstBer, "-worse"};
}

NextTry better_try(double ber) {
  return {ber > kInaudibleBer ? ber / 10 : 0, "-better"};
}

}  // namespace vqas::cli
