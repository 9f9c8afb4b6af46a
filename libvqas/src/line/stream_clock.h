#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace vqas {

/// Compares the frames counted by a sound device with the machine's clock. A callback is never early but often late, so
/// the least lateness of the last half second gives the device's position. It moves slowly with the device's clock and
/// by a step where frames were lost or time passed without them. For one thread.
class StreamClock {
 public:
  explicit StreamClock(int rate_hz)
      : frame_ns_(1e9 / rate_hz), window_frames_(static_cast<std::uint64_t>(rate_hz) / 10) {}

  /// A callback at `now_ns` whose first frame is `frame`; in order.
  void add(std::uint64_t frame, std::int64_t now_ns);
  bool known() const { return anchor_ns_.has_value(); }
  /// Time of a frame as if the device's clock were exact since the first callback, in ns.
  std::int64_t nominal_ns(double frame) const;
  /// Offset from nominal_ns() to CLOCK_MONOTONIC, now.
  std::int64_t offset_ns() const;

 private:
  static constexpr std::size_t kWindows = 5;  // of 0.1 s each
  double frame_ns_;
  std::uint64_t window_frames_;
  std::optional<std::int64_t> anchor_ns_;
  std::array<std::optional<std::int64_t>, kWindows> least_;
  std::uint64_t window_ = 0;
};

}  // namespace vqas
