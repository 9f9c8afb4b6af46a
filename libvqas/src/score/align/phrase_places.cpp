#include "score/align/phrase_places.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"

namespace vqas::scoring {
namespace {

constexpr float kTaken = -1;  // not tuned: below any correlation that counts

}  // namespace

PhrasePlaces::PhrasePlaces(const AlignmentModel& model)
    : model_(model),
      longest_(static_cast<std::size_t>((model.phrase + 1) * model.hop / model.waveform_step)),
      fft_(std::bit_ceil(3 * longest_)),
      at_once_(fft_.size() - longest_ + 1),
      samples_(fft_.size()),
      spectrum_(fft_.bins()),
      product_(fft_.bins()) {}

void PhrasePlaces::take(const PaddedSignal& from, std::vector<float>& to) const {
  to.resize(static_cast<std::size_t>(from.size() / model_.waveform_step));
  // Behind the end there is silence.
  decimate(from.samples().data(), model_.waveform_step, to);
}

void PhrasePlaces::take_degraded(const PaddedSignal& degraded) {
  take(degraded, thin_degraded_);
  energy_.resize(thin_degraded_.size() + 1);
  double sum = 0;
  for (std::size_t n = 0; n < thin_degraded_.size(); ++n) {
    energy_[n] = sum;
    sum += static_cast<double>(thin_degraded_[n]) * thin_degraded_[n];
  }
  energy_.back() = sum;
  // In parts, as a transform of the whole recording would be many times as long as a phrase. Each begins a phrase's
  // length early: one may hang over the recording's beginning.
  parts_ = (thin_degraded_.size() + longest_ + at_once_ - 1) / at_once_;
  degraded_spectra_.resize(parts_ * fft_.row());
  for (std::size_t part = 0; part < parts_; ++part) {
    const std::size_t begin = part * at_once_;  // counted from `longest_` before the recording
    const std::size_t first = std::max(begin, longest_);
    const std::size_t end = std::min(begin + fft_.size(), longest_ + thin_degraded_.size());
    std::fill(samples_.begin(), samples_.end(), 0.0F);
    if (first < end) {
      std::copy_n(thin_degraded_.begin() + static_cast<std::ptrdiff_t>(first - longest_), end - first,
                  samples_.begin() + static_cast<std::ptrdiff_t>(first - begin));
    }
    fft_.forward(samples_.data(), degraded_spectra_.data() + part * fft_.row());
  }
}

// Overlap and save (A. Oppenheim and R. Schafer, "Discrete-Time Signal Processing", ch. 8): the first values of each
// part have nothing in them that the circle brings round.
void PhrasePlaces::correlate_all(int begin, int length) {
  std::fill(samples_.begin(), samples_.end(), 0.0F);
  std::copy_n(thin_reference_.begin() + begin, length, samples_.begin());
  fft_.forward(samples_.data(), spectrum_.data());
  products_.resize(parts_ * at_once_);
  for (std::size_t part = 0; part < parts_; ++part) {
    conjugate_product(spectrum_.data(), degraded_spectra_.data() + part * fft_.row(), fft_.bins(), product_.data());
    fft_.inverse(product_.data(), samples_.data());
    std::copy_n(samples_.begin(), at_once_, products_.begin() + static_cast<std::ptrdiff_t>(part * at_once_));
  }
}

void PhrasePlaces::correlate(const PaddedSignal& reference, const PaddedSignal& degraded, const Phrase& phrase,
                             int first) {
  std::fill(value_.begin(), value_.end(), 0.0F);
  part_.resize(value_.size());
  const int longest = (PaddedSignal::kLongestRead - static_cast<int>(value_.size())) / kLanes * kLanes;
  for (int done = 0; done < phrase.length; done += longest) {
    const int length = std::min(longest, phrase.length - done);
    const int from = phrase.from + done;
    sliding_products(reference.at(from, length), degraded.at(from + first, length + static_cast<int>(value_.size())),
                     length, part_);
    add_to(part_, value_);
  }
}

void PhrasePlaces::take_peaks(int most, std::ptrdiff_t apart) {
  found_.clear();
  for (int n = 0; n < most && !value_.empty(); ++n) {
    const auto at = static_cast<std::ptrdiff_t>(largest_of(value_));
    if (value_[static_cast<std::size_t>(at)] <= 0) break;
    found_.push_back(static_cast<int>(at));
    std::fill(value_.begin() + std::max<std::ptrdiff_t>(0, at - apart),
              value_.begin() + std::min(std::ssize(value_), at + apart + 1), kTaken);
  }
}

const std::vector<int>& PhrasePlaces::near(const PaddedSignal& reference, const PaddedSignal& degraded,
                                           const Phrase& phrase, int delay, const DelayRange& range) {
  const int first = std::max(range.lowest, delay - model_.near_range);
  const int last = std::min(range.highest, delay + model_.near_range);
  value_.resize(static_cast<std::size_t>(std::max(0, last - first + 1)));
  if (!value_.empty()) correlate(reference, degraded, phrase, first);
  take_peaks(1, 0);
  for (int& place : found_) place += first;
  return found_;
}

const std::vector<int>& PhrasePlaces::far(const PaddedSignal& reference, const PaddedSignal& degraded,
                                          const Phrase& phrase, const DelayRange& range) {
  if (thin_reference_.empty()) take(reference, thin_reference_);
  if (thin_degraded_.empty()) take_degraded(degraded);
  const int step = model_.waveform_step;
  const int begin = phrase.from / step;
  const int length = std::min(phrase.length / step, static_cast<int>(thin_reference_.size()) - begin);
  const int size = static_cast<int>(thin_degraded_.size());
  found_.clear();
  if (length <= 0) return found_;
  correlate_all(begin, length);
  // A quarter may hang over an end.
  const int over = length / 4;
  const int lowest = std::max(range.lowest / step, -over - begin);
  const int highest = std::min(range.highest / step, size - length + over - begin);
  const double floor = kFaintShare * energy_.back() / size * length;
  value_.resize(static_cast<std::size_t>(std::max(0, highest - lowest + 1)));
  const auto longest = static_cast<int>(longest_);
  const auto value_at = [&](int at) {
    const double there = energy_[std::clamp(at + length, 0, size)] - energy_[std::clamp(at, 0, size)];
    return products_[at + longest] / static_cast<float>(std::sqrt(there + floor));
  };
  // Of places in `value_`: those where the phrase lies wholly within the recording, and those where it hangs over.
  const int count = static_cast<int>(value_.size());
  const int first_whole = std::clamp(-begin - lowest, 0, count);
  const int end_whole = std::clamp(size - length - begin - lowest + 1, first_whole, count);
  if (first_whole < end_whole) {
    const int begins = begin + lowest + first_whole;
    const auto at = static_cast<std::size_t>(begins);
    const auto whole = static_cast<std::size_t>(end_whole - first_whole);
    relative_to_energy(std::span(products_).subspan(at + longest_, whole), std::span(energy_).subspan(at, whole),
                       std::span(energy_).subspan(at + static_cast<std::size_t>(length), whole), floor,
                       std::span(value_).subspan(static_cast<std::size_t>(first_whole), whole));
  }
  for (int n = 0; n < first_whole; ++n) value_[n] = value_at(begin + lowest + n);
  for (int n = end_whole; n < count; ++n) value_[n] = value_at(begin + lowest + n);
  take_peaks(model_.places, model_.block_range / step);
  // To the sample.
  value_.resize(4 * static_cast<std::size_t>(step) + 1);
  for (int& place : found_) {
    const int first = (lowest + place) * step - 2 * step;
    correlate(reference, degraded, phrase, first);
    place = std::clamp(first + static_cast<int>(largest_of(value_)), range.lowest, range.highest);
  }
  return found_;
}

}  // namespace vqas::scoring
