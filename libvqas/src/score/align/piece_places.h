#pragma once

#include <optional>
#include <span>
#include <vector>

#include "score/align/block_correlator.h"
#include "score/dsp/padded_signal.h"
#include "score/model/model.h"

namespace vqas::scoring {

/// What short pieces of the reference say of the line, each at the place where it fits best: whether the polarity is
/// inverted, and how fast the clock runs away. In 32 ms neither a drift of 1 % nor a step of the delay matters, and
/// with the spectrum flattened a peak of the correlation stands out from what a pitch period makes of the other sign.
/// Everything here is odd in the degraded recording: inverted it gives the same, with the other sign. For one
/// thread.
class PiecePlaces {
 public:
  /// 32 ms: 1 % of clock smears it over 2.6 samples, which leaves what lies below 3 kHz.
  static constexpr int kPiece = kAlignedFrame;

  explicit PiecePlaces(const AlignmentModel& model);

  /// `reference` must stay alive.
  void assign(const PaddedSignal& reference);
  /// Correlates the strongest pieces around `rough`, the delay of each block of AlignmentModel::block samples. `known`
  /// is what speaks for the polarity beside them, in the units of a piece.
  void listen(std::span<const int> rough, const PaddedSignal& degraded, double known);
  /// What speaks for the polarity, of the pieces heard last and what was known: units_of() the best correlation of
  /// each, less those of the best inverted one. Below 0 inverted.
  double polarity() const { return polarity_; }

  /// The slope, samples of delay for each sample of the reference, of the line that most of the pieces heard last agree
  /// on, inverted where their polarity is: within ±steepest. Nothing where there are too few, or nearly as many on a
  /// line without a slope.
  std::optional<double> find_slope(double steepest);
  void forget() { place_.clear(); }
  bool has_heard() const { return !place_.empty(); }

 private:
  void choose();
  /// units_of() the correlation of a piece at a lag, where `product` is that of both after pre-emphasis.
  double units_at(std::size_t n, std::ptrdiff_t lag, float product, const PaddedSignal& degraded) const;
  void invert_polarity();
  void find_middle();
  void shift_to(double slope, int step, std::size_t width);
  /// The largest share of any line of this slope.
  double share(double slope);
  /// The same, several samples taken together.
  double coarse_share(double slope);

  AlignmentModel model_;  // with short blocks
  int long_block_;
  BlockCorrelator blocks_;
  const PaddedSignal* reference_ = nullptr;
  std::vector<int> pieces_;
  std::vector<float> energy_;
  std::vector<int> place_;
  std::vector<double> seen_;  // of each piece: the energy of what arrived about its place
  std::vector<double> time_;  // of each piece's middle, from the middle of all
  double half_span_ = 0;
  std::vector<float> lags_, flat_;  // of every piece
  std::vector<float> coarse_;
  std::vector<double> origin_, work_;
  double middle_ = 0;  // of origin_
  std::vector<int> shift_;
  std::vector<float> pooled_;
  double polarity_ = 0;
};

}  // namespace vqas::scoring
