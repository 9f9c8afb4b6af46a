#include "score/compare/perception.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "score/dsp/kernels.h"
#include "score/dsp/power_of_speech.h"
#include "score/model/shared_numbers.h"
#include "vqas/signal/median.h"

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
    : model_(model),
      bands_(static_cast<int>(model.band_edges.size()) - 1),
      fft_(window_of(model.frame)),
      steps_(model) {
  const double bin_hz = static_cast<double>(model.rate_hz) / model.frame;
  match_from_ = static_cast<int>(std::lround(model.match_from_hz / bin_hz));
  match_to_ = static_cast<int>(std::lround(model.match_to_hz / bin_hz));
  for (int band = 0; band < bands_; ++band) {
    const double from = model.band_edges[band] * bin_hz;
    const double to = model.band_edges[band + 1] * bin_hz;
    const double centre = std::sqrt(from * to);
    width_bark_.push_back(bark(to) - bark(from));
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
  const double all = std::accumulate(width_bark_.begin(), width_bark_.end(), 0.0);
  for (const double width : width_bark_) band_weight_.push_back(width / all);
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
  is_pause_.assign(stride, 0.0F);
  find_sound();
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

void Perception::transform(const PaddedSignal& degraded, std::span<const int> delay, const NotReceived& not_received,
                           bool is_matched) {
  const std::span<const char> deleted = not_received.deleted;
  deleted_.clear();
  for (int j = 0; j < static_cast<int>(deleted.size()); ++j) {
    if (deleted[j] != 0) deleted_.push_back(j);
  }
  cells_.reset(frames_, bands_);
  const auto frames = static_cast<std::size_t>(frames_);
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
    if (is_matched) {
      fft_.sum_beside(sums(), std::span(sent).subspan(first / kFramesAtOnce * spectrum, spectrum));
      put(fft_.match_power(), first, match_degraded_);
      put(fft_.cross(), first, cross_);
    } else {
      fft_.sum_bands(sums());
    }
    put_bands(first, frames, cells_.stride, cells_.degraded);
  }
  sum_levels(cells_.degraded, cells_.stride, degraded_level_);
  steps_.find(delay, active_, not_received);
  const std::span<const int> other_frames = steps_.both_sides();
  transform_apart(degraded, other_frames.size(), others_, [&](std::size_t n) {
    const int frame = other_frames[n];
    return frame * model_.hop + steps_.other_delay()[frame];
  });
  transform_between(degraded);
}

LaneSums Perception::sums() const {
  return {model_.band_edges, match_from_, match_to_, bin_weight_};
}

const float* Perception::samples_at(const PaddedSignal& signal, int position) const {
  return signal.at(position - LaneFft::kBefore, model_.frame + LaneFft::kBefore) + LaneFft::kBefore;
}

void Perception::put(std::span<const float> values, std::size_t first, AlignedVector<float>& to) {
  std::copy_n(values.begin(), std::min(values.size(), to.size() - first),
              to.begin() + static_cast<std::ptrdiff_t>(first));
}

void Perception::put_bands(std::size_t first, std::size_t frames, std::size_t stride,
                           AlignedVector<float>& cells) const {
  const std::size_t count = std::min(kFramesAtOnce, frames - first);
  const float* from = fft_.bands().data();
  float* to = cells.data() + first;
  for (int band = 0; band < bands_; ++band, from += kFramesAtOnce, to += stride) std::copy_n(from, count, to);
}

void Perception::sum_levels(const AlignedVector<float>& cells, std::size_t stride, AlignedVector<float>& level) const {
  std::fill(level.begin(), level.end(), 0.0F);
  for (int band = 0; band < bands_; ++band) {
    if (sets_level_[band] == 0) continue;
    add_to({cells.data() + static_cast<std::size_t>(band) * stride, level.size()}, level);
  }
}

template <typename Place>
void Perception::transform_apart(const PaddedSignal& degraded, std::size_t count, Cells& to, const Place& place) {
  to.reset(static_cast<int>(count), bands_);
  const auto samples = [&](std::size_t n) { return samples_at(degraded, place(n)); };
  for (std::size_t first = 0; first < count; first += kFramesAtOnce) {
    fft_.transform(frames_from(first, count, samples));
    fft_.sum_bands(sums());
    put_bands(first, count, to.stride, to.degraded);
  }
}

// The reference is silent there.
void Perception::transform_between(const PaddedSignal& degraded) {
  between_place_.clear();
  for (const StepPlaces::Between& one : steps_.between()) {
    for (int n = 0; n < one.frames; ++n) between_place_.push_back(one.from + n * model_.hop);
  }
  transform_apart(degraded, between_place_.size(), between_, [&](std::size_t n) { return between_place_[n]; });
  std::fill(between_.reference.begin(), between_.reference.end(), 0.0F);
  between_level_.resize(between_place_.size());
  sum_levels(between_.degraded, between_.stride, between_level_);
  if (!between_level_.empty()) find_least_sound();
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

// Of the reference's sound: silence around it makes neither recording weaker.
double Perception::mean_of_sound(const AlignedVector<float>& level) const {
  const auto first = level.begin() + static_cast<std::ptrdiff_t>(sound_.begin);
  const auto end = first + static_cast<std::ptrdiff_t>(sound_.frames);
  return std::accumulate(first, end, 0.0) / static_cast<double>(std::max<std::size_t>(1, sound_.frames));
}

void Perception::find_sound() {
  const double silence = power_of_speech(reference_level_) * model_.silent_ratio;
  const auto is_sound = [&](float level) { return level > silence; };
  const auto first = std::ranges::find_if(reference_level_, is_sound);
  const auto last = std::find_if(reference_level_.rbegin(), reference_level_.rend(), is_sound).base();
  sound_ = {static_cast<std::size_t>(first - reference_level_.begin()),
            static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, last - first))};
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
  const auto sound = static_cast<double>(sound_.frames);
  FrameSums sums{frames_,
                 static_cast<int>(sound_.frames),
                 active_count_,
                 loud_count_,
                 reference_power() * sound,
                 degraded_power() * sound,
                 {},
                 {}};
  for (int band = 0; band < bands_; ++band) {
    sums.reference_bands.push_back(mean_where(is_active_, 1, cells_.row(reference_bands_, band)));
    sums.degraded_bands.push_back(mean_where(is_active_, 1, cells_.row(cells_.degraded, band)));
  }
  return sums;
}

void Perception::normalise(double least_degraded_power, const FrameSums* line) {
  // The power of each recording over the reference's sound becomes that of its loud frames at 1.
  const double sound = line != nullptr ? line->sound_frames : static_cast<double>(sound_.frames);
  const int loud = line != nullptr ? line->loud_frames : loud_count_;
  const double reference = line != nullptr ? line->reference_power / sound : reference_power();
  const double degraded = line != nullptr ? line->degraded_power / sound : degraded_power();
  reference_scale_ = loud / (reference * sound + kLeastPower);
  degraded_scale_ = loud / (std::max(degraded, least_degraded_power) * sound + kLeastPower);
  const auto scale = [](const AlignedVector<float>& cells, double factor, AlignedVector<float>& to) {
    subtract_and_scale(cells, 0, static_cast<float>(factor), to);
  };
  scale(reference_bands_, reference_scale_, cells_.reference);
  scale(cells_.degraded, degraded_scale_, cells_.degraded);
  scale(others_.degraded, degraded_scale_, others_.degraded);
  scale(between_.degraded, degraded_scale_, between_.degraded);
}

double Perception::mean_where(const AlignedVector<float>& chosen, int count, std::span<const float> cells) const {
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
    for (std::size_t n = 0; n < other.size(); ++n) other[n] = p[steps_.both_sides()[n]];
    add_to(other, others_.reference_sum);
    add_to(others_.row(others_.degraded, band), others_.degraded_sum);
    add_to(between_.row(between_.degraded, band), between_.degraded_sum);
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
  for (std::size_t n = 0; n < others_.changed.size(); ++n) {
    const auto frame = static_cast<std::size_t>(steps_.both_sides()[n]);
    float& changed = cells_.changed[frame];
    float& raised = cells_.raised[frame];
    changed = std::max(changed, others_.changed[n]);
    raised = std::max(raised, others_.raised[n]);
  }
}

// Sound is heard there as in a pause. What the line sends in pauses, too, is the line's.
void Perception::hear_between() {
  hear(between_);
  for (std::size_t n = 0; n < between_level_.size(); ++n) {
    if (between_level_[n] > least_sound_) continue;
    between_.changed[n] = between_.raised[n] = 0;
  }
}

// Of the pauses the median: in a pause the delay may step where it likes, so that frames of it lie on what was put in.
void Perception::find_least_sound() {
  pause_level_.clear();
  for (int j = 0; j < frames_; ++j) {
    if (active_[j] == 0) pause_level_.push_back(degraded_level_[j]);
  }
  const double pause = pause_level_.empty() ? 0 : upper_median(pause_level_);
  least_sound_ = std::max(kSoundShare * degraded_power(), kClearlyOver * pause);
}

double Perception::sound_between_s() const {
  int hops = 0;
  std::size_t first = 0;
  for (const StepPlaces::Between& one : steps_.between()) {
    const auto levels = std::span(between_level_).subspan(first, static_cast<std::size_t>(one.frames));
    const auto frames =
        static_cast<int>(std::ranges::count_if(levels, [&](float level) { return level > least_sound_; }));
    // Frames that follow each other share a hop, and the frames of either side hear the ends.
    if (frames > 0) hops += frames + model_.frame / model_.hop - 1;
    for (const float end : {levels.front(), levels.back()}) hops += end > least_sound_ ? model_.jump_reach : 0;
    first += levels.size();
  }
  return static_cast<double>(hops) * model_.hop / model_.rate_hz;
}

void Perception::weigh_frames() {
  std::copy(reference_level_.begin(), reference_level_.end(), frame_weight_.begin());
  to_power(frame_weight_, static_cast<float>(reference_scale_), static_cast<float>(model_.frame_weight_floor),
           static_cast<float>(-model_.frame_weight_exponent));
  for (int j = 0; j < frames_; ++j) {
    cells_.changed[j] *= frame_weight_[j];
    cells_.raised[j] *= frame_weight_[j];
  }
  const auto silent = static_cast<float>(std::pow(model_.frame_weight_floor, -model_.frame_weight_exponent));
  for (auto* distance : {&between_.changed, &between_.raised}) {
    for (float& one : *distance) one *= silent;
  }
}

double Perception::sum_of_worst(std::span<const float> distance, double most) const {
  double sum = 0;
  for (std::size_t start = 0; start < distance.size(); start += half_window()) {
    const auto part = distance.subspan(start, std::min(2 * half_window(), distance.size() - start));
    const double worst = *std::ranges::max_element(part);
    const double limited = worst / std::pow(1 + std::pow(worst / most, model_.most_bend), 1 / model_.most_bend);
    sum += std::pow(limited, model_.time_exponent);
  }
  return sum;
}

// What a step put in counts beside the reference's own time, so that it never makes the rest count less. Neither does
// the silence that a file may have before and behind its sound.
double Perception::worst_over_time(std::span<const float> frames, std::span<const float> between, double most) const {
  const auto distance = frames.subspan(compared_.begin, compared_.frames);
  if (distance.empty()) return 0;
  double sum = sum_of_worst(distance, most);
  std::size_t first = 0;
  for (const StepPlaces::Between& one : steps_.between()) {
    sum += sum_of_worst(between.subspan(first, static_cast<std::size_t>(one.frames)), most);
    first += static_cast<std::size_t>(one.frames);
  }
  const std::size_t windows = (distance.size() + half_window() - 1) / half_window();
  return std::pow(sum / static_cast<double>(windows), 1 / model_.time_exponent);
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

Measurements Perception::compare(std::span<const int> delay, double least_degraded_power, const FrameSums* line,
                                 bool is_segment) {
  compared_ = is_segment ? FrameStretch{0, static_cast<std::size_t>(frames_)} : sound_;
  normalise(least_degraded_power, line);
  forgive_response(line);
  hear(cells_);
  hear_other_sides();
  hear_between();
  for (const int frame : deleted_) {
    cells_.changed[frame] = 0;
    cells_.raised[frame] = 0;
  }
  weigh_frames();
  return measure(delay, std::numeric_limits<int>::max());
}

Measurements Perception::measure(std::span<const int> delay, int longest) {
  Measurements measured;
  measured.changed = changed_over_time();
  measured.raised = worst_over_time(cells_.raised, between_.raised, model_.most_raised);
  measured.inserted = steps_.inserted(delay, active_, longest);
  if (steps_.beside().empty()) return measured;
  silence_beside_steps(-1, beside_steps_);
  measured.stepped = measured.changed - changed_over_time();
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
  for (const int frame : steps_.beside()) {
    if (steps_.size_beside(frame) <= longer_than) continue;
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

}  // namespace vqas::scoring
