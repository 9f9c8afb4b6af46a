#include "vqas/channel/error_process.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>
#include <utility>

namespace vqas {
namespace {

// Uniform over 0..count-1, without bias: what would make some values likelier is drawn again.
std::uint64_t draw_below(Random& random, std::uint64_t count) {
  const std::uint64_t surplus = (0 - count) % count;  // 2^64 modulo count
  std::uint64_t drawn = random.next();
  while (drawn < surplus) drawn = random.next();
  return drawn % count;
}

// Gap after `passed` further bits.
std::uint64_t shortened(std::uint64_t gap, std::uint64_t passed) {
  return gap == ErrorProcess::kNever ? gap : gap - passed;
}

}  // namespace

ListedErrors::ListedErrors(std::vector<std::uint64_t> places, std::uint64_t period)
    : places_(std::move(places)), period_(period) {
  assert(std::is_sorted(places_.begin(), places_.end()));
  assert(period == 0 || places_.empty() || places_.back() < period);
}

std::uint64_t ListedErrors::next_gap() {
  std::uint64_t rest = 0;  // of the period that is over
  if (next_ == places_.size()) {
    if (period_ == 0 || places_.empty()) return kNever;
    rest = period_ - reached_;
    next_ = 0;
    reached_ = 0;
  }
  const std::uint64_t gap = rest + places_[next_] - reached_;
  reached_ = places_[next_] + 1;
  ++next_;
  return gap;
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
    : first_(std::move(first)),
      second_(std::move(second)),
      to_first_(first_->next_gap()),
      to_second_(second_->next_gap()) {}

std::uint64_t BothErrors::next_gap() {
  std::uint64_t good = 0;
  while (to_first_ == to_second_ && to_first_ != kNever) {
    good += to_first_ + 1;
    to_first_ = first_->next_gap();
    to_second_ = second_->next_gap();
  }
  const std::uint64_t nearer = std::min(to_first_, to_second_);
  if (nearer == kNever) return kNever;
  if (to_first_ < to_second_) {
    to_second_ = shortened(to_second_, nearer + 1);
    to_first_ = first_->next_gap();
  } else {
    to_first_ = shortened(to_first_, nearer + 1);
    to_second_ = second_->next_gap();
  }
  return good + nearer;
}

}  // namespace vqas
