#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "vqas/channel/packet_conditions.h"

namespace vqas {

/// Fills the gaps of missing packets (Concealment), at 8 kHz or, with a scale of 2, at 16 kHz. No allocation; real-time
/// safe; for one thread.
class Concealer {
 public:
  static constexpr std::size_t kMostPacket = 480;  ///< 60 ms at 8 kHz
  static constexpr std::size_t kMostScale = 2;

  explicit Concealer(Concealment method, std::size_t scale = 1)
      : method_(method), scale_(scale), packet_(160 * scale) {}
  /// A received packet, decoded; in place, because the end of a gap is smoothed.
  void hear(std::span<float> packet);
  /// Synthesises a missing packet.
  void conceal(std::span<float> packet);

 private:
  // Longest pitch period and the segment that is compared, with room for the longest packet.
  static constexpr std::size_t kHistory = kMostScale * kMostPacket;

  void remember(std::span<const float> packet);
  std::size_t find_pitch() const;
  float made_up(std::size_t position) const;

  Concealment method_;
  std::size_t scale_;
  std::array<float, kHistory> history_{};  // the newest at the end
  std::size_t gap_ = 0;                    // samples synthesised in a row so far
  std::size_t period_ = 0;                 // of the repeated period
  std::size_t packet_;
};

}  // namespace vqas
