#pragma once

#include <cstdint>
#include <optional>

namespace vqas {

/// When the blocks of a simulated line may be delivered, so that its clock runs no faster than another. After a delay
/// of the machine, or a pause of the line's clock, at most kMadeUp_ns are caught up. A value; both clocks are passed in
/// as numbers.
class LinePace {
 public:
  /// Catches up short delays of the machine, so that a long run takes as long as its line time.
  static constexpr std::int64_t kMadeUp_ns = 200'000'000;

  /// Due time by the other clock of a block at `line_ns` by the line's clock, requested at `now_ns` by the other.
  std::int64_t due_ns(std::int64_t line_ns, std::int64_t now_ns) {
    const bool another = !began_ns_ || line_ns < last_ns_;
    last_ns_ = line_ns;
    if (another || now_ns - (*began_ns_ + line_ns) > kMadeUp_ns) began_ns_ = now_ns - line_ns;
    return *began_ns_ + line_ns;
  }

 private:
  std::int64_t last_ns_ = 0;
  std::optional<std::int64_t> began_ns_;  // time of the other clock at the line's time 0
};

}  // namespace vqas
