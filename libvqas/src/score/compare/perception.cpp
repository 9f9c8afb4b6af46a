#include "score/compare/perception.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "score/dsp/kernels.h"

namespace vqas::scoring {
namespace {

// H. Traunmueller, "Analytical expressions for the tonotopic sensory scale", JASA 88(1), 1990.
double bark(double hz) {
  return 26.81 * hz / (1960 + hz) - 0.53;
}

// What is just heard in quiet, in dB. E. Terhardt, "Calculating virtual pitch", Hearing Research 1, 1979.
double hearing_threshold_db(double hz) {
  const double khz = hz / 1000;
  return 3.64 * std::pow(khz, -0.8) - 6.5 * std::exp(-0.6 * (khz - 3.3) * (khz - 3.3)) + 1e-3 * std::pow(khz, 4);
}

std::size_t round_up(std::size_t count) {
  return (count + kLanes - 1) / kLanes * kLanes;
}

constexpr double kLeastPower = 1e-30;  // not tuned: keeps a quotient finite where a recording is digital silence
constexpr double kQuarter = 0.25;      // not tuned: LaneFft gives twice the amplitudes
constexpr int kHandsetOrder = 8;       // not tuned: of the power, four poles (S. Butterworth, 1930)

// Hann, periodic; the division makes the squared magnitudes a mean power.
std::vector<float> window_of(int frame) {
  std::vector<float> window(static_cast<std::size_t>(frame));
  for (int n = 0; n < frame; ++n) {
    const double hann = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * n / frame);
    window[n] = static_cast<float>(hann / std::sqrt(frame));
  }
  return window;
}

// The frames from `first` on, by their number; behind the last one, that one again.
template <typename Of>
LaneFft::Frames frames_from(std::size_t first, std::size_t count, const Of& of) {
  LaneFft::Frames frames;
  for (std::size_t n = 0; n < frames.size(); ++n) frames[n] = of(std::min(first + n, count - 1));
  return frames;
}

}  // namespace

Perception::Perception(const PerceptualModel& model)
    : model_(model), bands_(static_cast<int>(model.band_edges.size()) - 1), fft_(window_of(model.frame)) {
  const double bin_hz = static_cast<double>(model.rate_hz) / model.frame;
  match_from_ = static_cast<int>(std::lround(model.match_from_hz / bin_hz));
  match_to_ = static_cast<int>(std::lround(model.match_to_hz / bin_hz));
  for (int band = 0; band < bands_; ++band) {
    const double from = model.band_edges[band] * bin_hz;
    const double to = model.band_edges[band + 1] * bin_hz;
    const double centre = std::sqrt(from * to);
    width_bark_.push_back(bark(to) - bark(from));
    const double place = 2.0 * band / bands_ - 1;
    band_weight_.push_back(width_bark_.back() * std::exp(model.band_tilt * place));
    const double less_heard_db =
        model.floor_is_threshold ? hearing_threshold_db(centre) - hearing_threshold_db(1000) : 0;
    loudness_floor_.push_back(model.loudness_floor * width_bark_.back() * std::pow(10, less_heard_db / 10));
    sets_level_.push_back(centre > model.level_from_hz && centre < model.level_to_hz ? 1 : 0);
  }
  // The handset in each bin, and the difference of LaneFft taken back. Nothing of bin 0 passes a handset.
  bin_weight_.push_back(0);
  for (int bin = 1; bin < model.frame / 2; ++bin) {
    const double handset = 1 / (1 + std::pow(model.handset_hz / (bin * bin_hz), kHandsetOrder));
    const double differenced = LaneFft::power_of_difference(static_cast<double>(bin) / model.frame);
    bin_weight_.push_back(static_cast<float>(kQuarter * handset / differenced));
  }
  const double all = std::accumulate(band_weight_.begin(), band_weight_.end(), 0.0);
  for (double& weight : band_weight_) weight /= all;
}

void Perception::Cells::reset(int count, int bands) {
  frames = count;
  stride = round_up(static_cast<std::size_t>(count));
  for (auto* table : {&reference, &degraded}) {
    table->resize(stride * static_cast<std::size_t>(bands));
    for (int band = 0; band < bands; ++band) {
      const auto end = table->begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(band + 1) * stride);
      std::fill(end - static_cast<std::ptrdiff_t>(stride - static_cast<std::size_t>(count)), end, 0.0F);
    }
  }
  for (auto* plain : {&reference_sum, &degraded_sum, &gain, &changed, &raised}) {
    plain->assign(static_cast<std::size_t>(count), 0.0F);
  }
}

void Perception::assign(const PaddedSignal& reference) {
  const auto hop = static_cast<std::size_t>(model_.hop);
  const std::size_t frames = static_cast<std::size_t>(reference.size() - model_.frame) / hop + 1;
  frames_ = static_cast<int>(frames);
  const std::size_t stride = round_up(frames);
  reference_bands_.resize(stride * static_cast<std::size_t>(bands_));
  reference_level_.resize(frames);
  match_reference_.resize(frames);
  const std::size_t spectrum = LaneFft::spectrum_size(sums());
  is_turned_ = false;
  match_spectrum_.resize((frames + kFramesAtOnce - 1) / kFramesAtOnce * spectrum);
  for (std::size_t first = 0; first < frames; first += kFramesAtOnce) {
    fft_.transform(frames_from(
        first, frames, [&](std::size_t frame) { return samples_at(reference, static_cast<int>(frame * hop)); }));
    fft_.sum(sums(), std::span(match_spectrum_).subspan(first / kFramesAtOnce * spectrum, spectrum));
    put_bands(first, frames, stride, reference_bands_);
    put(fft_.match_power(), first, match_reference_);
  }
  sum_levels(reference_bands_, stride, reference_level_);
  active_.resize(frames);
  is_active_.assign(stride, 0.0F);
  is_loud_.assign(stride, 0.0F);
  is_pause_.assign(stride, 0.0F);
  find_activity();
}

void Perception::take_phase(std::span<const Complex> phase) {
  is_turned_ = !phase.empty();
  if (!is_turned_) return;
  turned_spectrum_.resize(match_spectrum_.size());
  const auto bins = static_cast<std::size_t>(match_to_ - match_from_);
  for (std::size_t row = 0; row * 2 * kFramesAtOnce < match_spectrum_.size(); ++row) {
    const Complex turn = phase[static_cast<std::size_t>(match_from_) + row % bins];
    const float* re = match_spectrum_.data() + row * 2 * kFramesAtOnce;
    const float* im = re + kFramesAtOnce;
    float* to = turned_spectrum_.data() + row * 2 * kFramesAtOnce;
    for (std::size_t n = 0; n < kFramesAtOnce; ++n) {
      to[n] = re[n] * turn.real() - im[n] * turn.imag();
      to[kFramesAtOnce + n] = re[n] * turn.imag() + im[n] * turn.real();
    }
  }
}

void Perception::transform(const PaddedSignal& degraded, std::span<const int> delay, const NotReceived& not_received) {
  const std::span<const char> deleted = not_received.deleted;
  deleted_.clear();
  for (int j = 0; j < static_cast<int>(deleted.size()); ++j) {
    if (deleted[j] != 0) deleted_.push_back(j);
  }
  cells_.reset(frames_, bands_);
  const auto frames = static_cast<std::size_t>(frames_);
  std::copy(reference_bands_.begin(), reference_bands_.end(), cells_.reference.begin());
  for (auto* plain : {&degraded_level_, &cross_, &match_degraded_, &frame_weight_}) plain->resize(frames);
  const auto samples = [&](std::size_t frame) {
    const bool nothing = !deleted_.empty() && deleted[frame] != 0;
    return samples_at(degraded,
                      nothing ? degraded.size() + model_.frame : static_cast<int>(frame) * model_.hop + delay[frame]);
  };
  const std::size_t spectrum = LaneFft::spectrum_size(sums());
  const auto& sent = is_turned_ ? turned_spectrum_ : match_spectrum_;
  for (std::size_t first = 0; first < frames; first += kFramesAtOnce) {
    fft_.transform(frames_from(first, frames, samples));
    fft_.sum_beside(sums(), std::span(sent).subspan(first / kFramesAtOnce * spectrum, spectrum));
    put_bands(first, frames, cells_.stride, cells_.degraded);
    put(fft_.match_power(), first, match_degraded_);
    put(fft_.cross(), first, cross_);
  }
  sum_levels(cells_.degraded, cells_.stride, degraded_level_);
  find_steps(delay, not_received.lost);
  find_other_sides(delay);
  find_beside_steps(delay, not_received.skipped);
  transform_other_sides(degraded);
}

LaneSums Perception::sums() const {
  return {model_.band_edges, match_from_, match_to_, bin_weight_};
}

const float* Perception::samples_at(const PaddedSignal& signal, int position) const {
  return signal.at(position - LaneFft::kBefore, model_.frame + LaneFft::kBefore) + LaneFft::kBefore;
}

void Perception::put(std::span<const float> values, std::size_t first, std::vector<float>& to) {
  std::copy_n(values.begin(), std::min(values.size(), to.size() - first),
              to.begin() + static_cast<std::ptrdiff_t>(first));
}

void Perception::put_bands(std::size_t first, std::size_t frames, std::size_t stride, std::vector<float>& cells) const {
  const std::size_t count = std::min(kFramesAtOnce, frames - first);
  const float* from = fft_.bands().data();
  float* to = cells.data() + first;
  for (int band = 0; band < bands_; ++band, from += kFramesAtOnce, to += stride) std::copy_n(from, count, to);
}

void Perception::sum_levels(const std::vector<float>& cells, std::size_t stride, std::vector<float>& level) const {
  std::fill(level.begin(), level.end(), 0.0F);
  for (int band = 0; band < bands_; ++band) {
    if (sets_level_[band] == 0) continue;
    add_to({cells.data() + static_cast<std::size_t>(band) * stride, level.size()}, level);
  }
}

// Where speech is missing the delay wanders, and its steps are none of the line.
void Perception::find_steps(std::span<const int> delay, std::span<const char> lost) {
  step_.assign(delay.size(), 0);
  bool found_before = false;
  for (int first = 0; first < frames_;) {
    int last = first;
    bool found = false;
    for (; last < frames_ && delay[last] == delay[first]; ++last) {
      found = found || (active_[last] != 0 && (lost.empty() || lost[last] == 0));
    }
    if (first > 0 && found_before && found) step_[first] = std::abs(delay[first] - delay[first - 1]);
    found_before = found;
    first = last;
  }
}

void Perception::find_other_sides(std::span<const int> delay) {
  const int reach = model_.jump_reach;
  nearest_.assign(delay.size(), reach + 1);
  nearest_step_.assign(delay.size(), 0);
  other_delay_.assign(delay.begin(), delay.end());
  for (int j = 1; j < frames_; ++j) {
    if (std::abs(delay[j] - delay[j - 1]) <= model_.jump_from) continue;
    for (int k = std::max(0, j - reach); k < std::min(frames_, j + reach); ++k) {
      const int distance = k < j ? j - k : k - j + 1;
      if (distance >= nearest_[k]) continue;
      nearest_[k] = distance;
      nearest_step_[k] = j;
      other_delay_[k] = k < j ? delay[j] : delay[j - 1];
    }
  }
  other_frame_.clear();
  for (int j = 0; j < frames_; ++j) {
    if (nearest_[j] <= reach) other_frame_.push_back(j);
  }
}

// What a step left out is heard as the step, and so are the frames that reach into it. Of more than the longest step
// that the model was fitted to the middle is missed as any speech that is lost.
void Perception::find_beside_steps(std::span<const int> delay, std::span<const char> skipped) {
  frame_beside_ = other_frame_;
  const int reach = model_.jump_reach;
  const auto frames = static_cast<int>(skipped.size());
  const int inside = model_.long_step / (2 * model_.hop);
  for (int first = 0; first < frames; ++first) {
    if (skipped[first] == 0) continue;
    int last = first;
    while (last < frames && skipped[last] != 0) ++last;
    // The delay changes once, inside or behind what was left out.
    int step = std::min(last, frames - 1);
    while (step > first && delay[step] == delay[step - 1]) --step;
    for (int k = std::max(0, first - reach); k < std::min(frames, last + reach); ++k) {
      if (nearest_[k] <= reach || (k - first >= inside && last - k > inside)) continue;
      nearest_[k] = reach;
      nearest_step_[k] = step;
      frame_beside_.push_back(k);
    }
    first = last;
  }
}

void Perception::transform_other_sides(const PaddedSignal& degraded) {
  const int count = static_cast<int>(other_frame_.size());
  others_.reset(count, bands_);
  const auto samples = [&](std::size_t other) {
    const int frame = other_frame_[other];
    return samples_at(degraded, frame * model_.hop + other_delay_[frame]);
  };
  for (std::size_t first = 0; first < other_frame_.size(); first += kFramesAtOnce) {
    fft_.transform(frames_from(first, other_frame_.size(), samples));
    fft_.sum_bands(sums());
    put_bands(first, other_frame_.size(), others_.stride, others_.degraded);
  }
}

double Perception::waveform_match(std::span<const int> delay, std::span<const char> lost) const {
  const double reference_mean = std::accumulate(match_reference_.begin(), match_reference_.end(), 0.0) / frames_;
  const double degraded_mean = std::accumulate(match_degraded_.begin(), match_degraded_.end(), 0.0) / frames_;
  // Frames 60 dB below the mean of either say nothing.
  const double floor = 1e-6 * reference_mean * degraded_mean + kLeastPower;
  double sum = 0;
  double weights = 0;
  for (int first = 0; first < frames_;) {
    int last = first + 1;
    while (last < frames_ && std::abs(delay[last] - delay[last - 1]) <= model_.match_steady) ++last;
    const double steadiness = std::min(1.0, static_cast<double>(last - first) / std::min(frames_, model_.match_run));
    for (int j = first; j < last; ++j) {
      const double reference = match_reference_[j];
      const double weight = std::min(1.0, std::sqrt(reference / (reference_mean + kLeastPower)));
      weights += weight;
      if (!lost.empty() && lost[j] != 0) continue;
      sum += steadiness * weight * cross_[j] / std::sqrt(reference * match_degraded_[j] + floor);
    }
    first = last;
  }
  return sum / (weights + kLeastPower);
}

double Perception::reference_power() const {
  return std::accumulate(reference_level_.begin(), reference_level_.end(), 0.0) / frames_;
}

double Perception::degraded_power() const {
  return std::accumulate(degraded_level_.begin(), degraded_level_.end(), 0.0) / frames_;
}

void Perception::find_activity() {
  const double threshold = reference_power() * model_.active_ratio;
  const double loud = reference_power() * model_.loud_ratio;
  active_count_ = 0;
  loud_count_ = 0;
  for (int j = 0; j < frames_; ++j) {
    active_[j] = reference_level_[j] > threshold ? 1 : 0;
    is_active_[j] = active_[j];
    is_pause_[j] = active_[j] != 0 ? 0.0F : 1.0F;
    active_count_ += active_[j];
    is_loud_[j] = reference_level_[j] > loud ? 1 : 0;
    loud_count_ += reference_level_[j] > loud ? 1 : 0;
  }
}

double Perception::level_variation_db() const {
  double sum = 0;
  double square = 0;
  for (int j = 0; j < frames_; ++j) {
    if (active_[j] == 0) continue;
    const double level = 10 * std::log10(reference_level_[j] + kLeastPower);
    sum += level;
    square += level * level;
  }
  const double count = std::max(1, active_count_);
  return std::sqrt(std::max(0.0, square / count - sum / count * sum / count));
}

double Perception::speech_to_pause_db() const {
  constexpr double kMost = 1e-6;  // not tuned: of the mean power, rounding
  double speech = 0;
  double pause = 0;
  for (int j = 0; j < frames_; ++j) (active_[j] != 0 ? speech : pause) += degraded_level_[j];
  speech /= std::max(1, active_count_);
  pause /= std::max(1, frames_ - active_count_);
  return 10 * std::log10((speech + kLeastPower) / (pause + kMost * speech + kLeastPower));
}

double Perception::largest_pause_band() const {
  double largest = 0;
  double sum = 0;
  for (int band = 0; band < bands_; ++band) {
    const double density = mean_where(is_pause_, 1, cells_.row(cells_.degraded, band)) / width_bark_[band];
    largest = std::max(largest, density);
    sum += density;
  }
  return sum > 0 ? largest / sum : 0;
}

FrameSums Perception::frame_sums() const {
  FrameSums sums{frames_, active_count_, loud_count_, reference_power() * frames_, degraded_power() * frames_, {}, {}};
  for (int band = 0; band < bands_; ++band) {
    sums.reference_bands.push_back(mean_where(is_active_, 1, cells_.row(cells_.reference, band)));
    sums.degraded_bands.push_back(mean_where(is_active_, 1, cells_.row(cells_.degraded, band)));
  }
  return sums;
}

void Perception::normalise(double least_degraded_power, const FrameSums* line) {
  // The power of each recording over all frames becomes that of its loud frames at 1.
  const int frames = line != nullptr ? line->frames : frames_;
  const int loud = line != nullptr ? line->loud_frames : loud_count_;
  const double reference = line != nullptr ? line->reference_power / frames : reference_power();
  const double degraded = line != nullptr ? line->degraded_power / frames : degraded_power();
  reference_scale_ = loud / (reference * frames + kLeastPower);
  degraded_scale_ = loud / (std::max(degraded, least_degraded_power) * frames + kLeastPower);
  const auto scale = [](std::vector<float>& cells, double factor) {
    subtract_and_scale(cells, 0, static_cast<float>(factor), cells);
  };
  scale(cells_.reference, reference_scale_);
  scale(cells_.degraded, degraded_scale_);
  scale(others_.degraded, degraded_scale_);
}

double Perception::mean_where(const std::vector<float>& chosen, int count, std::span<const float> cells) const {
  return dot_product(cells.data(), chosen.data(), static_cast<int>(cells_.stride)) / std::max(1, count);
}

void Perception::forgive_response(const FrameSums* line) {
  for (int band = 0; band < bands_; ++band) {
    const auto p = cells_.row(cells_.reference, band);
    const auto q = cells_.row(cells_.degraded, band);
    const double sent = line != nullptr ? reference_scale_ * line->reference_bands[band] / line->active_frames
                                        : mean_where(is_active_, active_count_, p);
    const double received = line != nullptr ? degraded_scale_ * line->degraded_bands[band] / line->active_frames
                                            : mean_where(is_active_, active_count_, q);
    const double response = std::clamp((received + model_.loudness_floor) / (sent + model_.loudness_floor),
                                       1 / model_.response_limit, model_.response_limit);
    scale_and_add(p, static_cast<float>(response), cells_.reference_sum);
    add_to(q, cells_.degraded_sum);
    const auto other = others_.row(others_.reference, band);
    for (std::size_t n = 0; n < other.size(); ++n) other[n] = p[other_frame_[n]];
    add_to(other, others_.reference_sum);
    add_to(others_.row(others_.degraded, band), others_.degraded_sum);
  }
}

LoudnessLaw Perception::law_of(int band) const {
  LoudnessLaw law;
  law.floor = static_cast<float>(loudness_floor_[band]);
  law.exponent = static_cast<float>(model_.loudness_exponent);
  law.ratio_floor = static_cast<float>(model_.raised_floor);
  law.ratio = static_cast<float>(model_.raised_ratio);
  law.raised_norm = static_cast<float>(model_.raised_norm);
  law.weight = static_cast<float>(band_weight_[band]);
  return law;
}

// Forgives the gain of each frame and adds the loudness differences over bands.
void Perception::hear(Cells& cells) const {
  limited_ratio(cells.reference_sum, cells.degraded_sum, static_cast<float>(model_.gain_floor),
                static_cast<float>(model_.gain_lowest), static_cast<float>(model_.gain_highest), cells.gain);
  for (int band = 0; band < bands_; ++band) {
    add_loudness_difference(cells.row(cells.reference, band), cells.row(cells.degraded, band), cells.gain, law_of(band),
                            cells.changed, cells.raised);
  }
  // Below this every difference is rounding; it also keeps the logarithm inside the power finite.
  constexpr float kNothing = 1e-30F;  // not tuned: below it every difference is rounding
  to_power(cells.raised, 1, kNothing, static_cast<float>(1 / model_.raised_norm));
  for (float& changed : cells.changed) changed = std::sqrt(changed);
}

// Near a jump nobody knows which of the two delays a frame has: the one at which it sounds worse counts, as what is
// repeated or missing there does not fit either.
void Perception::hear_other_sides() {
  hear(others_);
  for (std::size_t n = 0; n < other_frame_.size(); ++n) {
    float& changed = cells_.changed[static_cast<std::size_t>(other_frame_[n])];
    float& raised = cells_.raised[static_cast<std::size_t>(other_frame_[n])];
    changed = std::max(changed, others_.changed[n]);
    raised = std::max(raised, others_.raised[n]);
  }
}

void Perception::weigh_frames() {
  std::copy(reference_level_.begin(), reference_level_.end(), frame_weight_.begin());
  to_power(frame_weight_, static_cast<float>(reference_scale_), static_cast<float>(model_.frame_weight_floor),
           static_cast<float>(-model_.frame_weight_exponent));
  const auto quiet = static_cast<float>(std::exp(-model_.frame_weight_quiet));
  const auto weight_of = [&](int j) { return frame_weight_[j] * (is_loud_[j] != 0 ? 1.0F : quiet); };
  for (int j = 0; j < frames_; ++j) {
    const float weight = weight_of(j);
    cells_.changed[j] *= weight;
    cells_.raised[j] *= weight;
  }
}

double Perception::worst_over_time(std::span<const float> distance) const {
  double sum = 0;
  int windows = 0;
  for (int start = 0; start < frames_; start += model_.window / 2) {
    const int end = std::min(frames_, start + model_.window);
    const float worst = *std::max_element(distance.begin() + start, distance.begin() + end);
    sum += std::pow(static_cast<double>(worst), model_.time_exponent);
    ++windows;
  }
  return std::pow(sum / windows, 1 / model_.time_exponent);
}

double Perception::count_insertions(std::span<const int> delay, int longest) const {
  const int around = model_.jump_reach;
  double inserted = 0;
  for (int j = 1; j < frames_; ++j) {
    const int change = delay[j] - delay[j - 1];
    if (change <= model_.jump_from || step_[j] > longest) continue;
    int talking = 0;
    for (int k = std::max(0, j - around); k < std::min(frames_, j + around); ++k) talking += active_[k];
    inserted += talking / (2.0 * around) * std::min(change, model_.jump_largest) / model_.jump_largest;
  }
  // Frames come 62.5 a second, and the largest jump stands for a hundred milliseconds: the weight was fitted to 60.
  return inserted * 60.0 / std::max(1, active_count_);
}

double Perception::pattern_match() {
  // Loudness of both in place of their powers; then the mean of each band over active frames and the mean of each frame
  // over bands go: what remains is the pattern that makes one sentence another.
  std::fill(cells_.reference_sum.begin(), cells_.reference_sum.end(), 0.0F);
  std::fill(cells_.degraded_sum.begin(), cells_.degraded_sum.end(), 0.0F);
  // The floor is relative to active speech.
  const double active_level = model_.pattern_floor * loud_count_ / std::max(1, active_count_);
  for (int band = 0; band < bands_; ++band) {
    const auto floor = static_cast<float>(active_level * width_bark_[band]);
    for (auto* table : {&cells_.reference, &cells_.degraded}) {
      const auto row = cells_.row(*table, band);
      to_loudness(row, floor, static_cast<float>(model_.loudness_exponent), row);
      subtract_and_scale(row, static_cast<float>(mean_where(is_active_, active_count_, row)), 1, row);
      add_to(row, table == &cells_.reference ? cells_.reference_sum : cells_.degraded_sum);
    }
  }
  double product = 0;
  double reference_energy = 0;
  double degraded_energy = 0;
  for (int band = 0; band < bands_; ++band) {
    const auto p = cells_.row(cells_.reference, band);
    const auto q = cells_.row(cells_.degraded, band);
    for (int j = 0; j < frames_; ++j) {
      if (active_[j] == 0) continue;
      const double a = p[j] - cells_.reference_sum[j] / bands_;
      const double b = q[j] - cells_.degraded_sum[j] / bands_;
      product += a * b;
      reference_energy += a * a;
      degraded_energy += b * b;
    }
  }
  return product / std::sqrt(reference_energy * degraded_energy + kLeastPower);
}

Measurements Perception::compare(std::span<const int> delay, double least_degraded_power, const FrameSums* line) {
  normalise(least_degraded_power, line);
  forgive_response(line);
  hear(cells_);
  hear_other_sides();
  for (const int frame : deleted_) {
    cells_.changed[frame] = 0;
    cells_.raised[frame] = 0;
  }
  weigh_frames();
  return measure(delay, std::numeric_limits<int>::max());
}

Measurements Perception::measure(std::span<const int> delay, int longest) {
  Measurements measured;
  measured.changed = worst_over_time(cells_.changed);
  measured.raised = worst_over_time(cells_.raised);
  measured.inserted = count_insertions(delay, longest);
  if (frame_beside_.empty()) return measured;
  silence_beside_steps(-1, beside_steps_);
  measured.stepped = measured.changed - worst_over_time(cells_.changed);
  hear_again(beside_steps_);
  return measured;
}

std::optional<Measurements> Perception::without_steps(std::span<const int> delay, int longer_than) {
  silence_beside_steps(longer_than, beside_long_steps_);
  if (beside_long_steps_.empty()) return std::nullopt;
  const Measurements without = measure(delay, longer_than);
  hear_again(beside_long_steps_);
  return without;
}

void Perception::silence_beside_steps(int longer_than, std::vector<BesideStep>& heard) {
  heard.clear();
  for (const int frame : frame_beside_) {
    if (step_[nearest_step_[frame]] <= longer_than) continue;
    heard.push_back({frame, cells_.changed[frame], cells_.raised[frame]});
    cells_.changed[frame] = cells_.raised[frame] = 0;
  }
}

void Perception::hear_again(std::span<const BesideStep> heard) {
  for (const BesideStep& beside : heard) {
    cells_.changed[beside.frame] = beside.changed;
    cells_.raised[beside.frame] = beside.raised;
  }
}

std::vector<float> Perception::loudness_difference() const {
  std::vector<float> difference;
  difference.reserve(static_cast<std::size_t>(frames_) * static_cast<std::size_t>(bands_));
  for (int band = 0; band < bands_; ++band) {
    const LoudnessLaw law = law_of(band);
    const auto p = cells_.row(cells_.reference, band);
    const auto q = cells_.row(cells_.degraded, band);
    for (int j = 0; j < frames_; ++j) {
      difference.push_back(std::pow(q[j] * cells_.gain[j] + law.floor, law.exponent) -
                           std::pow(p[j] + law.floor, law.exponent));
    }
  }
  return difference;
}

double auditory_distance(const Measurements& measurements, const PerceptualModel& model) {
  return model.weight_changed * (measurements.changed - measurements.stepped) +
         model.weight_stepped * measurements.stepped + model.weight_raised * measurements.raised +
         model.weight_inserted * std::sqrt(measurements.inserted);
}

}  // namespace vqas::scoring
