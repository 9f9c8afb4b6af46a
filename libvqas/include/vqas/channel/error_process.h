#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "vqas/channel/geometric_gaps.h"

namespace vqas {

/// The next step of an ErrorProcess: a number of good bits, then a bad one or an unknown one.
struct ErrorStep {
  std::uint64_t good = 0;
  bool is_error = false;  ///< whether a bad bit follows the good ones; otherwise the next bit is not known yet
  bool operator==(const ErrorStep&) const = default;
};

/// Decides which bits of a stream are wrong, bit by bit in the order of the line, in steps. One process serves one
/// stream and one thread. next_step() takes bounded time, so the cost depends on the bits requested, however rare the
/// errors are; it does not allocate and is real-time safe.
class ErrorProcess {
 public:
  /// The good bits of a step when no further bit is wrong.
  static constexpr std::uint64_t kNever = GeometricGaps::kNever;

  virtual ~ErrorProcess() = default;
  /// Continues after the bits of the previous step.
  virtual ErrorStep next_step() = 0;

 protected:
  static ErrorStep step_of(std::uint64_t gap) { return {gap, gap != kNever}; }
};

/// Independent errors of a fixed rate: `ber` is 0 or 1e-12..0.5; negative values and NaN count as 0, larger ones as
/// 0.5. `seed` and `stream` choose independent sequences.
class RandomErrors final : public ErrorProcess {
 public:
  RandomErrors(double ber, std::uint64_t seed, std::uint64_t stream = 0) : gaps_(ber, Random(seed, stream)) {}
  ErrorStep next_step() override { return step_of(gaps_.next()); }

 private:
  GeometricGaps gaps_;
};

/// Errors at given places: an error pattern played back, or an exact number of errors.
class ListedErrors final : public ErrorProcess {
 public:
  /// `places` are bit numbers from 0, rising. After `period` bits the list starts again; 0: it is played once. A period
  /// must be larger than the last place.
  explicit ListedErrors(std::vector<std::uint64_t> places, std::uint64_t period = 0);
  ErrorStep next_step() override;

 private:
  std::vector<std::uint64_t> places_;
  std::uint64_t period_;
  std::size_t next_ = 0;
  std::uint64_t reached_ = 0;  // the bit after the last error, within the period
};

/// `errors` different places among the first `bits` bits, all choices equally likely, in rising order: R. W. Floyd's
/// algorithm (J. Bentley, "Programming Pearls", CACM 30, 1987). `errors` <= `bits`; uses memory for each error.
std::vector<std::uint64_t> choose_places(std::uint64_t errors, std::uint64_t bits, std::uint64_t seed,
                                         std::uint64_t stream = 0);

/// Two processes in series, such as the two legs of a satellite hop: a bit that both invert arrives unchanged.
class BothErrors final : public ErrorProcess {
 public:
  BothErrors(std::unique_ptr<ErrorProcess> first, std::unique_ptr<ErrorProcess> second);
  ErrorStep next_step() override;

 private:
  std::unique_ptr<ErrorProcess> first_;
  std::unique_ptr<ErrorProcess> second_;
  ErrorStep to_first_;
  ErrorStep to_second_;
};

}  // namespace vqas
