#include "vqas/channel/carry_signal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "vqas/channel/octet_channel.h"

namespace vqas {
namespace {

constexpr std::size_t kBlock = 8000;

std::size_t to_samples(double seconds) {
  return static_cast<std::size_t>(std::llround(seconds * kLineRateHz));
}

// Samples at the receiver's clock during this many of the sender's.
std::size_t heard_length(std::size_t sent, const LineConditions& conditions) {
  const double ratio = (1 + conditions.receiver_clock_ppm * 1e-6) / (1 + conditions.sender_clock_ppm * 1e-6);
  return static_cast<std::size_t>(std::ceil(static_cast<double>(sent) * ratio));
}

// The part of the line's output that is kept: samples from `drop` on, `wanted` in total.
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

Status check_sent(const Signal& sent) {
  if (sent.rate_hz != kLineRateHz) {
    return Error{ErrorCode::bad_input,
                 fmt::format("the recording is at {} Hz; convert it to {} Hz first", sent.rate_hz, kLineRateHz)};
  }
  if (sent.empty()) return Error{ErrorCode::bad_input, "the recording holds no samples"};
  return success();
}

CarriedSignal carry(LineDirection& line, const Signal& sent, std::size_t drop, std::size_t wanted) {
  Listener listener(line, drop, wanted);
  for (std::span<const float> rest = sent.samples; !rest.empty();) {
    const auto piece = rest.first(std::min(kBlock, rest.size()));
    rest = rest.subspan(piece.size());
    line.push(piece);
    listener.listen();
  }
  // The end of the recording is still in the filters. Silence flushes it, a sample at a time, so that no more is coded
  // than is heard.
  constexpr std::array<float, 1> kSilence{};
  for (listener.listen(); !listener.done(); listener.listen()) line.push(kSilence);
  CarriedSignal carried;
  carried.heard = Signal{listener.take(), kLineRateHz};
  carried.bits = line.bits();
  carried.bit_errors = line.bit_errors();
  carried.counters = line.counters();
  carried.releases = line.octets().releases();
  carried.slips = line.octets().slips();
  carried.interrupted_octets = line.octets().interrupted_octets();
  if (line.packets() != nullptr) carried.packets = *line.packets();
  return carried;
}

}  // namespace

Result<CarriedSignal> carry_signal(const Signal& sent, LineConditions conditions, std::uint64_t seed,
                                   std::uint64_t stream) {
  if (const Status fit = check_sent(sent); !fit) return fit.error();
  if (!(conditions.delay_s >= 0 && conditions.delay_s <= kLongestSignalDelayS)) {
    return Error{ErrorCode::bad_input,
                 fmt::format("the delay (delay_s) is {}; give 0 to {} s", conditions.delay_s, kLongestSignalDelayS)};
  }
  const std::size_t latency = to_samples(shortest_delay_s(conditions));
  const std::size_t wanted = to_samples(conditions.delay_s) + heard_length(sent.size(), conditions);
  conditions.delay_s += shortest_delay_s(conditions);
  if (auto valid = validate(conditions); !valid) return valid.error();
  LineDirection line(conditions, seed, stream);
  return carry(line, sent, latency, wanted);
}

Result<CarriedSignal> carry_signal(const Signal& sent, const Profile& profile, std::uint64_t seed, std::uint64_t stream,
                                   const CarryOptions& options) {
  if (const Status fit = check_sent(sent); !fit) return fit.error();
  if (auto valid = validate(profile); !valid) return valid.error();
  const std::size_t delay = to_samples(profile.line.delay_s);
  const std::size_t length = heard_length(sent.size(), profile.line);
  LineDirection line(profile, seed, stream);
  ErrorPattern pattern;
  if (options.record_pattern) line.octets().record_to(&pattern);
  CarriedSignal carried = options.keep_delay ? carry(line, sent, 0, delay + length) : carry(line, sent, delay, length);
  carried.pattern = std::move(pattern);
  return carried;
}

}  // namespace vqas
