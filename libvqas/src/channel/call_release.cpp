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

void CallRelease::process(std::span<std::uint8_t> octets, BitErrorStream& errors) {
  if (!rule_) {
    errors.process(octets);
    return;
  }
  second_errors_ += state_ == CallState::up ? errors.process(octets) : errors.process_instead(octets, restored_);
  if (state_ == CallState::released) {
    std::fill(octets.begin(), octets.end(), kOnes);
    overwritten_ += octets.size();
  }
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
