#include "node/controller/node_line_time.h"

#include <algorithm>
#include <cmath>

#include "node/play/outgoing.h"

namespace vqas {

void NodeLineTime::told(std::int64_t time_ns) {
  first_ns_ = std::min(first_ns_.value_or(time_ns), time_ns);
  last_ns_ = std::max(last_ns_.value_or(time_ns), time_ns);
}

void NodeLineTime::add_round(std::int64_t time_ns) {
  finished_ns_ += time_ns;
  counted_ns_ += time_ns;
}

void NodeLineTime::end_round() {
  first_ns_.reset();
  last_ns_.reset();
}

void NodeLineTime::told_total(std::int64_t total_ns) {
  finished_ns_ += total_ns >= counted_ns_ ? total_ns - counted_ns_ : total_ns;
  counted_ns_ = total_ns;
  end_round();
}

std::int64_t NodeLineTime::used_ns() const {
  return finished_ns_ + (last_ns_ ? *last_ns_ - *first_ns_ + std::llround(kGap_s * 1e9) : 0);
}

}  // namespace vqas
