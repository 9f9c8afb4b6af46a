#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sync/mark_payload.h"

namespace vqas::sync {

/// The convolutional code of rate 1/4 and constraint length 9 with the largest free distance, 24: generators 463, 535,
/// 733, 745 octal (Larsen 1973; Proakis, Digital Communications, table of maximum free distance codes). Ended by eight
/// zeros.
inline constexpr int kConstraint = 9;
inline constexpr int kOutputs = 4;
inline constexpr int kSteps = kPayloadBits + kConstraint - 1;
inline constexpr int kCodedBits = kSteps * kOutputs;
using CodedBits = std::array<std::uint8_t, kCodedBits>;
/// One value for each coded bit: positive for 0, negative for 1; the magnitude is the reliability.
using SoftBits = std::array<float, kCodedBits>;

CodedBits encode(const PayloadBits& bits);

/// Finds the most likely bits by the Viterbi algorithm. Owns its work space; for one thread; no allocation after
/// construction.
class ViterbiDecoder {
 public:
  ViterbiDecoder();
  PayloadBits decode(const SoftBits& soft);

 private:
  static constexpr int kStates = 1 << (kConstraint - 1);
  std::array<std::uint8_t, 2 * kStates> outputs_{};  // of the register 2·state + bit
  std::vector<std::uint8_t> decisions_;
  std::array<float, kStates> metric_{}, next_{};
};

}  // namespace vqas::sync
