#include "score/diagnose/line_response.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"
#include "vqas/signal/median.h"

namespace vqas::scoring {
namespace {

// 128 ms: long against the echo of a filter, or the response would be smeared (Bendat and Piersol, ch. 9).
constexpr double kFrameS = 0.128;
// ±10 ms, the last 3 faded: a telephone band filter has decayed, the noise of the estimate has not come in.
constexpr double kTapsS = 0.02;
constexpr double kFadeS = 0.003;
constexpr double kMiddleFromHz = 500;
constexpr double kMiddleToHz = 2500;
// Of a part that passes; how far below it something does not; the share of the middle of which that is said.
constexpr double kNarrowestHz = 150;
constexpr double kSpeechFromHz = 200;  // where speech is strong enough for a response
constexpr double kSpeechToHz = 3400;   // and up to where
// Less than 20 dB a coder takes from what it does not follow, too.
constexpr double kGoneDb = 20;
constexpr double kMuchGone = 0.3;
// What passes is coherent, which hum and a vocoder are not, and flat, which a tilt is not.
constexpr double kCoherent = 0.5;
constexpr double kFlatDb = 6;
constexpr double kLowestHz = 60;
constexpr double kHighestShare = 0.48125;  // of the rate: 3850 of 8000 Hz
// The reference says nothing about a frequency this far below its strongest.
constexpr double kReferenceHolds = 1e-6;
constexpr double kEdgeDb = -3;
// The power is followed from frame to frame in groups of kGroup bins, 62.5 Hz; fewer frames say nothing.
constexpr int kFewestFrames = 16;
constexpr int kFewestPeakFrames = 8;   // where most are clipped
constexpr double kSpeechShare = 3e-3;  // of the mean power: -25 dB, a frame of speech
// A coder replaces the waveform and keeps the power: it comes and goes with that of the reference, which noise does
// not.
constexpr double kWaveformKept = 0.8;   // coherence
constexpr double kPowerFollowed = 0.5;  // correlation of the powers
constexpr double kCoderRippleDb = 6;    // by which what a coder makes up may be too weak
// A frame of which so little arrived (-30 dB) was muted and says nothing about the filter.
constexpr double kMuted = 1e-3;
// E. Zwicker and H. Fastl, "Psychoacoustics", ch. 8: specific loudness grows with excitation^0.23 above threshold.
constexpr double kLoudnessExponent = 0.23;
// Threshold below the mean of the speech in a Bark: a choice, about that of speech at 79 dB SPL in a quiet room.
constexpr double kThreshold = 1e-5;

int samples_in(double seconds, const PerceptualModel& model) {
  return static_cast<int>(std::lround(seconds * model.rate_hz));
}

double sum_of_squares(std::span<const float> samples) {
  return dot_product(samples.data(), samples.data(), static_cast<int>(samples.size() / kLanes * kLanes));
}

/// Of each piece of `length` samples, and of what is left behind them.
std::vector<double> sums_of_squares(std::span<const float> samples, std::size_t length) {
  std::vector<double> sums;
  for (std::size_t at = 0; at < samples.size(); at += length)
    sums.push_back(sum_of_squares(samples.subspan(at, std::min(length, samples.size() - at))));
  return sums;
}

double bark(double hz) {
  return 26.81 * hz / (1960 + hz) - 0.53;  // H. Traunmueller, JASA 88(1), 1990
}

double loudness(double power) {
  return std::pow(power + 1, kLoudnessExponent) - 1;
}

}  // namespace

LineResponse::LineResponse(const PerceptualModel& model)
    : model_(model),
      frame_(samples_in(kFrameS, model)),
      tap_count_(samples_in(kTapsS, model)),
      fade_(samples_in(kFadeS, model)),
      highest_hz_(kHighestShare * model.rate_hz),
      window_(static_cast<std::size_t>(frame_)),
      fft_(static_cast<std::size_t>(frame_)),
      inverse_(static_cast<std::size_t>(frame_)),
      work_(static_cast<std::size_t>(frame_)),
      bins_(static_cast<std::size_t>(frame_)),
      spectrum_(inverse_.row()),
      impulse_(static_cast<std::size_t>(frame_)),
      taps_(static_cast<std::size_t>(tap_count_)) {
  for (int n = 0; n < frame_; ++n) {
    window_[n] = static_cast<float>(0.5 - 0.5 * std::cos(2 * std::numbers::pi * n / frame_));
  }
}

void LineResponse::note_frame() {
  // Powers of a bin in dB are worthless; of a group they are steady enough.
  const std::size_t groups = from_re_.size() / kGroup;
  const std::size_t before = sent_.size();
  sent_.resize(before + groups);
  arrived_.resize(before + groups);
  group_powers(from_re_, from_im_, std::span(sent_).subspan(before));
  group_powers(to_re_, to_im_, std::span(arrived_).subspan(before));
}

void LineResponse::follow_power(bool waveform_kept) {
  const std::size_t groups = response_db_.size() / kGroup;
  const std::size_t frames = sent_.size() / groups;
  replaced_.assign(response_db_.size(), waveform_kept ? 0 : 1);
  if (!waveform_kept || frames < kFewestFrames) return;
  for (std::size_t group = 0; group < groups; ++group) {
    double shared = kTiny;
    double all = kTiny;
    for (std::size_t bin = group * kGroup + 1; bin <= (group + 1) * kGroup && bin < response_db_.size(); ++bin) {
      shared += std::hypot(cross_re_[bin], cross_im_[bin]);
      all += std::sqrt(reference_power_[bin] * degraded_power_[bin]);
    }
    if (shared * shared > kWaveformKept * all * all) continue;
    // The slope of the line through the powers of all frames: noise that is always there is not in it.
    double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (std::size_t k = group; k < sent_.size(); k += groups) {
      x += sent_[k];
      y += arrived_[k];
      xx += static_cast<double>(sent_[k]) * sent_[k];
      xy += static_cast<double>(sent_[k]) * arrived_[k];
      yy += static_cast<double>(arrived_[k]) * arrived_[k];
    }
    const auto count = static_cast<double>(frames);
    xx -= x * x / count;
    xy -= x * y / count;
    yy -= y * y / count;
    if (xy <= kPowerFollowed * std::sqrt(xx * yy) + kTiny) continue;
    const double power_db = 10 * std::log10(xy / xx);
    for (std::size_t bin = group * kGroup + 1; bin <= (group + 1) * kGroup && bin < response_db_.size(); ++bin) {
      if (power_db <= response_db_[bin]) continue;
      response_db_[bin] = power_db;
      replaced_[bin] = 1;
    }
  }
}

double LineResponse::counted_db(int bin, double level_db) const {
  const double response = response_db_[static_cast<std::size_t>(bin)];
  if (replaced_[static_cast<std::size_t>(bin)] == 0) return response;
  return std::max(response, std::min(level_db, response + kCoderRippleDb));
}

int LineResponse::accumulate(const AlignedPair& pair, std::span<const float> y, std::span<const char> is_peak) {
  const int size = frame_;
  const auto bins = static_cast<std::size_t>(size / 2);
  reference_power_.assign(bins, 0);
  degraded_power_.assign(bins, 0);
  cross_re_.assign(bins, 0);
  cross_im_.assign(bins, 0);
  for (auto* part : {&from_re_, &from_im_, &to_re_, &to_im_}) part->assign(bins, 0.0F);
  sent_.clear();
  arrived_.clear();
  const auto x = pair.reference();
  // Frames overlap by a half.
  const auto half = static_cast<std::size_t>(size / 2);
  const std::vector<double> x_halves = sums_of_squares(x, half);
  const std::vector<double> y_halves = sums_of_squares(y, half);
  const double all_x = std::accumulate(x_halves.begin(), x_halves.end(), 0.0);
  const double scale = std::accumulate(y_halves.begin(), y_halves.end(), 0.0) / (all_x + kTiny);
  const auto delay = pair.delay();
  const int in_frame = frame_ / model_.hop;
  const auto steady = [&](int first) {
    return std::all_of(delay.begin() + first, delay.begin() + first + in_frame,
                       [&](int value) { return value == delay[static_cast<std::size_t>(first)]; });
  };
  const auto frame_at = [&](int frame) {
    return static_cast<std::size_t>(frame) * static_cast<std::size_t>(model_.hop);
  };
  const auto peaks_in = [&](int frame) {
    const auto peaks = is_peak.subspan(frame_at(frame), static_cast<std::size_t>(size));
    return static_cast<int>(std::count(peaks.begin(), peaks.end(), 1));
  };
  // The frames of speech with the fewest peaks; all of those without any.
  const double least_power = kSpeechShare * all_x * size / static_cast<double>(x.size());
  int most_peaks = 0;
  if (!is_peak.empty()) {
    std::vector<int> counts;
    for (int frame = 0; (frame + in_frame) <= static_cast<int>(delay.size()); frame += in_frame / 2) {
      if (!steady(frame)) continue;
      if (sum_of_squares(x.subspan(frame_at(frame), static_cast<std::size_t>(size))) < least_power) continue;
      counts.push_back(peaks_in(frame));
    }
    std::sort(counts.begin(), counts.end());
    if (!counts.empty()) most_peaks = counts[std::min<std::size_t>(counts.size(), kFewestPeakFrames) - 1];
  }
  int used = 0;
  for (int frame = 0; (frame + in_frame) <= static_cast<int>(delay.size()); frame += in_frame / 2) {
    if (!steady(frame)) continue;
    const auto at = frame_at(frame);
    const double xx = x_halves[at / half] + x_halves[at / half + 1];
    const double yy = y_halves[at / half] + y_halves[at / half + 1];
    if (yy <= kMuted * scale * xx) continue;
    if (!is_peak.empty() && (xx < least_power || peaks_in(frame) > most_peaks)) continue;
    ++used;
    interleave_windowed(x.data() + at, y.data() + at, window_.data(), size, work_.data());
    if (!is_peak.empty()) {
      // Each frame as much as any other: the loudest are those that were clipped.
      const double power = sum_of_squares(x.subspan(at, static_cast<std::size_t>(size)));
      const auto weight = static_cast<float>(1 / std::sqrt(power + kTiny));
      for (Complex& both : work_) both *= weight;
    }
    fft_.forward(work_.data(), bins_.data());
    // Twice the spectra of both.
    const std::size_t count = bins - 1;
    split_spectrum(bins_.data(), size, 1, static_cast<int>(count), {from_re_.data(), from_im_.data()},
                   {to_re_.data(), to_im_.data()});
    add_cross_spectrum(
        {from_re_.data(), from_im_.data()}, {to_re_.data(), to_im_.data()}, count,
        {reference_power_.data() + 1, degraded_power_.data() + 1, cross_re_.data() + 1, cross_im_.data() + 1});
    note_frame();
  }
  return used;
}

void LineResponse::make_taps(bool waveform_kept) {
  const int size = frame_;
  const double strongest = *std::max_element(reference_power_.begin(), reference_power_.end());
  std::fill(spectrum_.begin(), spectrum_.end(), Complex(0, 0));
  for (int bin = 1; bin < size / 2; ++bin) {
    const double power = reference_power_[bin] + 1e-9 * strongest + kTiny;
    const std::complex<double> response = waveform_kept ? std::complex<double>(cross_re_[bin], cross_im_[bin]) / power
                                                        : std::complex<double>(std::sqrt(degraded_power_[bin] / power));
    spectrum_[bin] = Complex(response);
  }
  inverse_.inverse(spectrum_.data(), impulse_.data());
  // Taper, so that what is cut off leaves no ripple; reversed, for a dot product.
  for (int n = 0; n < tap_count_; ++n) {
    const int lag = n - tap_count_ / 2;
    const double fade = std::max(0, std::abs(lag) - (tap_count_ / 2 - fade_)) / static_cast<double>(fade_);
    const double taper = 0.5 + 0.5 * std::cos(std::numbers::pi * fade);
    taps_[static_cast<std::size_t>(tap_count_ - 1 - n)] =
        static_cast<float>(taper * impulse_[static_cast<std::size_t>((lag + size) % size)] / size);
  }
  // The response of the taper's width, which is also what the filter does.
  response_db_.assign(static_cast<std::size_t>(size / 2), -200);
  std::fill(impulse_.begin(), impulse_.end(), 0.0F);
  for (int n = 0; n < tap_count_; ++n) {
    impulse_[static_cast<std::size_t>((n - tap_count_ / 2 + size) % size)] =
        taps_[static_cast<std::size_t>(tap_count_ - 1 - n)];
  }
  inverse_.forward(impulse_.data(), spectrum_.data());
  for (int bin = 1; bin < size / 2; ++bin) {
    response_db_[static_cast<std::size_t>(bin)] = 10 * std::log10(std::norm(spectrum_[bin]) + kTiny);
  }
}

void LineResponse::filter(std::span<const float> reference) {
  // predicted[n] = sum over lags of impulse[lag]·x[n - lag].
  padded_.assign(reference.size() + taps_.size(), 0.0F);
  std::copy(reference.begin(), reference.end(), padded_.begin() + tap_count_ / 2 - 1);
  predicted_.resize(reference.size());
  sliding_products(taps_.data(), padded_.data(), tap_count_, predicted_);
}

void LineResponse::measure(const AlignedPair& pair, std::span<const float> degraded, bool waveform_kept) {
  accumulate(pair, degraded, {});
  make_taps(waveform_kept);
  filter(pair.reference());
  follow_power(waveform_kept);
}

void LineResponse::measure_beside(const AlignedPair& pair, std::span<const float> degraded,
                                  std::span<const char> is_peak) {
  if (accumulate(pair, degraded, is_peak) < kFewestPeakFrames / 2) {
    measure(pair, degraded, true);
    return;
  }
  make_taps(true);
  filter(pair.reference());
  follow_power(true);
}

double LineResponse::median_db(int first, int last) const {
  std::vector<double> values(response_db_.begin() + first, response_db_.begin() + last);
  return upper_median(values);
}

LineResponse::Passed LineResponse::find_passed(int first_bin, int last_bin, int from, int to) const {
  const Passed ordinary{from, to, median_db(from, to)};
  const int width = static_cast<int>(kNarrowestHz * frame_ / model_.rate_hz);
  int loudest = from;
  double most = -1e9;
  const int lowest = static_cast<int>(kSpeechFromHz * frame_ / model_.rate_hz);
  const int highest = static_cast<int>(kSpeechToHz * frame_ / model_.rate_hz);
  // The window's values stay in order from place to place.
  std::vector<double> window;
  for (int bin = lowest; bin + width <= std::min(last_bin, highest); ++bin) {
    if (bin == lowest) {
      window.assign(response_db_.begin() + bin, response_db_.begin() + bin + width);
      std::sort(window.begin(), window.end());
    } else {
      window.erase(std::lower_bound(window.begin(), window.end(), response_db_[static_cast<std::size_t>(bin - 1)]));
      const double next = response_db_[static_cast<std::size_t>(bin + width - 1)];
      window.insert(std::upper_bound(window.begin(), window.end(), next), next);
    }
    const double level = window[window.size() / 2];
    if (level > most) {
      most = level;
      loudest = bin;
    }
  }
  const auto gone = std::count_if(response_db_.begin() + from, response_db_.begin() + to,
                                  [&](double db) { return db < most - kGoneDb; });
  if (static_cast<double>(gone) < kMuchGone * (to - from)) return ordinary;
  // So much of the middle does not pass that its median is no level of what does.
  const auto passes = [&](int bin) { return response_db_[static_cast<std::size_t>(bin)] >= most + kEdgeDb; };
  Passed part{loudest, loudest + width, most};
  while (part.first > first_bin && passes(part.first - 1)) --part.first;
  while (part.last < last_bin && passes(part.last)) ++part.last;
  double shared = 0;
  double all = 0;
  for (int bin = part.first; bin < part.last; ++bin) {
    const auto at = static_cast<std::size_t>(bin);
    shared += cross_re_[at] * cross_re_[at] + cross_im_[at] * cross_im_[at];
    all += reference_power_[at] * degraded_power_[at];
  }
  const double peak = *std::max_element(response_db_.begin() + part.first, response_db_.begin() + part.last);
  if (shared < kCoherent * all || peak > most + kFlatDb) return ordinary;
  part.level_db = median_db(part.first, part.last);
  return part;
}

LineResponse::Passed LineResponse::passed() const {
  const double bin_hz = static_cast<double>(model_.rate_hz) / frame_;
  return find_passed(static_cast<int>(std::ceil(kLowestHz / bin_hz)), static_cast<int>(highest_hz_ / bin_hz),
                     static_cast<int>(kMiddleFromHz / bin_hz), static_cast<int>(kMiddleToHz / bin_hz));
}

BandLoss LineResponse::band_loss(const Passed& passed) const {
  const double bin_hz = static_cast<double>(model_.rate_hz) / frame_;
  const int first_bin = static_cast<int>(std::ceil(kLowestHz / bin_hz));
  const int last_bin = static_cast<int>(highest_hz_ / bin_hz);
  const double level = passed.level_db;
  const double strongest = *std::max_element(reference_power_.begin(), reference_power_.end());

  // From the strongest frequency of what passes outwards until the response stays below the edge for 100 Hz.
  const auto peak = static_cast<int>(
      std::max_element(response_db_.begin() + passed.first, response_db_.begin() + passed.last) - response_db_.begin());
  const auto holds = [&](int bin) {
    return reference_power_[static_cast<std::size_t>(bin)] > kReferenceHolds * strongest;
  };
  const int beyond = static_cast<int>(100 / bin_hz);
  const auto walk = [&](int direction, int end) {
    int inside = peak;
    for (int bin = peak; bin != end + direction && std::abs(bin - inside) <= beyond; bin += direction) {
      if (!holds(bin) || counted_db(bin, level) >= level + kEdgeDb) inside = bin;
    }
    if (inside == end) return end * bin_hz;
    double edge_db = level + kEdgeDb;
    if (replaced_[static_cast<std::size_t>(inside)] != 0) {
      // A filter beside a coder: its edge is below what the coder leaves just inside of it.
      const int from_edge = inside - direction * beyond;
      const int into_band = std::clamp(from_edge - direction * 3 * beyond, first_bin, last_bin);
      if ((from_edge - into_band) * direction > 0) {
        edge_db = std::min(level, median_db(std::min(from_edge, into_band), std::max(from_edge, into_band))) + kEdgeDb;
      }
      while (inside != peak && response_db_[static_cast<std::size_t>(inside)] < edge_db) inside -= direction;
    }
    // Between the last bin inside and the next, on a straight line.
    const double a = response_db_[static_cast<std::size_t>(inside)];
    const double b = response_db_[static_cast<std::size_t>(std::ptrdiff_t{inside} + direction)];
    const double way = a > b && a >= edge_db ? std::clamp((a - edge_db) / (a - b), 0.0, 1.0) : 0.0;
    return (inside + direction * way) * bin_hz;
  };
  BandLoss result;
  result.low_hz = walk(-1, first_bin);
  result.high_hz = walk(1, last_bin);

  double mean = 0;
  for (int bin = first_bin; bin <= last_bin; ++bin) mean += reference_power_[static_cast<std::size_t>(bin)];
  mean /= bark(last_bin * bin_hz) - bark(first_bin * bin_hz);
  double all = 0;
  double lost = 0;
  for (int bin = first_bin; bin <= last_bin;) {
    const double begin = bark((bin - 0.5) * bin_hz);
    double before = 0;
    double after = 0;
    double width = 0;
    do {
      const double power = reference_power_[static_cast<std::size_t>(bin)];
      before += power;
      after += power * std::pow(10, std::min(0.0, counted_db(bin, level) - level) / 10);
      width = bark((bin + 0.5) * bin_hz) - begin;
      ++bin;
    } while (bin <= last_bin && bark((bin + 0.5) * bin_hz) - begin <= 1);
    const double full = loudness(before / (width * mean * kThreshold + kTiny));
    all += width * full;
    lost += width * (full - loudness(after / (width * mean * kThreshold + kTiny)));
  }
  result.loudness_lost = all > 0 ? std::clamp(lost / all, 0.0, 1.0) : 0.0;
  return result;
}

}  // namespace vqas::scoring
