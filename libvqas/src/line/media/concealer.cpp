#include "line/media/concealer.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "channel/concealer.h"
#include "line/media/pcm16.h"
#include "vqas/signal/wide_rate.h"

// After the C++ headers, because spandsp's own rounding functions would disturb them, and each after those it needs.
// clang-format off
#include <spandsp/telephony.h>
#include <spandsp/plc.h>
// clang-format on

namespace vqas {

struct RtpConcealer::State {
  plc_state_t plc{};
  std::optional<Concealer> wide;

  // spandsp does this itself at a gap, but by memcpy() of ranges that may overlap.
  void unroll_history() {
    std::rotate(std::begin(plc.history), std::begin(plc.history) + plc.buf_ptr, std::end(plc.history));
    plc.buf_ptr = 0;
  }
};

RtpConcealer::RtpConcealer(int rate_hz) : state_(std::make_unique<State>()) {
  plc_init(&state_->plc);
  if (rate_hz == kWideRateHz) state_->wide.emplace(Concealment::pitch, kWideRateHz / kLineRateHz);
}
RtpConcealer::~RtpConcealer() = default;

void RtpConcealer::heard(std::span<float> block) {
  if (state_->wide) return state_->wide->hear(block);
  Pcm16Block linear = as_pcm16(block);
  plc_rx(&state_->plc, linear.data(), static_cast<int>(linear.size()));
  from_pcm16(linear, block);
}

void RtpConcealer::fill(std::span<float> block) {
  if (state_->wide) return state_->wide->conceal(block);
  Pcm16Block linear{};
  if (state_->plc.missing_samples == 0) state_->unroll_history();
  plc_fillin(&state_->plc, linear.data(), static_cast<int>(linear.size()));
  from_pcm16(linear, block);
}

}  // namespace vqas
