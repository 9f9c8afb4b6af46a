#include "relay/stream_place.h"

#include <algorithm>

namespace vqas {

StreamPlace::Found StreamPlace::find(const RtpHeader& header, std::int64_t now_ns) {
  constexpr std::int64_t kNsPerOctet = 1'000'000'000 / 8000;
  const std::int64_t step = static_cast<std::int32_t>(header.timestamp - newest_timestamp_);
  const std::int64_t place = static_cast<std::int64_t>(newest_) + step;
  if (!any_) first_ns_ = now_ns;
  payload_ += header.payload_size;
  const auto passed = static_cast<std::uint64_t>(std::max(now_ns - first_ns_, std::int64_t{0}) / kNsPerOctet);
  const auto most = static_cast<std::int64_t>(payload_ + passed + kMostAhead);
  Found found;
  found.begins = !any_ || header.ssrc != ssrc_ || place < static_cast<std::int64_t>(begin_) || step > kLongestGap ||
                 step < -kLongestGap || place + static_cast<std::int64_t>(header.payload_size) > most;
  if (found.begins) {
    any_ = true;
    ssrc_ = header.ssrc;
    begin_ = end_;
    found.octet = end_;
  } else {
    found.octet = static_cast<std::uint64_t>(place);
  }
  if (found.begins || step > 0) {
    newest_ = found.octet;
    newest_timestamp_ = header.timestamp;
  }
  end_ = std::max(end_, found.octet + header.payload_size);
  return found;
}

std::uint64_t SequenceCounter::count(const RtpHeader& header) {
  const int step = static_cast<std::int16_t>(static_cast<std::uint16_t>(header.sequence - newest_));
  if (!any_ || header.ssrc != ssrc_ || step > kLongestStep || step < -kLongestStep) {
    missing_before_ += expected_ - received_;
    any_ = true;
    ssrc_ = header.ssrc;
    newest_ = header.sequence;
    expected_ = received_ = 1;
    came_.reset();
    came_.set(header.sequence % kRemembered);
    return missing_before_;
  }
  for (int k = 1; k <= step; ++k) came_.reset(static_cast<std::uint16_t>(newest_ + k) % kRemembered);
  if (step > 0) {
    expected_ += static_cast<std::uint64_t>(step);
    newest_ = header.sequence;
  }
  const bool is_before_first = step < 0 && static_cast<std::uint64_t>(-step) >= expected_;
  if (!is_before_first && !came_.test(header.sequence % kRemembered)) {
    came_.set(header.sequence % kRemembered);
    ++received_;
  }
  return missing_before_ + (expected_ - received_);
}

}  // namespace vqas
