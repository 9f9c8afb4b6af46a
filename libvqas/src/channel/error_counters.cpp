#include "vqas/channel/error_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <boost/math/distributions/binomial.hpp>
#include <cassert>

namespace vqas {
namespace {

// ITU-T G.821: seconds in a row that change the state, and the ratio of a severely errored one.
constexpr std::uint64_t kToTurn = 10;
constexpr std::uint64_t kSevereInverse = 1000;

}  // namespace

void ErrorCounters::error_at(std::uint64_t place) {
  advance_to(place);
  ++errors_;
  ++second_errors_;
  if (!in_burst_) burst_first_ = place;
  in_burst_ = true;
  burst_last_ = place;
}

void ErrorCounters::advance_to(std::uint64_t bits) {
  assert(bits >= place_);
  place_ = bits;
  end_seconds_before(bits / per_second_);
  if (!in_burst_ || bits <= burst_last_ + kBurstGuardBits) return;
  ++bursts_[burst_class()];
  in_burst_ = false;
}

void ErrorCounters::pass_unheard_to(std::uint64_t bits) {
  assert(bits >= place_);
  while (place_ < bits) {
    const std::uint64_t next = std::min(bits, (second_ + 1) * per_second_);
    leave_out(next - place_);
    advance_to(next);
  }
}

std::size_t ErrorCounters::burst_class() const {
  const std::uint64_t length = burst_last_ - burst_first_ + 1;
  return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(length)) - 1, kBurstClasses - 1);
}

std::array<std::uint64_t, ErrorCounters::kBurstClasses> ErrorCounters::bursts() const {
  auto all = bursts_;
  if (in_burst_) ++all[burst_class()];
  return all;
}

std::string ErrorCounters::burst_lengths(std::size_t index) {
  assert(index < kBurstClasses);
  const std::uint64_t shortest = std::uint64_t{1} << index;
  if (index == 0) return "1_bit";
  if (index + 1 == kBurstClasses) return fmt::format("{}_bits_or_more", shortest);
  return fmt::format("{}_to_{}_bits", shortest, 2 * shortest - 1);
}

void ErrorCounters::end_seconds_before(std::uint64_t second) {
  if (second_ == second) return;
  end_second(second_errors_, second_unheard_);
  second_errors_ = 0;
  second_unheard_ = 0;
  ++second_;
  // After ten seconds without errors the state is settled; further ones change only the counts.
  for (std::uint64_t i = 0; i < kToTurn && second_ < second; ++i, ++second_) end_second(0, 0);
  settled_.total += second - second_;
  settled_.error_free += second - second_;
  second_ = second;
}

void ErrorCounters::end_second(std::uint64_t errors, std::uint64_t unheard) {
  const bool errored = errors + unheard > 0;
  const bool severe = (errors + unheard / 2) * kSevereInverse >= per_second_;
  ++settled_.total;
  if (available_) {
    settled_.error_free += errored ? 0 : 1;
    settled_.errored += errored ? 1 : 0;
    settled_.severely_errored += severe ? 1 : 0;
    turning_ = severe ? turning_ + 1 : 0;
    if (turning_ == kToTurn) {
      settled_.errored -= kToTurn;
      settled_.severely_errored -= kToTurn;
      settled_.unavailable += kToTurn;
      available_ = false;
      turning_ = 0;
    }
    return;
  }
  ++settled_.unavailable;
  turning_errored_ = severe ? 0 : turning_errored_ + (errored ? 1 : 0);
  turning_ = severe ? 0 : turning_ + 1;
  if (turning_ == kToTurn) {
    settled_.unavailable -= kToTurn;
    settled_.errored += turning_errored_;
    settled_.error_free += kToTurn - turning_errored_;
    available_ = true;
    turning_ = 0;
    turning_errored_ = 0;
  }
}

RatioInterval ErrorCounters::ber_interval(double confidence) const {
  assert(confidence >= 0.5 && confidence <= 0.9999);
  if (bits() == 0) return {};
  using Binomial = boost::math::binomial_distribution<>;
  const auto trials = static_cast<double>(bits());
  const auto events = static_cast<double>(errors_);
  const double tail = (1 - confidence) / 2;
  return {events / trials, Binomial::find_lower_bound_on_p(trials, events, tail),
          Binomial::find_upper_bound_on_p(trials, events, tail)};
}

}  // namespace vqas
