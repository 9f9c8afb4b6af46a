#pragma once

#include <complex>
#include <optional>
#include <span>
#include <vector>

#include "sync/convolutional_code.h"
#include "sync/hop_code.h"
#include "sync/preamble_fit.h"
#include "sync/symbol_shaping.h"

namespace vqas::sync {

/// Decodes the data of a leading mark around its hop code. Owns its work space; for one thread.
class MarkDemodulator {
 public:
  explicit MarkDemodulator(End sender);

  /// `samples` hold the mark, `fit` is its hop code in them. Tries the clock offsets between two sound devices; nothing
  /// when the checksum fails for all of them.
  std::optional<MarkData> read(std::span<const float> samples, const PreambleFit& fit);

 private:
  void mix_down(std::span<const float> samples);
  Symbols receive(double hop_position, double drift, std::complex<double> gain) const;
  std::complex<float> matched(double at) const;

  End sender_;
  HopCode code_;
  ViterbiDecoder decoder_;
  std::vector<float> pulse_;                // at kFineness positions a sample
  std::vector<std::complex<float>> mixed_;  // the samples mixed to the carrier
};

}  // namespace vqas::sync
