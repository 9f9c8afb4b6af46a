#include "sync/convolutional_code.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace vqas::sync {
namespace {

constexpr std::array<unsigned, kOutputs> kGenerators = {0463, 0535, 0733, 0745};

// Bit i of the result is output i. The register holds the newest bit at its low end.
std::uint8_t outputs_of(unsigned window) {
  unsigned outputs = 0;
  for (unsigned i = 0; i < kOutputs; ++i) {
    outputs |= (static_cast<unsigned>(std::popcount(window & kGenerators[i])) & 1U) << i;
  }
  return static_cast<std::uint8_t>(outputs);
}

}  // namespace

CodedBits encode(const PayloadBits& bits) {
  CodedBits coded{};
  unsigned window = 0;
  for (std::size_t step = 0; step < kSteps; ++step) {
    const unsigned bit = step < kPayloadBits ? bits[step] : 0U;
    window = ((window << 1) | bit) & ((1U << kConstraint) - 1);
    const unsigned outputs = outputs_of(window);
    for (unsigned i = 0; i < kOutputs; ++i) coded[step * kOutputs + i] = static_cast<std::uint8_t>((outputs >> i) & 1U);
  }
  return coded;
}

ViterbiDecoder::ViterbiDecoder() : decisions_(static_cast<std::size_t>(kSteps) * kStates) {
  for (unsigned window = 0; window < 2 * kStates; ++window) outputs_[window] = outputs_of(window);
}

PayloadBits ViterbiDecoder::decode(const SoftBits& soft) {
  constexpr unsigned kOldest = kStates;  // the bit that leaves the register, at its place in the window
  metric_.fill(-std::numeric_limits<float>::max() / 4);
  metric_[0] = 0;
  for (std::size_t step = 0; step < kSteps; ++step) {
    std::array<float, 1 << kOutputs> gain{};
    for (unsigned outputs = 0; outputs < gain.size(); ++outputs) {
      for (unsigned i = 0; i < kOutputs; ++i) {
        const float value = soft[step * kOutputs + i];
        gain[outputs] += ((outputs >> i) & 1U) != 0 ? -value : value;
      }
    }
    std::uint8_t* decisions = decisions_.data() + step * kStates;
    for (unsigned state = 0; state < kStates; ++state) {
      // The state holds the newest eight bits; the two windows that lead to it differ in the oldest bit.
      const unsigned low = state, high = state | kOldest;
      const float from_low = metric_[low >> 1] + gain[outputs_[low]];
      const float from_high = metric_[high >> 1] + gain[outputs_[high]];
      decisions[state] = from_high > from_low ? 1 : 0;
      next_[state] = std::max(from_low, from_high);
    }
    std::swap(metric_, next_);
  }
  PayloadBits bits{};
  unsigned state = 0;
  for (std::size_t step = kSteps; step-- > 0;) {
    if (step < kPayloadBits) bits[step] = static_cast<std::uint8_t>(state & 1U);
    const unsigned oldest = decisions_[step * kStates + state];
    state = (state >> 1) | (oldest != 0 ? kOldest >> 1 : 0U);
  }
  return bits;
}

}  // namespace vqas::sync
