#include "vqas/channel/bit_error_stream.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace vqas {

BitErrorStream::BitErrorStream(std::unique_ptr<ErrorProcess> errors, BitMask mask, std::uint64_t bits_per_second)
    : errors_(std::move(errors)), counters_(bits_per_second) {
  assert(mask != 0);
  for (std::uint8_t bit = 0; bit < 8; ++bit) {
    if ((mask & (0x80U >> bit)) != 0) shown_[shown_count_++] = bit;
  }
}

std::uint64_t BitErrorStream::process(std::span<std::uint8_t> octets) {
  const std::uint64_t shown = shown_count_ * octets.size();
  const std::uint64_t start = counters_.place();
  std::uint64_t demanded = on_demand_.load(std::memory_order_relaxed) == 0 ? 0 : take_demanded(shown);
  std::uint64_t place = 0;  // of the next requested bit, among those selected by the mask
  std::uint64_t own = 0;
  look(shown);
  while (next_.good < shown || demanded > 0) {
    // Two errors at one place cancel, like two inversions.
    const bool is_due = next_.good < shown && (demanded == 0 || next_.good <= place);
    const bool is_demanded = demanded > 0 && place <= next_.good;
    const std::uint64_t at = is_due ? next_.good : place;
    if (is_due != is_demanded) invert(octets, at, start);
    if (is_demanded) {
      ++place;
      --demanded;
    }
    if (is_due) {
      ++own;
      next_ = {next_.good + 1, false};
      look(shown);
    }
  }
  if (next_.good != ErrorProcess::kNever) next_.good -= shown;
  counters_.advance_to(start + 8 * octets.size());
  if (record_ != nullptr) record_->bits += 8 * octets.size();
  return own;
}

void BitErrorStream::look(std::uint64_t shown) {
  while (!next_.is_error && next_.good < shown) {
    const ErrorStep step = errors_->next_step();
    next_ = {step.good == ErrorProcess::kNever ? step.good : next_.good + step.good, step.is_error};
  }
}

std::uint64_t BitErrorStream::pass_over(std::uint64_t shown) {
  std::uint64_t passed = 0;
  for (look(shown); next_.good < shown; look(shown)) {
    ++passed;
    next_ = {next_.good + 1, false};
  }
  if (next_.good != ErrorProcess::kNever) next_.good -= shown;
  return passed;
}

std::uint64_t BitErrorStream::process_instead(std::span<std::uint8_t> octets, BitErrorStream& other) {
  const std::uint64_t passed = pass_over(shown_count_ * octets.size());
  std::swap(errors_, other.errors_);
  std::swap(next_, other.next_);
  process(octets);
  std::swap(errors_, other.errors_);
  std::swap(next_, other.next_);
  return passed;
}

std::uint64_t BitErrorStream::process_unheard(std::uint64_t octets) {
  const std::uint64_t passed = pass_over(shown_count_ * octets);
  counters_.pass_unheard_to(counters_.place() + 8 * octets);
  if (record_ != nullptr) record_->bits += 8 * octets;
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
