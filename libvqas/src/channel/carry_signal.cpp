#include "vqas/channel/carry_signal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace vqas {
namespace {

constexpr std::size_t kBlock = 8000;

std::size_t to_samples(double seconds) {
  return static_cast<std::size_t>(std::llround(seconds * kLineRateHz));
}

// Samples of the receiver while the sender plays so many.
std::size_t heard_length(std::size_t sent, const LineConditions& conditions) {
  const double ratio = (1 + conditions.receiver_clock_ppm * 1e-6) / (1 + conditions.sender_clock_ppm * 1e-6);
  return static_cast<std::size_t>(std::ceil(static_cast<double>(sent) * ratio));
}

// What a receiver keeps of a line: samples from `drop` on, `wanted` in all.
class Listener {
 public:
  Listener(LineDirection& line, std::size_t drop, std::size_t wanted) : line_(line), drop_(drop), wanted_(wanted) {
    kept_.reserve(wanted);
  }

  bool done() const { return kept_.size() == wanted_; }
  void listen() {
    block_.resize(std::min(line_.available(), drop_ + wanted_ - kept_.size()));
    line_.pull(block_);
    const std::size_t dropped = std::min(drop_, block_.size());
    drop_ -= dropped;
    kept_.insert(kept_.end(), block_.begin() + static_cast<std::ptrdiff_t>(dropped), block_.end());
  }
  std::vector<float> take() { return std::move(kept_); }

 private:
  LineDirection& line_;
  std::size_t drop_;
  std::size_t wanted_;
  std::vector<float> block_;
  std::vector<float> kept_;
};

}  // namespace

Result<CarriedSignal> carry_signal(const Signal& sent, LineConditions conditions, std::uint64_t seed,
                                   std::uint64_t stream) {
  if (sent.rate_hz != kLineRateHz) {
    return Error{ErrorCode::bad_input,
                 fmt::format("the recording is at {} Hz; convert it to {} Hz first", sent.rate_hz, kLineRateHz)};
  }
  if (sent.empty()) return Error{ErrorCode::bad_input, "the recording holds no samples"};
  if (!(conditions.delay_s >= 0 && conditions.delay_s <= kLongestSignalDelayS)) {
    return Error{ErrorCode::bad_input,
                 fmt::format("the delay (delay_s) is {}; give 0 to {} s", conditions.delay_s, kLongestSignalDelayS)};
  }
  const std::size_t latency = to_samples(shortest_delay_s(conditions));
  const std::size_t wanted = to_samples(conditions.delay_s) + heard_length(sent.size(), conditions);
  conditions.delay_s += shortest_delay_s(conditions);
  if (auto valid = validate(conditions); !valid) return valid.error();

  LineDirection line(conditions, seed, stream);
  Listener listener(line, latency, wanted);
  for (std::span<const float> rest = sent.samples; !rest.empty();) {
    const auto piece = rest.first(std::min(kBlock, rest.size()));
    rest = rest.subspan(piece.size());
    line.push(piece);
    listener.listen();
  }
  // The end of the recording is still in the filters; silence drives it out, a sample at a time so that no more is
  // coded than is heard.
  constexpr std::array<float, 1> kSilence{};
  for (listener.listen(); !listener.done(); listener.listen()) line.push(kSilence);
  return CarriedSignal{Signal{listener.take(), kLineRateHz}, line.bits(), line.bit_errors()};
}

}  // namespace vqas
