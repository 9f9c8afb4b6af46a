#include "relay/live_channel.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace vqas {

LiveChannel::LiveChannel(const Profile& profile, std::uint64_t seed, std::uint64_t stream)
    : seed_(seed), stream_(stream), current_(made(profile, {seed, stream, 0})) {
  wrong_.places.reserve(8 * kMostOctets);
}

OctetChannel LiveChannel::made(const Profile& profile, const Place& place) {
  // Directions and calls use numbers below 2^32, the parts of one profile numbers from 2^48.
  return OctetChannel(profile, place.seed, place.stream | place.change << 32U);
}

OctetChannel LiveChannel::change(OctetChannel made) {
  before_ = events();
  ++changes_;
  if (law_) made.set_law(*law_);
  return std::exchange(current_, std::move(made));
}

std::span<const std::uint8_t> LiveChannel::process(std::span<std::uint8_t> octets, G711Law law, bool heard) {
  assert(octets.size() <= kMostOctets);
  if (law_ != law) {
    law_ = law;
    current_.set_law(law);
  }
  const auto inverted = std::span(inverted_).first(octets.size());
  std::fill(inverted.begin(), inverted.end(), std::uint8_t{0});
  wrong_.places.clear();
  wrong_.bits = 0;
  const std::uint64_t heard_before = current_.counters().bits();
  current_.record_to(&wrong_);
  current_.process(octets);
  current_.record_to(nullptr);
  const std::uint64_t heard_bits = heard ? current_.counters().bits() - heard_before : 0;
  const std::uint64_t begin = counters_.place();
  for (const std::uint64_t place : wrong_.places) {
    if (heard) counters_.error_at(begin + place);
    inverted[place / 8] ^= static_cast<std::uint8_t>(0x80U >> (place % 8));
  }
  counters_.leave_out(8 * octets.size() - heard_bits);
  counters_.advance_to(begin + 8 * octets.size());
  return inverted;
}

LiveEvents LiveChannel::events() const {
  return {current_.call(), before_.releases + current_.releases(),
          before_.interrupted_octets + current_.interrupted_octets(), before_.slips + current_.slips(),
          current_.slipped_octets()};
}

}  // namespace vqas
