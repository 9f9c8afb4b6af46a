#include "vqas/channel/varying_errors.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vqas {
namespace {

// Substreams of Random(seed, stream): 0 is that of the errors.
constexpr std::uint64_t kThinningSubstream = 1;
constexpr std::uint64_t kGoodSubstream = 2;
constexpr std::uint64_t kBadSubstream = 3;
constexpr std::uint64_t kStartSubstream = 4;

bool is_ramp(const ErrorStretch& stretch) {
  return stretch.from_ber > 0 && stretch.to_ber > 0 && stretch.from_ber != stretch.to_ber;
}

}  // namespace

VaryingErrors::VaryingErrors(std::uint64_t seed, std::uint64_t stream)
    : gaps_(0, Random(seed, stream)), thinning_(seed, stream, kThinningSubstream) {}

bool VaryingErrors::begin_stretch() {
  const auto next = over_ ? std::nullopt : next_stretch();
  if (!next || next->bits == 0) {
    over_ = true;
    return false;
  }
  stretch_ = *next;
  left_ = stretch_.bits;
  gaps_.set_ber(is_ramp(stretch_) ? std::max(stretch_.from_ber, stretch_.to_ber) : stretch_.from_ber);
  return true;
}

// A ramp's errors are those of its highest ratio, thinned out: P. A. W. Lewis and G. S. Shedler, "Simulation of
// nonhomogeneous Poisson processes by thinning", Naval Research Logistics Quarterly 26, 1979.
bool VaryingErrors::keeps_error(std::uint64_t place) {
  if (!is_ramp(stretch_)) return true;
  const double part = static_cast<double>(place) / static_cast<double>(stretch_.bits);
  const double ber = stretch_.from_ber * std::pow(stretch_.to_ber / stretch_.from_ber, part);
  return thinning_.next_unit() * gaps_.ber() < ber;
}

std::uint64_t VaryingErrors::next_gap() {
  std::uint64_t good = 0;
  while (left_ > 0 || begin_stretch()) {
    const std::uint64_t gap = gaps_.next();
    if (gap >= left_) {
      if (left_ == kNever) return kNever;
      good += left_;
      left_ = 0;
      continue;
    }
    const std::uint64_t place = stretch_.bits - left_ + gap;
    if (stretch_.bits != kNever) left_ -= gap + 1;
    if (keeps_error(place)) return good + gap;
    good += gap + 1;
  }
  return kNever;
}

ProfileErrors::ProfileErrors(std::vector<ErrorStretch> stretches, bool loop, std::uint64_t seed, std::uint64_t stream)
    : VaryingErrors(seed, stream), stretches_(std::move(stretches)), loop_(loop) {
  std::erase_if(stretches_, [](const ErrorStretch& stretch) { return stretch.bits == 0; });
  // A loop in which nothing ever goes wrong would be walked for ever in search of an error.
  if (std::all_of(stretches_.begin(), stretches_.end(), [](const ErrorStretch& one) { return one.from_ber <= 0; })) {
    stretches_.clear();
  }
}

std::optional<ErrorStretch> ProfileErrors::next_stretch() {
  if (next_ == stretches_.size()) {
    if (!loop_ || stretches_.empty()) return std::nullopt;
    next_ = 0;
  }
  return stretches_[next_++];
}

GilbertElliottErrors::GilbertElliottErrors(const GilbertElliott& model, std::uint64_t seed, std::uint64_t stream)
    : VaryingErrors(seed, stream),
      model_(model),
      good_lengths_(1 / model.mean_good_bits, Random(seed, stream, kGoodSubstream)),
      bad_lengths_(1 / model.mean_bad_bits, Random(seed, stream, kBadSubstream)) {
  Random start(seed, stream, kStartSubstream);
  bad_ = start.next_unit() * (model.mean_good_bits + model.mean_bad_bits) < model.mean_bad_bits;
}

std::optional<ErrorStretch> GilbertElliottErrors::next_stretch() {
  if (model_.good_ber <= 0 && model_.bad_ber <= 0) return std::nullopt;
  const bool bad = bad_;
  bad_ = !bad_;
  const double ber = bad ? model_.bad_ber : model_.good_ber;
  return ErrorStretch{1 + (bad ? bad_lengths_ : good_lengths_).next(), ber, ber};
}

}  // namespace vqas
