#include "channel/call_release.h"

#include <algorithm>
#include <array>
#include <memory>

namespace vqas {
namespace {

constexpr std::uint8_t kOnes = 0xFF;

}  // namespace

CallRelease::CallRelease(const std::optional<LinkRelease>& rule, std::uint64_t seed, std::uint64_t stream)
    : rule_(rule), restored_(std::make_unique<RandomErrors>(rule ? rule->restored_ber : 0, seed, stream)) {}

std::uint64_t CallRelease::put_errors(std::span<std::uint8_t> octets, BitErrorStream& errors, bool heard) {
  if (state_ == CallState::up) return heard ? errors.process(octets) : errors.process_unheard(octets.size());
  if (heard && state_ == CallState::restored) return errors.process_instead(octets, restored_);
  restored_.process_unheard(octets.size());
  return errors.process_unheard(octets.size());
}

void CallRelease::process(std::span<std::uint8_t> octets, BitErrorStream& errors, bool heard) {
  const std::uint64_t put = put_errors(octets, errors, heard);
  if (!rule_) return;
  second_errors_ += put;
  if (state_ == CallState::released) std::fill(octets.begin(), octets.end(), kOnes);
  in_second_ += octets.size();
  if (in_second_ == kLineRateHz) end_second();
}

void CallRelease::end_second() {
  const bool bad = static_cast<double>(second_errors_) >= rule_->ber * 8 * kLineRateHz;
  in_second_ = 0;
  second_errors_ = 0;
  switch (state_) {
    case CallState::up:
      turning_ = bad ? turning_ + 1 : 0;
      if (turning_ < rule_->after_s) return;
      state_ = CallState::released;
      ++releases_;
      break;
    case CallState::released:
      if (++turning_ < rule_->restore_s) return;
      state_ = CallState::restored;
      break;
    case CallState::restored:
      turning_ = bad ? 0 : turning_ + 1;
      if (turning_ < rule_->after_s) return;
      state_ = CallState::up;
      break;
  }
  turning_ = 0;
}

}  // namespace vqas
