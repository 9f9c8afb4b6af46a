#include "score/align/line_filter.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"

namespace vqas::scoring {
namespace {

constexpr int kReach = 32;             // samples either side, 4 ms: what a telephone's filters need
constexpr int kTaps = 2 * kReach + 1;  // not tuned: all within the reach
constexpr double kSilence = 1e-10;     // not tuned: of what was sent, the rounding of single precision
constexpr double kHann = std::numbers::pi / (kReach + 1);  // not tuned: a taper that ends beside the last tap

}  // namespace

int LineFilter::taps() {
  return kTaps;
}

LineFilter::LineFilter(const AlignmentModel& model)
    : model_(model), fft_(static_cast<std::size_t>(model.frame)), window_(static_cast<std::size_t>(model.frame)) {
  const auto size = static_cast<std::size_t>(model.frame);
  for (std::size_t n = 0; n < size; ++n) {
    const double phase = 2 * std::numbers::pi * static_cast<double>(n) / static_cast<double>(size);
    window_[n] = static_cast<float>(0.5 - 0.5 * std::cos(phase));
  }
  work_.resize(size);
  spectrum_.resize(size);
  // Bins 1 to size/2 - 1, and a zero behind them.
  for (auto* part : {&re_, &im_, &other_re_, &other_im_}) part->resize(size / 2);
  for (auto* sum : {&from_power_, &to_power_, &cross_re_, &cross_im_}) sum->resize(size / 2);
  taps_.resize(kTaps);
}

void LineFilter::pool(const PaddedSignal& reference, const PaddedSignal& degraded, std::span<const int> delay,
                      std::span<const char> chosen) {
  for (auto* sum : {&from_power_, &to_power_, &cross_re_, &cross_im_}) std::fill(sum->begin(), sum->end(), 0.0F);
  const int bins = model_.frame / 2 - 1;
  const SplitSpectrum from{re_.data(), im_.data()};
  const SplitSpectrum to{other_re_.data(), other_im_.data()};
  for (int j = 0; j < static_cast<int>(delay.size()); ++j) {
    if (chosen[j] == 0) continue;
    const int at = j * model_.hop;
    interleave_windowed(reference.at(at, model_.frame), degraded.at(at + delay[j], model_.frame), window_.data(),
                        model_.frame, work_.data());
    fft_.forward(work_.data(), spectrum_.data());
    split_spectrum(spectrum_.data(), model_.frame, 1, bins, from, to);
    add_cross_spectrum(from, to, re_.size(), {},
                       {from_power_.data(), to_power_.data(), cross_re_.data(), cross_im_.data()});
  }
}

void LineFilter::find_taps() {
  const double strongest = *std::max_element(from_power_.begin(), from_power_.end());
  const auto size = static_cast<std::size_t>(model_.frame);
  std::fill(work_.begin(), work_.end(), Complex{});
  for (std::size_t bin = 1; bin < size / 2; ++bin) {
    const double scale = 1 / (from_power_[bin - 1] + kFaintShare * strongest + kTiny);
    const Complex response(static_cast<float>(cross_re_[bin - 1] * scale),
                           static_cast<float>(cross_im_[bin - 1] * scale));
    work_[bin] = response;
    work_[size - bin] = std::conj(response);
  }
  fft_.inverse(work_.data(), spectrum_.data());
  // As filter_samples() multiplies them with what lies before and behind a sample, they stand in reverse.
  std::fill(work_.begin(), work_.end(), Complex{});
  std::fill(taps_.begin(), taps_.end(), 0.0F);
  for (int n = -kReach; n <= kReach; ++n) {
    const auto from = static_cast<std::size_t>((n + model_.frame) % model_.frame);
    const double taper = 0.5 + 0.5 * std::cos(kHann * n);
    const float tap = spectrum_[from].real() * static_cast<float>(taper / model_.frame);
    taps_[static_cast<std::size_t>(kReach - n)] = tap;
    work_[from] = tap;
  }
  fft_.forward(work_.data(), spectrum_.data());
  phase_.resize(size / 2);
  for (std::size_t bin = 0; bin < phase_.size(); ++bin)
    phase_[bin] = spectrum_[bin] / std::max(std::abs(spectrum_[bin]), static_cast<float>(kTiny));
}

// Of the received power, what the reference explains as it is against what it explains behind the taps.
bool LineFilter::explains_more() const {
  double plain = 0;
  double filtered = 0;
  double sent = kTiny;
  double passed = kTiny;
  for (std::size_t n = 0; n + 1 < from_power_.size(); ++n) {
    const Complex response = spectrum_[n + 1];
    plain += cross_re_[n];
    filtered += response.real() * cross_re_[n] + response.imag() * cross_im_[n];
    sent += from_power_[n];
    passed += std::norm(response) * from_power_[n];
  }
  return filtered * std::abs(filtered) / passed > plain * std::abs(plain) / sent;
}

bool LineFilter::run(const PaddedSignal& reference, const PaddedSignal& degraded, std::span<const int> delay,
                     std::span<const char> chosen, PaddedSignal& passed) {
  pool(reference, degraded, delay, chosen);
  // Both recordings share a transform: what rounding leaves of the one in the other is no line.
  const double sent = std::accumulate(from_power_.begin(), from_power_.end(), 0.0);
  if (std::accumulate(to_power_.begin(), to_power_.end(), 0.0) <= kSilence * sent) return false;
  find_taps();
  if (!explains_more()) return false;
  const auto to = passed.reset(static_cast<std::size_t>(reference.size()));
  filter_samples(reference.samples().data() - kReach, taps_, to);
  return true;
}

}  // namespace vqas::scoring
