#include "sampling/mean_allocation.h"

#include <cmath>

namespace vqas {
namespace {

double variance_of_mean(const LeastError& stratum, std::size_t count) {
  const auto n = static_cast<double>(count);
  return stratum.squares / (n - 1) / n;
}

}  // namespace

std::optional<std::size_t> narrowing_most(std::span<const AllocationStratum> strata) {
  std::optional<std::size_t> best;
  double most = -1;
  for (std::size_t i = 0; i < strata.size(); ++i) {
    if (!strata[i].open) continue;
    const auto count = static_cast<double>(strata[i].count);
    const double gain = strata[i].variance / (count * (count + 1));
    if (gain <= most) continue;
    most = gain;
    best = i;
  }
  return best;
}

double allocation_factor(double share, std::size_t count, std::size_t first_count) {
  return count <= first_count ? 1 : std::sqrt(1 + 2 * share / static_cast<double>(count - 1));
}

AllocationError error_of(std::span<const AllocationStratum> strata, std::span<const double> shares,
                         std::size_t first_count) {
  double variance = 0, variance_of_variance = 0;
  for (std::size_t i = 0; i < strata.size(); ++i) {
    const auto count = static_cast<double>(strata[i].count);
    const double factor = allocation_factor(shares[i], strata[i].count, first_count);
    const double part = strata[i].variance * factor * factor / count;
    variance += part;
    variance_of_variance += part * part / (count - 1);
  }
  return {std::sqrt(variance) / static_cast<double>(strata.size()), variance * variance / variance_of_variance};
}

double least_deviation(std::span<const LeastError> strata) {
  double variance = 0;
  for (const LeastError& one : strata) variance += variance_of_mean(one, one.count);
  return std::sqrt(variance) / static_cast<double>(strata.size());
}

bool add_best(std::span<LeastError> strata) {
  LeastError* best = nullptr;
  double most = -1;
  for (LeastError& one : strata) {
    if (!one.open) continue;
    const double gain = variance_of_mean(one, one.count) - variance_of_mean(one, one.count + 1);
    if (gain <= most) continue;
    most = gain;
    best = &one;
  }
  if (best == nullptr) return false;
  ++best->count;
  return true;
}

}  // namespace vqas
