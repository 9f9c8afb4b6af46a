#pragma once

#include <cstdint>
#include <optional>

namespace vqas {

/// When the blocks of a simulated line may be handed out, so that its clock goes no faster than another one. After a
/// machine was late, or the line's clock stood still, kMadeUp_ns are made up for at most. A value; both clocks come in
/// as numbers.
class LinePace {
 public:
  /// Short delays of a machine, so that a long run takes as long as its line time says.
  static constexpr std::int64_t kMadeUp_ns = 200'000'000;

  /// Of a block at `line_ns` by the line's clock, asked for at `now_ns` by the other one: when it is due by the other.
  std::int64_t due_ns(std::int64_t line_ns, std::int64_t now_ns) {
    const bool another = !began_ns_ || line_ns < last_ns_;
    last_ns_ = line_ns;
    if (another || now_ns - (*began_ns_ + line_ns) > kMadeUp_ns) began_ns_ = now_ns - line_ns;
    return *began_ns_ + line_ns;
  }

 private:
  std::int64_t last_ns_ = 0;
  std::optional<std::int64_t> began_ns_;  // where the line's time 0 lies by the other clock
};

}  // namespace vqas
