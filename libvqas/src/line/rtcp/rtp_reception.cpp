#include "line/rtcp/rtp_reception.h"

#include <utility>

namespace vqas {
namespace {

constexpr std::uint32_t kGapThreshold = 16;  // RFC 3611, 4.7.2: the value that it recommends

}  // namespace

void RtpReception::take(std::uint16_t sequence) {
  const auto ahead = static_cast<std::int16_t>(static_cast<std::uint16_t>(sequence - highest_));
  if (ahead > 0) highest_ += static_cast<std::uint32_t>(ahead);
  ++received_;
}

void RtpReception::play(bool there) {
  if (there) {
    ++there_;
    return;
  }
  const std::uint32_t before = std::exchange(there_, 0);
  if (before >= kGapThreshold) {
    // A loss by itself belongs to the gap; several began a burst.
    ++(missing_ == 1 ? c14_ : c13_);
    missing_ = 1;
    c11_ += before;
    return;
  }
  ++missing_;
  if (before == 0) {
    ++c33_;
  } else {
    ++c23_;
    c22_ += before - 1;
  }
}

RtpReception::Bursts RtpReception::bursts() const {
  const double c31 = c13_, c32 = c23_;
  Bursts found;
  if (c31 + c32 + c33_ > 0) {
    const double p32 = c32 / (c31 + c32 + c33_);
    const double p23 = c22_ + c23_ < 1 ? 1 : 1 - c22_ / (c22_ + c23_);
    found.burst_density = p23 / (p23 + p32);
  }
  if (c11_ + c14_ > 0) found.gap_density = c14_ / (c11_ + c14_);
  const double in_gaps = c11_ + c14_ + c13_;
  found.gap_packets = c13_ > 0 ? in_gaps / c13_ : in_gaps + there_;
  if (c13_ > 0) found.burst_packets = (c22_ + c23_ + c31 + c32 + c33_) / c13_;
  return found;
}

}  // namespace vqas
