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

bool is_ramp(const ErrorSegment& segment) {
  return segment.from_ber > 0 && segment.to_ber > 0 && segment.from_ber != segment.to_ber;
}

}  // namespace

VaryingErrors::VaryingErrors(std::uint64_t seed, std::uint64_t stream)
    : gaps_(0, Random(seed, stream)), thinning_(seed, stream, kThinningSubstream) {}

bool VaryingErrors::begin_segment() {
  const auto next = over_ ? std::nullopt : next_segment();
  if (!next || next->bits == 0) {
    over_ = true;
    return false;
  }
  segment_ = *next;
  pieces_ = 1;
  if (is_ramp(segment_)) {
    // Within a piece the ratio changes by no more than a factor of two, so that most errors at its highest ratio are
    // kept.
    const double octaves = std::abs(std::log2(segment_.to_ber / segment_.from_ber));
    pieces_ = std::min(segment_.bits, static_cast<std::uint64_t>(std::ceil(octaves)));
  }
  piece_ = 0;
  done_ = 0;
  return true;
}

void VaryingErrors::begin_piece() {
  const std::uint64_t end = ++piece_ == pieces_ ? segment_.bits : segment_.bits / pieces_ * piece_;
  left_ = end - done_;
  gaps_.set_ber(is_ramp(segment_) ? std::max(ramp_ber(done_), ramp_ber(end)) : segment_.from_ber);
}

double VaryingErrors::ramp_ber(std::uint64_t place) const {
  const double part = static_cast<double>(place) / static_cast<double>(segment_.bits);
  return segment_.from_ber * std::pow(segment_.to_ber / segment_.from_ber, part);
}

// The errors of a ramp are those of a higher ratio, thinned: P. A. W. Lewis and G. S. Shedler, "Simulation of
// nonhomogeneous Poisson processes by thinning", Naval Research Logistics Quarterly 26, 1979. Piece by piece, because
// the highest ratio of the whole ramp would give far more errors than are kept.
bool VaryingErrors::keeps_error(std::uint64_t place) {
  return !is_ramp(segment_) || thinning_.next_unit() * gaps_.ber() < ramp_ber(place);
}

ErrorStep VaryingErrors::next_step() {
  if (left_ == 0) {
    if (piece_ == pieces_ && !begin_segment()) return step_of(kNever);
    begin_piece();
  }
  const std::uint64_t gap = gaps_.next();
  if (left_ == kNever) return step_of(gap);
  if (gap >= left_) {
    const std::uint64_t rest = std::exchange(left_, 0);
    done_ += rest;
    return {rest, false};
  }
  const std::uint64_t place = done_ + gap;
  done_ = place + 1;
  left_ -= gap + 1;
  return keeps_error(place) ? ErrorStep{gap, true} : ErrorStep{gap + 1, false};
}

ProfileErrors::ProfileErrors(std::vector<ErrorSegment> segments, bool loop, std::uint64_t seed, std::uint64_t stream)
    : VaryingErrors(seed, stream), segments_(std::move(segments)), loop_(loop) {
  std::erase_if(segments_, [](const ErrorSegment& segment) { return segment.bits == 0; });
  // In a loop without any errors the search for the next one would never end.
  if (std::all_of(segments_.begin(), segments_.end(), [](const ErrorSegment& one) { return one.from_ber <= 0; })) {
    segments_.clear();
  }
}

std::optional<ErrorSegment> ProfileErrors::next_segment() {
  if (next_ == segments_.size()) {
    if (!loop_ || segments_.empty()) return std::nullopt;
    next_ = 0;
  }
  return segments_[next_++];
}

GilbertElliottErrors::GilbertElliottErrors(const GilbertElliott& model, std::uint64_t seed, std::uint64_t stream)
    : VaryingErrors(seed, stream),
      model_(model),
      good_lengths_(1 / model.mean_good_bits, Random(seed, stream, kGoodSubstream)),
      bad_lengths_(1 / model.mean_bad_bits, Random(seed, stream, kBadSubstream)) {
  Random start(seed, stream, kStartSubstream);
  bad_ = start.next_unit() * (model.mean_good_bits + model.mean_bad_bits) < model.mean_bad_bits;
}

std::optional<ErrorSegment> GilbertElliottErrors::next_segment() {
  if (model_.good_ber <= 0 && model_.bad_ber <= 0) return std::nullopt;
  const bool bad = bad_;
  bad_ = !bad_;
  const double ber = bad ? model_.bad_ber : model_.good_ber;
  return ErrorSegment{1 + (bad ? bad_lengths_ : good_lengths_).next(), ber, ber};
}

}  // namespace vqas
