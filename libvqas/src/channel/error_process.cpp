#include "vqas/channel/error_process.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>
#include <utility>

namespace vqas {
namespace {

// Uniform over 0..count-1, without bias: values from the incomplete last cycle are drawn again.
std::uint64_t draw_below(Random& random, std::uint64_t count) {
  const std::uint64_t surplus = (0 - count) % count;  // 2^64 modulo count
  std::uint64_t drawn = random.next();
  while (drawn < surplus) drawn = random.next();
  return drawn % count;
}

// The rest of a step after `passed` further bits.
ErrorStep shortened(const ErrorStep& step, std::uint64_t passed) {
  return {step.good == ErrorProcess::kNever ? step.good : step.good - passed, step.is_error};
}

}  // namespace

ListedErrors::ListedErrors(std::vector<std::uint64_t> places, std::uint64_t period)
    : places_(std::move(places)), period_(period) {
  assert(std::is_sorted(places_.begin(), places_.end()));
  assert(period == 0 || places_.empty() || places_.back() < period);
}

ErrorStep ListedErrors::next_step() {
  std::uint64_t rest = 0;  // of the period that has ended
  if (next_ == places_.size()) {
    if (period_ == 0 || places_.empty()) return step_of(kNever);
    rest = period_ - reached_;
    next_ = 0;
    reached_ = 0;
  }
  const std::uint64_t gap = rest + places_[next_] - reached_;
  reached_ = places_[next_] + 1;
  ++next_;
  return step_of(gap);
}

std::vector<std::uint64_t> choose_places(std::uint64_t errors, std::uint64_t bits, std::uint64_t seed,
                                         std::uint64_t stream) {
  assert(errors <= bits);
  Random random(seed, stream);
  std::unordered_set<std::uint64_t> chosen;
  chosen.reserve(errors);
  for (std::uint64_t last = bits - errors; last < bits; ++last) {
    const std::uint64_t place = draw_below(random, last + 1);
    if (!chosen.insert(place).second) chosen.insert(last);
  }
  std::vector<std::uint64_t> places(chosen.begin(), chosen.end());
  std::sort(places.begin(), places.end());
  return places;
}

BothErrors::BothErrors(std::unique_ptr<ErrorProcess> first, std::unique_ptr<ErrorProcess> second)
    : first_(std::move(first)), second_(std::move(second)) {}

ErrorStep BothErrors::next_step() {
  const std::uint64_t good = std::min(to_first_.good, to_second_.good);
  if (good == kNever) return step_of(kNever);
  to_first_ = shortened(to_first_, good);
  to_second_ = shortened(to_second_, good);
  const bool first_unknown = to_first_ == ErrorStep{};
  const bool second_unknown = to_second_ == ErrorStep{};
  if (first_unknown) to_first_ = first_->next_step();
  if (second_unknown) to_second_ = second_->next_step();
  if (first_unknown || second_unknown) return {good, false};
  // At least one of the two has an error here.
  const bool first_wrong = to_first_.good == 0;
  const bool second_wrong = to_second_.good == 0;
  to_first_ = first_wrong ? ErrorStep{} : shortened(to_first_, 1);
  to_second_ = second_wrong ? ErrorStep{} : shortened(to_second_, 1);
  if (first_wrong && second_wrong) return {good + 1, false};
  return {good, true};
}

}  // namespace vqas
