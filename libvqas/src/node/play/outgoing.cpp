#include "node/play/outgoing.h"

#include <algorithm>
#include <cmath>

#include "vqas/channel/random.h"
#include "vqas/signal/resample.h"

namespace vqas {
namespace {

// Any rate from 1 kHz on can be converted.
Signal fitted(const Signal& signal, std::size_t length, int rate_hz) {
  Signal result = *resample(signal, rate_hz);
  result.samples.resize(length, 0.0F);
  return result;
}

double test_delay_s(const NodeOptions& node, std::uint32_t sequence) {
  if (node.max_send_delay_s <= 0) return 0;
  return node.max_send_delay_s * Random(node.seed, static_cast<std::uint64_t>(node.end), sequence).next_unit();
}

}  // namespace

PlayItem compose_outgoing(const Signal& stimulus, const MarkData& data, const TransmissionOptions& transmission,
                          const NodeOptions& node) {
  const Substitution& substitution = node.substitution;
  const bool other_speech = substitution.part == Substitution::Part::speech;
  Transmission composed = compose_transmission(
      other_speech ? fitted(substitution.signal, stimulus.size(), stimulus.rate_hz) : stimulus, data, transmission);
  if (substitution.part == Substitution::Part::all) {
    composed.signal = fitted(substitution.signal, composed.signal.size(), stimulus.rate_hz);
  }
  const double silence_s = gap_for_guard(transmission.guard_s) + test_delay_s(node, data.sequence);
  return {data.sequence, static_cast<std::size_t>(std::llround(silence_s * stimulus.rate_hz)),
          std::move(composed.signal.samples)};
}

}  // namespace vqas
