#pragma once

#include <algorithm>

namespace vqas {

/// Spreads the beginnings of calls evenly. What was missed, because too many calls were up, is not made up for by a
/// burst. For one thread.
class CallPacer {
 public:
  explicit CallPacer(double per_s) : pause_s_(1 / per_s) {}
  bool may_begin(double now_s) const { return now_s >= next_s_; }
  void began(double now_s) { next_s_ = std::max(next_s_ + pause_s_, now_s); }

 private:
  double pause_s_, next_s_ = 0;
};

}  // namespace vqas
