#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "vqas/channel/packet_conditions.h"

namespace vqas {

/// Fills the gaps that missing packets leave (Concealment). No allocation; real-time safe; for one thread.
class Concealer {
 public:
  static constexpr std::size_t kMostPacket = 480;  ///< 60 ms

  explicit Concealer(Concealment method) : method_(method) {}
  /// A packet that came, decoded; in place, because the end of a gap is smoothed over.
  void hear(std::span<float> packet);
  /// Makes up what a missing packet might have been.
  void conceal(std::span<float> packet);

 private:
  // Longest pitch period and the piece that is compared, with room for the longest packet: in samples at 8 kHz.
  static constexpr std::size_t kHistory = kMostPacket;

  void remember(std::span<const float> packet);
  std::size_t find_pitch() const;
  float made_up(std::size_t position) const;

  Concealment method_;
  std::array<float, kHistory> history_{};  // the newest at the end
  std::size_t gap_ = 0;                    // samples made up so far in a row
  std::size_t period_ = 0;                 // that is repeated
  std::size_t packet_ = 160;
};

}  // namespace vqas
