#include "score/perception.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>

#include "score/kernels.h"

namespace vqas::scoring {
namespace {

// H. Traunmueller, "Analytical expressions for the tonotopic sensory scale", JASA 88(1), 1990.
double bark(double hz) {
  return 26.81 * hz / (1960 + hz) - 0.53;
}

constexpr double kTiny = 1e-30;  // keeps a quotient finite where a recording is digital silence

}  // namespace

Perception::Perception(const PerceptualModel& model)
    : model_(model),
      bands_(static_cast<int>(model.band_edges.size()) - 1),
      window_(static_cast<std::size_t>(model.frame)),
      fft_(static_cast<std::size_t>(model.frame)),
      work_(static_cast<std::size_t>(model.frame)) {
  // Hann, periodic; the division makes the squared magnitudes a mean power.
  for (int n = 0; n < model.frame; ++n) {
    const double hann = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * n / model.frame);
    window_[n] = static_cast<float>(hann / std::sqrt(model.frame));
  }
  const double bin_hz = static_cast<double>(model.rate_hz) / model.frame;
  match_from_bin_ = static_cast<int>(std::lround(model.match_from_hz / bin_hz));
  match_to_bin_ = static_cast<int>(std::lround(model.match_to_hz / bin_hz));
  for (int band = 0; band < bands_; ++band) {
    const double from = model.band_edges[band] * bin_hz;
    const double to = model.band_edges[band + 1] * bin_hz;
    const double centre = std::sqrt(from * to);
    width_bark_.push_back(bark(to) - bark(from));
    total_bark_ += width_bark_.back();
    handset_.push_back(static_cast<float>(1 / (1 + std::pow(model.handset_hz / centre, model.handset_order))));
    sets_level_.push_back(centre > model.level_from_hz && centre < model.level_to_hz ? 1 : 0);
  }
}

void Perception::transform(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay) {
  frames_ = static_cast<int>(delay.size());
  const auto frames = static_cast<std::size_t>(frames_);
  reference_.resize(frames * static_cast<std::size_t>(bands_));
  degraded_.resize(frames * static_cast<std::size_t>(bands_));
  reference_level_.resize(frames);
  degraded_level_.resize(frames);
  for (auto* plain :
       {&reference_sum_, &degraded_sum_, &gain_, &changed_, &raised_, &cross_, &match_reference_, &match_degraded_}) {
    plain->resize(frames);
  }
  active_.resize(frames);

  const int size = model_.frame;
  for (int j = 0; j < frames_; ++j) {
    const float* x = reference.data() + static_cast<std::ptrdiff_t>(j) * model_.hop;
    const float* y = degraded.at(j * model_.hop + delay[j], size);
    for (int n = 0; n < size; ++n) work_[n] = Complex(window_[n] * x[n], window_[n] * y[n]);
    fft_.forward(work_.data());
    compare_waveforms(j);
    float reference_level = 0;
    float degraded_level = 0;
    for (int band = 0; band < bands_; ++band) {
      float p = 0;
      float q = 0;
      for (int bin = model_.band_edges[band]; bin < model_.band_edges[band + 1]; ++bin) {
        // The spectra of the real part (reference) and of the imaginary part (degraded) come apart by symmetry.
        const Complex a = work_[bin];
        const Complex b = work_[size - bin];
        const float xr = a.real() + b.real();
        const float xi = a.imag() - b.imag();
        const float yr = a.imag() + b.imag();
        const float yi = b.real() - a.real();
        p += xr * xr + xi * xi;
        q += yr * yr + yi * yi;
      }
      p *= 0.25F;
      q *= 0.25F;
      row(reference_, band)[j] = p;
      row(degraded_, band)[j] = q;
      if (sets_level_[band] != 0) {
        reference_level += p;
        degraded_level += q;
      }
    }
    reference_level_[j] = reference_level;
    degraded_level_[j] = degraded_level;
  }
  find_activity();
}

void Perception::compare_waveforms(int frame) {
  float cross = 0;
  float reference = 0;
  float degraded = 0;
  for (int bin = match_from_bin_; bin < match_to_bin_; ++bin) {
    const Complex a = work_[bin];
    const Complex b = work_[model_.frame - bin];
    const float xr = a.real() + b.real();
    const float xi = a.imag() - b.imag();
    const float yr = a.imag() + b.imag();
    const float yi = b.real() - a.real();
    cross += xr * yr + xi * yi;
    reference += xr * xr + xi * xi;
    degraded += yr * yr + yi * yi;
  }
  cross_[frame] = cross;
  match_reference_[frame] = reference;
  match_degraded_[frame] = degraded;
}

double Perception::waveform_match(std::span<const int> delay, float sign) const {
  const double reference_mean = std::accumulate(match_reference_.begin(), match_reference_.end(), 0.0) / frames_;
  const double degraded_mean = std::accumulate(match_degraded_.begin(), match_degraded_.end(), 0.0) / frames_;
  // Frames 60 dB below the mean of either say nothing.
  const double floor = 1e-6 * reference_mean * degraded_mean + kTiny;
  double sum = 0;
  double weights = 0;
  for (int first = 0; first < frames_;) {
    int last = first + 1;
    while (last < frames_ && std::abs(delay[last] - delay[last - 1]) <= model_.match_steady) ++last;
    const double steadiness = std::min(1.0, static_cast<double>(last - first) / std::min(frames_, model_.match_run));
    for (int j = first; j < last; ++j) {
      const double reference = match_reference_[j];
      const double weight = std::min(1.0, std::sqrt(reference / (reference_mean + kTiny)));
      sum += steadiness * weight * cross_[j] / std::sqrt(reference * match_degraded_[j] + floor);
      weights += weight;
    }
    first = last;
  }
  return sign * sum / (weights + kTiny);
}

double Perception::reference_power() const {
  return std::accumulate(reference_level_.begin(), reference_level_.end(), 0.0) / frames_;
}

double Perception::degraded_power() const {
  return std::accumulate(degraded_level_.begin(), degraded_level_.end(), 0.0) / frames_;
}

void Perception::find_activity() {
  const double threshold = reference_power() * model_.active_ratio;
  active_count_ = 0;
  for (int j = 0; j < frames_; ++j) {
    active_[j] = reference_level_[j] > threshold ? 1 : 0;
    active_count_ += active_[j];
  }
}

double Perception::level_variation_db() const {
  double sum = 0;
  double square = 0;
  for (int j = 0; j < frames_; ++j) {
    if (active_[j] == 0) continue;
    const double level = 10 * std::log10(reference_level_[j] + kTiny);
    sum += level;
    square += level * level;
  }
  const double count = std::max(1, active_count_);
  return std::sqrt(std::max(0.0, square / count - sum / count * sum / count));
}

void Perception::normalise(double least_degraded_power) {
  // The power of each recording over all frames becomes that of its active frames at 1.
  reference_scale_ = active_count_ / (reference_power() * frames_ + kTiny);
  const double degraded_scale = active_count_ / (std::max(degraded_power(), least_degraded_power) * frames_ + kTiny);
  for (float& cell : reference_) cell = static_cast<float>(cell * reference_scale_);
  for (float& cell : degraded_) cell = static_cast<float>(cell * degraded_scale);
}

void Perception::forgive_response() {
  std::fill(reference_sum_.begin(), reference_sum_.end(), 0.0F);
  std::fill(degraded_sum_.begin(), degraded_sum_.end(), 0.0F);
  for (int band = 0; band < bands_; ++band) {
    const auto p = row(reference_, band);
    const auto q = row(degraded_, band);
    double p_mean = 0;
    double q_mean = 0;
    for (int j = 0; j < frames_; ++j) {
      if (active_[j] == 0) continue;
      p_mean += p[j];
      q_mean += q[j];
    }
    p_mean /= std::max(1, active_count_);
    q_mean /= std::max(1, active_count_);
    const double response = std::clamp((q_mean + model_.loudness_floor) / (p_mean + model_.loudness_floor),
                                       1 / model_.response_limit, model_.response_limit);
    const auto into_reference = static_cast<float>(response * handset_[band]);
    const float into_degraded = handset_[band];
    for (int j = 0; j < frames_; ++j) {
      p[j] *= into_reference;
      q[j] *= into_degraded;
      reference_sum_[j] += p[j];
      degraded_sum_[j] += q[j];
    }
  }
}

void Perception::forgive_gain() {
  const auto floor = static_cast<float>(model_.gain_floor);
  for (int j = 0; j < frames_; ++j) {
    const float ratio = (reference_sum_[j] + floor) / (degraded_sum_[j] + floor);
    gain_[j] = std::clamp(ratio, static_cast<float>(model_.gain_lowest), static_cast<float>(model_.gain_highest));
  }
}

double Perception::worst_over_time(std::span<const float> distance) const {
  double sum = 0;
  int windows = 0;
  for (int start = 0; start < frames_; start += model_.window_step) {
    const int end = std::min(frames_, start + model_.window);
    const float worst = *std::max_element(distance.begin() + start, distance.begin() + end);
    sum += std::pow(static_cast<double>(worst), model_.time_exponent);
    ++windows;
  }
  return std::pow(sum / windows, 1 / model_.time_exponent);
}

void Perception::count_jumps(std::span<const int> delay, Measurements& result) const {
  const int around = model_.jump_neighbours;
  for (int j = 1; j < frames_; ++j) {
    const int change = delay[j] - delay[j - 1];
    if (std::abs(change) <= model_.jump_from) continue;
    int talking = 0;
    for (int k = std::max(0, j - around); k < std::min(frames_, j + around); ++k) talking += active_[k];
    const double size = std::min(std::abs(change), model_.jump_largest) / static_cast<double>(model_.jump_largest);
    (change > 0 ? result.inserted : result.deleted) += talking / (2.0 * around) * size;
  }
  // Frames come 62.5 a second, and the largest jump stands for a hundred milliseconds: the weights were fitted to 60.
  const double per_second = 60.0 / std::max(1, active_count_);
  result.inserted *= per_second;
  result.deleted *= per_second;
}

double Perception::match_patterns() {
  // Loudness of both in place of their powers; then the mean of each band over active frames and the mean of each frame
  // over bands go: what remains is the pattern that makes one sentence another.
  std::fill(reference_sum_.begin(), reference_sum_.end(), 0.0F);
  std::fill(degraded_sum_.begin(), degraded_sum_.end(), 0.0F);
  for (int band = 0; band < bands_; ++band) {
    const auto floor = static_cast<float>(model_.pattern_floor * width_bark_[band]);
    for (auto* cells : {&reference_, &degraded_}) {
      const auto cell = row(*cells, band);
      to_loudness(cell, floor, cell);
      double mean = 0;
      for (int j = 0; j < frames_; ++j) mean += active_[j] != 0 ? cell[j] : 0.0F;
      mean /= std::max(1, active_count_);
      auto& sum = cells == &reference_ ? reference_sum_ : degraded_sum_;
      for (int j = 0; j < frames_; ++j) {
        cell[j] = static_cast<float>(cell[j] - mean);
        sum[j] += cell[j];
      }
    }
  }
  double product = 0;
  double reference_energy = 0;
  double degraded_energy = 0;
  for (int band = 0; band < bands_; ++band) {
    const auto p = row(reference_, band);
    const auto q = row(degraded_, band);
    for (int j = 0; j < frames_; ++j) {
      if (active_[j] == 0) continue;
      const double a = p[j] - reference_sum_[j] / bands_;
      const double b = q[j] - degraded_sum_[j] / bands_;
      product += a * b;
      reference_energy += a * a;
      degraded_energy += b * b;
    }
  }
  return product / std::sqrt(reference_energy * degraded_energy + kTiny);
}

void Perception::hand_out(int band, float floor, std::vector<float>& cells) const {
  if (band == 0) cells.clear();
  const auto p = row(reference_, band);
  const auto q = row(degraded_, band);
  for (int j = 0; j < frames_; ++j) {
    cells.push_back(sixth_root(q[j] * gain_[j] + floor) - sixth_root(p[j] + floor));
  }
}

Measurements Perception::compare(std::span<const int> delay, double least_degraded_power, std::vector<float>* cells) {
  normalise(least_degraded_power);
  forgive_response();
  forgive_gain();
  std::fill(changed_.begin(), changed_.end(), 0.0F);
  std::fill(raised_.begin(), raised_.end(), 0.0F);
  for (int band = 0; band < bands_; ++band) {
    const BandFloors floors{static_cast<float>(model_.loudness_floor * width_bark_[band]),
                            static_cast<float>(model_.loudness_floor), static_cast<float>(model_.raised_ratio)};
    add_loudness_difference(row(reference_, band), row(degraded_, band), gain_,
                            static_cast<float>(width_bark_[band] / total_bark_), floors, changed_, raised_);
    if (cells != nullptr) hand_out(band, floors.loudness, *cells);
  }
  for (int j = 0; j < frames_; ++j) {
    const double level = reference_level_[j] * reference_scale_ + model_.frame_weight_floor;
    const auto weight = static_cast<float>(std::pow(level, -model_.frame_weight_exponent));
    changed_[j] = std::sqrt(changed_[j]) * weight;
    raised_[j] = std::cbrt(raised_[j]) * weight;
  }
  Measurements result;
  result.changed = worst_over_time(changed_);
  result.raised = worst_over_time(raised_);
  count_jumps(delay, result);
  pattern_match_ = match_patterns();
  return result;
}

double auditory_distance(const Measurements& measurements, const PerceptualModel& model) {
  return model.weight_changed * measurements.changed + model.weight_raised * measurements.raised +
         model.weight_inserted * measurements.inserted + model.weight_deleted * measurements.deleted;
}

}  // namespace vqas::scoring
