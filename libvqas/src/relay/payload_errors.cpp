#include "relay/payload_errors.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace vqas {

LiveErrors::LiveErrors(const Profile& profile, std::uint64_t seed, std::uint64_t stream)
    : seed_(seed),
      stream_(stream),
      current_(std::make_unique<BitErrorStream>(make_errors(profile, seed, stream), profile.error_mask)) {}

void LiveErrors::change(const Profile& profile) {
  ++changes_;
  // Directions and calls count below 2^32, legs of one profile from 2^48 up.
  current_ =
      std::make_unique<BitErrorStream>(make_errors(profile, seed_, stream_ | changes_ << 32U), profile.error_mask);
}

std::span<const std::uint8_t> LiveErrors::process(std::span<std::uint8_t> octets) {
  assert(octets.size() <= kMostOctets);
  const auto inverted = std::span(inverted_).first(octets.size());
  std::copy(octets.begin(), octets.end(), inverted.begin());
  current_->process(octets);
  const std::uint64_t begin = counters_.bits();
  for (std::size_t i = 0; i < octets.size(); ++i) {
    inverted[i] ^= octets[i];
    for (std::uint8_t rest = inverted[i]; rest != 0;) {
      const auto bit = static_cast<unsigned>(std::countl_zero(rest));
      counters_.error_at(begin + 8 * i + bit);
      rest = static_cast<std::uint8_t>(rest & ~(0x80U >> bit));
    }
  }
  counters_.advance_to(begin + 8 * octets.size());
  return inverted;
}

}  // namespace vqas
