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
      work_(static_cast<std::size_t>(model.frame)),
      spectrum_(static_cast<std::size_t>(model.frame)),
      reference_bins_(static_cast<std::size_t>(model.band_edges.back())),
      degraded_bins_(static_cast<std::size_t>(model.band_edges.back())),
      cross_bins_(static_cast<std::size_t>(model.band_edges.back())) {
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
  stride_ = (frames + kLanes - 1) / kLanes * kLanes;
  reference_.assign(stride_ * static_cast<std::size_t>(bands_), 0.0F);
  degraded_.assign(stride_ * static_cast<std::size_t>(bands_), 0.0F);
  for (auto* plain : {&reference_level_, &degraded_level_, &reference_sum_, &degraded_sum_, &gain_, &changed_, &raised_,
                      &cross_, &match_reference_, &match_degraded_, &frame_weight_}) {
    plain->resize(frames);
  }
  active_.resize(frames);
  is_active_.assign(stride_, 0.0F);
  for (int j = 0; j < frames_; ++j) {
    transform_frame(j, reference.data() + static_cast<std::ptrdiff_t>(j) * model_.hop,
                    degraded.at(j * model_.hop + delay[j], model_.frame));
  }
  find_activity();
}

void Perception::transform_frame(int frame, const float* reference, const float* degraded) {
  const int bins = model_.band_edges.back();
  interleave_windowed(reference, degraded, window_.data(), model_.frame, work_.data());
  fft_.forward(work_.data(), spectrum_.data());
  split_powers(spectrum_.data(), model_.frame, bins, reference_bins_.data(), degraded_bins_.data(), cross_bins_.data());
  float reference_level = 0;
  float degraded_level = 0;
  for (int band = 0; band < bands_; ++band) {
    float p = 0;
    float q = 0;
    for (int bin = model_.band_edges[band]; bin < model_.band_edges[band + 1]; ++bin) {
      p += reference_bins_[bin];
      q += degraded_bins_[bin];
    }
    p *= 0.25F;
    q *= 0.25F;
    row(reference_, band)[frame] = p;
    row(degraded_, band)[frame] = q;
    if (sets_level_[band] != 0) {
      reference_level += p;
      degraded_level += q;
    }
  }
  reference_level_[frame] = reference_level;
  degraded_level_[frame] = degraded_level;

  float cross = 0;
  float match_reference = 0;
  float match_degraded = 0;
  for (int bin = match_from_bin_; bin < match_to_bin_; ++bin) {
    cross += cross_bins_[bin];
    match_reference += reference_bins_[bin];
    match_degraded += degraded_bins_[bin];
  }
  cross_[frame] = cross;
  match_reference_[frame] = match_reference;
  match_degraded_[frame] = match_degraded;
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
    is_active_[j] = active_[j];
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
  const auto scale = [](std::vector<float>& cells, double factor) {
    subtract_and_scale(cells, 0, static_cast<float>(factor), cells);
  };
  scale(reference_, reference_scale_);
  scale(degraded_, degraded_scale);
}

double Perception::mean_where_active(std::span<const float> cells) const {
  return dot_product(cells.data(), is_active_.data(), static_cast<int>(stride_)) / std::max(1, active_count_);
}

void Perception::forgive_response() {
  std::fill(reference_sum_.begin(), reference_sum_.end(), 0.0F);
  std::fill(degraded_sum_.begin(), degraded_sum_.end(), 0.0F);
  for (int band = 0; band < bands_; ++band) {
    const auto p = row(reference_, band);
    const auto q = row(degraded_, band);
    const double response =
        std::clamp((mean_where_active(q) + model_.loudness_floor) / (mean_where_active(p) + model_.loudness_floor),
                   1 / model_.response_limit, model_.response_limit);
    scale_and_add(p, static_cast<float>(response * handset_[band]), reference_sum_);
    scale_and_add(q, handset_[band], degraded_sum_);
  }
}

void Perception::forgive_gain() {
  limited_ratio(reference_sum_, degraded_sum_, static_cast<float>(model_.gain_floor),
                static_cast<float>(model_.gain_lowest), static_cast<float>(model_.gain_highest), gain_);
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

double Perception::pattern_match() {
  // Loudness of both in place of their powers; then the mean of each band over active frames and the mean of each frame
  // over bands go: what remains is the pattern that makes one sentence another.
  std::fill(reference_sum_.begin(), reference_sum_.end(), 0.0F);
  std::fill(degraded_sum_.begin(), degraded_sum_.end(), 0.0F);
  for (int band = 0; band < bands_; ++band) {
    const auto floor = static_cast<float>(model_.pattern_floor * width_bark_[band]);
    for (auto* cells : {&reference_, &degraded_}) {
      const auto cell = row(*cells, band);
      to_loudness(cell, floor, static_cast<float>(model_.pattern_exponent), cell);
      subtract_and_scale(cell, static_cast<float>(mean_where_active(cell)), 1, cell);
      add_to(cell, cells == &reference_ ? reference_sum_ : degraded_sum_);
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

Measurements Perception::compare(std::span<const int> delay, double least_degraded_power) {
  normalise(least_degraded_power);
  forgive_response();
  forgive_gain();
  std::fill(changed_.begin(), changed_.end(), 0.0F);
  std::fill(raised_.begin(), raised_.end(), 0.0F);
  for (int band = 0; band < bands_; ++band) {
    LoudnessLaw law;
    law.floor = static_cast<float>(model_.loudness_floor * width_bark_[band]);
    law.exponent = static_cast<float>(model_.loudness_exponent);
    law.ratio_floor = static_cast<float>(model_.loudness_floor);
    law.ratio = static_cast<float>(model_.raised_ratio);
    law.raised_norm = static_cast<float>(model_.raised_norm);
    law.weight = static_cast<float>(width_bark_[band] / total_bark_);
    add_loudness_difference(row(reference_, band), row(degraded_, band), gain_, law, changed_, raised_);
  }
  std::copy(reference_level_.begin(), reference_level_.end(), frame_weight_.begin());
  to_power(frame_weight_, static_cast<float>(reference_scale_), static_cast<float>(model_.frame_weight_floor),
           static_cast<float>(-model_.frame_weight_exponent));
  // Below this every difference is rounding; it also keeps the logarithm inside the power finite.
  constexpr float kNothing = 1e-20F;
  to_power(raised_, 1, kNothing, static_cast<float>(1 / model_.raised_norm));
  for (int j = 0; j < frames_; ++j) {
    changed_[j] = std::sqrt(changed_[j]) * frame_weight_[j];
    raised_[j] *= frame_weight_[j];
  }
  Measurements result;
  result.changed = worst_over_time(changed_);
  result.raised = worst_over_time(raised_);
  count_jumps(delay, result);
  return result;
}

double auditory_distance(const Measurements& measurements, const PerceptualModel& model) {
  return model.weight_changed * measurements.changed + model.weight_raised * measurements.raised +
         model.weight_inserted * measurements.inserted + model.weight_deleted * measurements.deleted;
}

}  // namespace vqas::scoring
