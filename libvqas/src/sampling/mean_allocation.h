#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace vqas {

/// A stimulus, to whom measurements are to be given.
struct AllocationStratum {
  double variance = 0;  ///< of one measurement
  std::size_t count = 0;
  bool open = true;  ///< may get more
};

/// The open one of which one measurement more narrows the mean most; the first of equals, nothing where none is open.
std::optional<std::size_t> narrowing_most(std::span<const AllocationStratum> strata);

/// By how much a stratum's standard error is to be widened because its own deviation, with `share` (0..1) of the
/// weight, decided how often it was measured: where it came out small by chance the stratum got few measurements, and
/// the sum of the parts is small twice. To the first order the variance is too small by share/(n - 1); twice that is
/// taken, for what the looks add. 1 for no more than the first count, which no deviation decided.
double allocation_factor(double share, std::size_t count, std::size_t first_count);

struct AllocationError {
  double deviation = 0;  ///< of the mean
  double degrees = 0;    ///< of freedom, by Satterthwaite
};
/// Of the mean of strata with such counts, all >= 2; `shares` as in allocation_factor().
AllocationError error_of(std::span<const AllocationStratum> strata, std::span<const double> shares,
                         std::size_t first_count);

/// A stratum whose further scores all lie at its mean.
struct LeastError {
  double squares = 0;  ///< sum of squared differences from the mean
  std::size_t count = 0;
  bool open = true;
};
/// Of the mean of such strata.
double least_deviation(std::span<const LeastError> strata);
/// Gives one measurement to the open stratum where that narrows the mean most; false where none is open.
bool add_best(std::span<LeastError> strata);

}  // namespace vqas
