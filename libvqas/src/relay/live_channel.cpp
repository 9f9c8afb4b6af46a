#include "relay/live_channel.h"

#include <algorithm>
#include <cassert>

namespace vqas {

LiveChannel::LiveChannel(const Profile& profile, std::uint64_t seed, std::uint64_t stream)
    : profile_(profile), seed_(seed), stream_(stream), current_(made()) {
  wrong_.places.reserve(8 * kMostOctets);
}

OctetChannel LiveChannel::made() const {
  Profile profile = profile_;
  profile.line.law = law_.value_or(profile.line.law);
  // Directions and calls count below 2^32, legs of one profile from 2^48 up.
  return OctetChannel(profile, seed_, stream_ | changes_ << 32U);
}

void LiveChannel::change(const Profile& profile) {
  before_ = events();
  ++changes_;
  profile_ = profile;
  current_ = made();
}

void LiveChannel::begin(G711Law law) {
  law_ = law;
  const bool is_silence_needed = !profile_.interruptions.empty() || !profile_.slips.empty();
  if (is_silence_needed && law != profile_.line.law) current_ = made();
}

std::span<const std::uint8_t> LiveChannel::process(std::span<std::uint8_t> octets, G711Law law) {
  assert(octets.size() <= kMostOctets);
  if (!law_) begin(law);
  const auto inverted = std::span(inverted_).first(octets.size());
  std::fill(inverted.begin(), inverted.end(), std::uint8_t{0});
  wrong_.places.clear();
  wrong_.bits = 0;
  current_.record_to(&wrong_);
  current_.process(octets);
  current_.record_to(nullptr);
  const std::uint64_t begin = counters_.bits();
  for (const std::uint64_t place : wrong_.places) {
    counters_.error_at(begin + place);
    inverted[place / 8] ^= static_cast<std::uint8_t>(0x80U >> (place % 8));
  }
  counters_.advance_to(begin + 8 * octets.size());
  return inverted;
}

LiveEvents LiveChannel::events() const {
  return {current_.call(), before_.releases + current_.releases(),
          before_.interrupted_octets + current_.interrupted_octets(), before_.slips + current_.slips(),
          current_.slipped_octets()};
}

}  // namespace vqas
