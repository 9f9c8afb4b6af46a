#include "vqas/channel/bit_error_stream.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace vqas {

BitErrorStream::BitErrorStream(std::unique_ptr<ErrorProcess> errors, BitMask mask, std::uint64_t bits_per_second)
    : errors_(std::move(errors)), to_next_error_(errors_->next_gap()), counters_(bits_per_second) {
  assert(mask != 0);
  for (std::uint8_t bit = 0; bit < 8; ++bit) {
    if ((mask & (0x80U >> bit)) != 0) shown_[shown_count_++] = bit;
  }
}

std::uint64_t BitErrorStream::process(std::span<std::uint8_t> octets) {
  const std::uint64_t shown = shown_count_ * octets.size();
  const std::uint64_t start = counters_.bits();
  std::uint64_t position = to_next_error_;
  std::uint64_t demanded = on_demand_.load(std::memory_order_relaxed) == 0 ? 0 : take_demanded(shown);
  std::uint64_t place = 0;  // of the next demanded bit, among those shown
  std::uint64_t own = 0;
  while (position < shown || demanded > 0) {
    // Both at one place cancel, as two inversions do.
    const bool is_due = position < shown && (demanded == 0 || position <= place);
    const bool is_demanded = demanded > 0 && place <= position;
    const std::uint64_t at = is_due ? position : place;
    if (is_due != is_demanded) invert(octets, at, start);
    if (is_demanded) {
      ++place;
      --demanded;
    }
    if (is_due) {
      ++own;
      const std::uint64_t gap = errors_->next_gap();
      position = gap == ErrorProcess::kNever ? gap : position + 1 + gap;
    }
  }
  to_next_error_ = position == ErrorProcess::kNever ? position : position - shown;
  counters_.advance_to(start + 8 * octets.size());
  if (record_ != nullptr) record_->bits += 8 * octets.size();
  return own;
}

std::uint64_t BitErrorStream::pass_over(std::uint64_t shown) {
  std::uint64_t passed = 0;
  while (to_next_error_ < shown) {
    ++passed;
    const std::uint64_t gap = errors_->next_gap();
    if (gap == ErrorProcess::kNever) {
      to_next_error_ = gap;
      return passed;
    }
    to_next_error_ += 1 + gap;
  }
  if (to_next_error_ != ErrorProcess::kNever) to_next_error_ -= shown;
  return passed;
}

std::uint64_t BitErrorStream::process_instead(std::span<std::uint8_t> octets, BitErrorStream& other) {
  const std::uint64_t passed = pass_over(shown_count_ * octets.size());
  std::swap(errors_, other.errors_);
  std::swap(to_next_error_, other.to_next_error_);
  process(octets);
  std::swap(errors_, other.errors_);
  std::swap(to_next_error_, other.to_next_error_);
  return passed;
}

std::uint64_t BitErrorStream::take_demanded(std::uint64_t most) {
  std::uint32_t there = on_demand_.load(std::memory_order_relaxed);
  std::uint32_t taken = 0;
  do {
    taken = static_cast<std::uint32_t>(std::min<std::uint64_t>(there, most));
  } while (!on_demand_.compare_exchange_weak(there, there - taken, std::memory_order_relaxed));
  return taken;
}

void BitErrorStream::invert(std::span<std::uint8_t> octets, std::uint64_t shown_bit, std::uint64_t start) {
  const std::uint64_t octet = shown_bit / shown_count_;
  const std::uint8_t bit = shown_[shown_bit % shown_count_];
  octets[octet] ^= static_cast<std::uint8_t>(0x80U >> bit);
  counters_.error_at(start + 8 * octet + bit);
  if (record_ != nullptr) record_->places.push_back(record_->bits + 8 * octet + bit);
}

}  // namespace vqas
