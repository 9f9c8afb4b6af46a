#pragma once

#include <memory>
#include <span>

#include "vqas/signal/signal.h"

namespace vqas {

/// Concealment of lost packets by repeating the pitch, after ITU-T G.711 Appendix I, for codecs that have none of their
/// own: at 8 kHz by spandsp, at 16 kHz by the simulated packet path's. Blocks are 20 ms. For one thread.
class RtpConcealer {
 public:
  explicit RtpConcealer(int rate_hz = kLineRateHz);
  ~RtpConcealer();
  RtpConcealer(const RtpConcealer&) = delete;
  RtpConcealer& operator=(const RtpConcealer&) = delete;

  /// A block that came, rounded to 16 bits. After a loss its beginning is blended with what was made up.
  void heard(std::span<float> block);
  /// Makes up a block that is lost.
  void fill(std::span<float> block);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vqas
