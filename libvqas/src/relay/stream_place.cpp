#include "relay/stream_place.h"

#include <algorithm>

namespace vqas {

StreamPlace::Found StreamPlace::find(const RtpHeader& header) {
  const auto step = static_cast<std::int32_t>(header.timestamp - newest_timestamp_);
  const std::int64_t place = static_cast<std::int64_t>(newest_) + step;
  Found found;
  found.begins = !any_ || header.ssrc != ssrc_ || place < static_cast<std::int64_t>(begin_) ||
                 step > static_cast<std::int64_t>(kLongestGap);
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
  // A step beyond this, either way, is a new start of the sender: RFC 3550, appendix A.1 (MAX_DROPOUT).
  constexpr int kLongestStep = 3000;
  const int step = static_cast<std::int16_t>(static_cast<std::uint16_t>(header.sequence - newest_));
  if (!any_ || header.ssrc != ssrc_ || step > kLongestStep || step < -kLongestStep) {
    missing_before_ += expected_ > received_ ? expected_ - received_ : 0;
    any_ = true;
    ssrc_ = header.ssrc;
    newest_ = header.sequence;
    expected_ = received_ = 1;
    return missing_before_;
  }
  ++received_;
  if (step > 0) {
    expected_ += static_cast<std::uint64_t>(step);
    newest_ = header.sequence;
  }
  return missing_before_ + (expected_ > received_ ? expected_ - received_ : 0);
}

}  // namespace vqas
