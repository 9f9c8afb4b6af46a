#include "relay/packet_fate.h"

#include <algorithm>
#include <cmath>

namespace vqas {
namespace {

std::int64_t nanoseconds(double ms) {
  return std::llround(ms * 1e6);
}

}  // namespace

bool PacketFates::is_lost(double drawn) {
  const double loss = conditions_.loss;
  if (loss <= 0 || loss >= 1 || conditions_.loss_run < 1) {
    in_loss_ = drawn < loss;
    return in_loss_;
  }
  const double run = conditions_.loss_run;
  const double to_loss = in_loss_ ? 1 - 1 / run : loss / (run * (1 - loss));
  in_loss_ = drawn < to_loss;
  return in_loss_;
}

std::int64_t PacketFates::delayed(std::int64_t now_ns) const {
  return now_ns + nanoseconds(conditions_.delay_ms);
}

Fate PacketFates::next(std::int64_t now_ns) {
  const double for_loss = random_.next_unit();
  const double for_jitter = random_.next_unit();
  const double for_order = random_.next_unit();
  const double for_copy = random_.next_unit();
  Fate fate;
  if (is_lost(for_loss)) return fate;
  std::int64_t due = delayed(now_ns) + nanoseconds(for_jitter * conditions_.jitter_ms);
  fate.reordered = for_order < conditions_.reorder;
  if (fate.reordered) {
    due += nanoseconds(conditions_.reorder_ms);
  } else {
    due = std::max(due, last_due_ns_);
    last_due_ns_ = due;
  }
  fate.copies = for_copy < conditions_.duplicate ? 2 : 1;
  fate.due_ns = due;
  return fate;
}

}  // namespace vqas
