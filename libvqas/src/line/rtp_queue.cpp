#include "line/rtp_queue.h"

#include <iterator>

namespace vqas {

bool RtpQueue::put(Packet packet) {
  auto place = packets_.end();
  for (; place != packets_.begin(); --place) {
    const auto behind = static_cast<std::int32_t>(packet.timestamp - std::prev(place)->timestamp);
    if (behind == 0) return false;
    if (behind > 0) break;
  }
  packets_.insert(place, std::move(packet));
  if (packets_.size() <= most_) return true;
  packets_.pop_front();
  return false;
}

}  // namespace vqas
