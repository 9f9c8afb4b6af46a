#include "score/align/piece_places.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "score/align/evidence.h"
#include "score/dsp/kernels.h"
#include "score/dsp/median_between.h"
#include "score/model/shared_numbers.h"
#include "vqas/signal/median.h"

namespace vqas::scoring {
namespace {

constexpr AlignmentModel kAlignment;
constexpr int kRange = kAlignment.block_range;
constexpr std::size_t kPieces = 128;  // not tuned: bounds the time
constexpr float kPreemphasis = kAlignment.envelope_preemphasis;
constexpr int kCoarse = kAlignment.waveform_step;         // samples that the first search of a line takes together
constexpr std::size_t kFew = (2 * kRange + 1) / kCoarse;  // not tuned: lags of a coarse row
static_assert(kFew == kSummedAtOnce);
// Of the pieces that a line must hold to be tried, and against the best line without a slope. Four fast clocks behind a
// band-pass reached 0.43 to 0.69, the best line without a slope there 0.07 to 0.10.
constexpr double kLeastShare = 0.3;
constexpr double kClearlyMore = 1.2;
constexpr double kMost = 0.5;  // not tuned: half of the pieces; where they have one delay no clock runs away

AlignmentModel with_short_blocks(AlignmentModel model) {
  model.block = PiecePlaces::kPiece;
  return model;
}

}  // namespace

PiecePlaces::PiecePlaces(const AlignmentModel& model)
    : model_(with_short_blocks(model)), long_block_(model.block), blocks_(model_) {}

void PiecePlaces::assign(const PaddedSignal& reference) {
  reference_ = &reference;
  pieces_.clear();
  place_.clear();
}

// Not before it is needed: where one delay fits nobody asks.
void PiecePlaces::choose() {
  if (!pieces_.empty()) return;
  blocks_.assign(reference_->samples());
  energy_.resize(static_cast<std::size_t>(blocks_.blocks()));
  difference_energies(reference_->samples().data(), kPreemphasis, kPiece, energy_);
  pieces_.resize(energy_.size());
  std::iota(pieces_.begin(), pieces_.end(), 0);
  const auto kept = static_cast<std::ptrdiff_t>(std::min(kPieces, pieces_.size()));
  std::partial_sort(pieces_.begin(), pieces_.begin() + kept, pieces_.end(),
                    [&](int a, int b) { return energy_[a] != energy_[b] ? energy_[a] > energy_[b] : a < b; });
  pieces_.resize(static_cast<std::size_t>(kept));
  std::sort(pieces_.begin(), pieces_.end());
  const double middle = (pieces_.front() + pieces_.back() + 1) * kPiece / 2.0;
  time_.clear();
  for (const int piece : pieces_) time_.push_back((piece + 0.5) * kPiece - middle);
  half_span_ = std::max(1.0, time_.back());
}

double PiecePlaces::units_at(std::size_t n, std::ptrdiff_t lag, float product, const PaddedSignal& degraded) const {
  const int at = pieces_[n] * kPiece + place_[n] + static_cast<int>(lag) - kRange;
  float there = 0;
  difference_energies(degraded.at(at - 1, kPiece + 1) + 1, kPreemphasis, kPiece, std::span(&there, 1));
  return units_of(product / std::sqrt(std::max(1e-20F, there * energy_[static_cast<std::size_t>(pieces_[n])])));
}

void PiecePlaces::listen(std::span<const int> rough, const PaddedSignal& degraded, double known) {
  choose();
  blocks_.choose(pieces_);
  const auto width = static_cast<std::size_t>(blocks_.lags());
  place_.resize(pieces_.size());
  for (std::size_t n = 0; n < pieces_.size(); ++n) {
    const auto block = static_cast<std::size_t>((pieces_[n] * kPiece + kPiece / 2) / long_block_);
    place_[n] = rough[std::min(block, rough.size() - 1)];
  }
  lags_.resize(pieces_.size() * width);
  flat_.resize(lags_.size());
  blocks_.correlate_each(place_, degraded, lags_);
  // A piece in a pause of either recording has no vote, least of all in digital silence: an offset is alike or opposite
  // at every delay.
  seen_.resize(pieces_.size());
  for (std::size_t n = 0; n < pieces_.size(); ++n) seen_[n] = blocks_.seen_energy(pieces_[n], place_[n], degraded);
  const double least = kFaintShare * *std::max_element(energy_.begin(), energy_.end());
  const double least_seen = kFaintShare * *std::max_element(seen_.begin(), seen_.end());
  polarity_ = known;
  for (std::size_t n = 0; n < pieces_.size(); ++n) {
    const auto flat = std::span(flat_).subspan(n * width, width);
    const ValueRange range = flatten(std::span(lags_).subspan(n * width, width), kPreemphasis, flat);
    if (energy_[static_cast<std::size_t>(pieces_[n])] <= least || seen_[n] <= least_seen) continue;
    const auto units = [&](float extreme, float sign) {
      const auto lag = std::find(flat.begin(), flat.end(), extreme) - flat.begin();
      return units_at(n, lag, sign * extreme * range.largest, degraded);
    };
    polarity_ += units(range.highest, 1) - units(range.lowest, -1);
  }
}

// The upper median. From one slope to the next it moves by no more than a piece at an end does, so most values need
// only be counted.
void PiecePlaces::find_middle() {
  const auto near = upper_median_between(origin_, middle_ - kCoarse - 1, middle_ + kCoarse + 1, work_);
  if (!near) work_ = origin_;
  middle_ = near ? *near : upper_median(work_);
}

// How far each piece lies from the line, in steps, on the side of the sums.
void PiecePlaces::shift_to(double slope, int step, std::size_t width) {
  origin_.resize(pieces_.size());
  for (std::size_t n = 0; n < pieces_.size(); ++n) origin_[n] = place_[n] - slope * time_[n];
  find_middle();
  shift_.resize(pieces_.size());
  steps_from(origin_, middle_, step, static_cast<double>(width), shift_);
}

double PiecePlaces::share(double slope) {
  const auto width = static_cast<std::size_t>(blocks_.lags());
  shift_to(slope, 1, width);
  pooled_.assign(width, 0.0F);
  add_shifted(flat_, shift_, pooled_);
  return pooled_[largest_of(pooled_)] / static_cast<double>(pieces_.size());
}

double PiecePlaces::coarse_share(double slope) {
  shift_to(slope, kCoarse, kFew);
  return largest_shifted_sum(coarse_, shift_) / static_cast<double>(pieces_.size());
}

void PiecePlaces::invert_polarity() {
  if (polarity_ >= 0) return;
  for (float& value : flat_) value = -value;
  polarity_ = -polarity_;
}

std::optional<double> PiecePlaces::find_slope(double steepest) {
  if (place_.empty()) return std::nullopt;
  invert_polarity();
  const double flat = share(0);
  if (flat > kMost) return std::nullopt;
  const auto width = static_cast<std::size_t>(blocks_.lags());
  coarse_.assign(pieces_.size() * 3 * kFew, 0.0F);
  for (std::size_t n = 0; n < pieces_.size(); ++n) {
    for (std::size_t k = 0; k < kFew; ++k) {
      const auto first = flat_.begin() + static_cast<std::ptrdiff_t>(n * width + k * kCoarse);
      coarse_[(3 * n + 1) * kFew + k] = *std::max_element(first, first + kCoarse);
    }
  }
  const auto best_of = [](double around, double by, int steps, const auto& share_of) {
    double best = around;
    double most = -1;
    for (int step = -steps; step <= steps; ++step) {
      const double slope = around + step * by;
      const double here = share_of(slope);
      if (here > most) {
        most = here;
        best = slope;
      }
    }
    return std::pair(best, most);
  };
  const double by = kCoarse / half_span_;
  const double coarse = best_of(0, by, static_cast<int>(std::ceil(steepest / by)), [this](double slope) {
                          return coarse_share(slope);
                        }).first;
  const auto [slope, most] =
      best_of(coarse, by / (2 * kCoarse), 2 * kCoarse, [this](double fine) { return share(fine); });
  return most >= std::max(kLeastShare, kClearlyMore * flat) ? std::optional(slope) : std::nullopt;
}

}  // namespace vqas::scoring
