#include "score/diagnose/line_response.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "score/diagnose/step_powers.h"
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
constexpr double kMiddleFromHz = 500;      // what every line passes, and has its level from
constexpr double kMiddleToHz = 2500;       // and up to here
constexpr double kNarrowestHz = 150;       // of a part that passes
constexpr double kLowestHz = 60;           // telephone lines begin above it
constexpr double kHighestShare = 0.48125;  // of the rate: 3850 of 8000 Hz
// The reference says nothing about a frequency this far below its strongest.
constexpr double kReferenceHolds = 1e-6;
constexpr double kEdgeDb = -3;  // not tuned: half the power, where by definition a band ends
// not tuned: E. Zwicker and H. Fastl, "Psychoacoustics", ch. 8: specific loudness grows with excitation^0.23 above
// threshold.
constexpr double kLoudnessExponent = 0.23;
// Threshold below the mean of the speech in a Bark: a choice, about that of speech at 79 dB SPL in a quiet room.
constexpr double kThreshold = 1e-5;

int samples_in(double seconds, const PerceptualModel& model) {
  return static_cast<int>(std::lround(seconds * model.rate_hz));
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
      fft_(static_cast<std::size_t>(frame_)),
      inverse_(fft_.size()),
      spectrum_(fft_.row()),
      impulse_(static_cast<std::size_t>(frame_)) {}

void LineResponse::note_frame(std::span<const float> sent, std::span<const float> received,
                              const CrossWeights& weights) {
  // Powers of a bin in dB are worthless; of a group they are steady enough.
  const auto note = [](std::span<const float> powers, float weight, std::vector<float>& all) {
    all.resize(all.size() + powers.size());
    subtract_and_scale(powers, 0, weight, std::span(all).last(powers.size()));
  };
  note(sent, weights.from_power, sent_);
  note(received, weights.to_power, arrived_);
}

void LineResponse::follow_power(bool waveform_kept) {
  const std::size_t groups = response_db_.size() / kGroup;
  const std::size_t frames = sent_.size() / groups;
  replaced_.assign(response_db_.size(), waveform_kept ? 0 : 1);
  if (!waveform_kept) return;
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
    if (xy <= kCorrelated * std::sqrt(xx * yy) + kTiny) continue;
    const double power_db = 10 * std::log10(xy / xx);
    for (std::size_t bin = group * kGroup + 1; bin <= (group + 1) * kGroup && bin < response_db_.size(); ++bin) {
      if (power_db <= response_db_[bin]) continue;
      response_db_[bin] = power_db;
      replaced_[bin] = 1;
    }
  }
}

// By no more than that is what a coder makes up too weak.
double LineResponse::counted_db(int bin, double level_db) const {
  const double response = response_db_[static_cast<std::size_t>(bin)];
  if (replaced_[static_cast<std::size_t>(bin)] == 0) return response;
  return std::max(response, std::min(level_db, response + kClearlyOverDb));
}

int LineResponse::accumulate(FrameSpectra& sent, FrameSpectra& received, std::span<const int> delay,
                             std::span<const float> gain, std::span<const char> is_peak) {
  const auto bins = static_cast<std::size_t>(frame_ / 2);
  sums_.assign(4 * bins, 0.0F);
  const CrossSums sums{sums_.data(), sums_.data() + bins, sums_.data() + 2 * bins, sums_.data() + 3 * bins};
  sent_.clear();
  arrived_.clear();
  const int in_frame = frame_ / model_.hop;
  const int frames = std::min(sent.count(), static_cast<int>(delay.size()) * 2 / in_frame - 1);
  const auto is_steady = [&](int frame) {
    const auto of = delay.subspan(static_cast<std::size_t>(frame * in_frame / 2), static_cast<std::size_t>(in_frame));
    return std::all_of(of.begin(), of.end(), [&](int value) { return value == of.front(); });
  };
  const auto gain_in = [&](int frame) {
    const auto middle = static_cast<std::size_t>((frame + 1) * frame_ / 2 / kStep);
    return gain.empty() ? 1.0 : std::max(kLeastGain, gain[std::min(middle, gain.size() - 1)]);
  };
  const auto peaks_in = [&](int frame) {
    const auto peaks = is_peak.subspan(static_cast<std::size_t>(frame * frame_ / 2), static_cast<std::size_t>(frame_));
    return static_cast<int>(std::count(peaks.begin(), peaks.end(), 1));
  };
  // The frames of speech with the fewest peaks; all of those without any.
  const double least = kActiveShare * sent.power() * frame_;
  int most_peaks = 0;
  if (!is_peak.empty()) {
    std::vector<int> counts;
    for (int frame = 0; frame < frames; ++frame) {
      if (is_steady(frame) && sent.energy(frame) >= least) counts.push_back(peaks_in(frame));
    }
    std::sort(counts.begin(), counts.end());
    if (!counts.empty()) most_peaks = counts[std::min<std::size_t>(counts.size(), kFewest) - 1];
  }
  double from = kTiny;
  double to = 0;
  for (int frame = 0; frame < frames; ++frame) {
    from += sent.energy(frame);
    to += received.energy(frame) / (gain_in(frame) * gain_in(frame));
  }
  int used = 0;
  for (int frame = 0; frame < frames; ++frame) {
    if (!is_steady(frame)) continue;
    const double energy = sent.energy(frame);
    const double by = 1 / gain_in(frame);
    // What was muted says nothing about the filter.
    if (received.energy(frame) * by * by <= kActiveShare * to / from * energy) continue;
    if (!is_peak.empty() && (energy < least || peaks_in(frame) > most_peaks)) continue;
    ++used;
    // Beside peaks each frame as much as any other: the loudest are those that were clipped. A quarter, as the spectra
    // are twice as large.
    const double share = 0.25 / (is_peak.empty() ? 1 : energy + kTiny);
    const CrossWeights weights{static_cast<float>(share), static_cast<float>(share * by * by),
                               static_cast<float>(share * by)};
    const FrameSpectra::Frame from_frame = sent.of(frame);
    const FrameSpectra::Frame to_frame = received.of(frame);
    add_cross_spectrum(from_frame.bins, to_frame.bins, bins, weights, sums);
    note_frame(from_frame.groups, to_frame.groups, weights);
  }
  // The sums begin with bin 1.
  auto part = sums_.begin();
  for (auto* sum : {&reference_power_, &degraded_power_, &cross_re_, &cross_im_}) {
    sum->assign(bins, 0);
    std::copy_n(part, bins - 1, sum->begin() + 1);
    part += static_cast<std::ptrdiff_t>(bins);
  }
  return used;
}

void LineResponse::make_taps(bool waveform_kept) {
  const int size = frame_;
  const double strongest = *std::max_element(reference_power_.begin(), reference_power_.end());
  std::fill(spectrum_.begin(), spectrum_.end(), Complex(0, 0));
  const double gain = std::accumulate(degraded_power_.begin(), degraded_power_.end(), 0.0) /
                      (std::accumulate(reference_power_.begin(), reference_power_.end(), 0.0) + kTiny);
  for (int bin = 1; bin < size / 2; ++bin) {
    const double power = reference_power_[bin] + 1e-9 * strongest + kTiny;
    const double received = degraded_power_[bin];
    const std::complex<double> cross(cross_re_[bin], cross_im_[bin]);
    std::complex<double> response = waveform_kept ? cross / power : std::complex<double>(std::sqrt(received / power));
    // More than the reference can be the cause of, and unlike it: noise, or what a converter of the rate folds into a
    // band that the reference's leaves empty. Nothing is known of the line there, and the taper would spread it.
    const bool is_foreign = gain * reference_power_[bin] < kGoneShare * received &&
                            std::norm(cross) < kWaveformKept * reference_power_[bin] * received;
    if (waveform_kept && is_foreign) response = std::sqrt(gain);
    spectrum_[bin] = Complex(response);
  }
  inverse_.run(spectrum_.data(), impulse_.data());
  // Taper, so that what is cut off leaves no ripple.
  for (int n = 0; n < size; ++n) {
    const int lag = n < size / 2 ? n : n - size;
    const bool is_kept = lag >= -tap_count_ / 2 && lag < tap_count_ / 2;
    const double fade = std::max(0, std::abs(lag) - (tap_count_ / 2 - fade_)) / static_cast<double>(fade_);
    const double taper = is_kept ? 0.5 + 0.5 * std::cos(std::numbers::pi * fade) : 0;
    impulse_[n] = static_cast<float>(taper / size * impulse_[n]);
  }
  // The response of the taper's width, which is also what the filter does.
  response_db_.assign(static_cast<std::size_t>(size / 2), -200);
  fft_.forward(impulse_.data(), spectrum_.data());
  for (int bin = 1; bin < size / 2; ++bin) {
    response_db_[static_cast<std::size_t>(bin)] = 10 * std::log10(std::norm(spectrum_[bin]) + kTiny);
  }
}

void LineResponse::filter(FrameSpectra& sent) {
  predicted_.resize(sent.size());
  sent.filter({spectrum_.data(), fft_.bins()}, predicted_);
}

void LineResponse::measure(FrameSpectra& sent, FrameSpectra& received, std::span<const int> delay, bool waveform_kept,
                           std::span<const float> gain) {
  accumulate(sent, received, delay, gain, {});
  make_taps(waveform_kept);
  filter(sent);
  follow_power(waveform_kept);
}

void LineResponse::measure_beside(FrameSpectra& sent, FrameSpectra& received, std::span<const int> delay,
                                  std::span<const char> is_peak) {
  if (accumulate(sent, received, delay, {}, is_peak) < kFewest / 2) {
    measure(sent, received, delay, true);
    return;
  }
  make_taps(true);
  filter(sent);
  follow_power(true);
}

double LineResponse::median_db(int first, int last) const {
  std::vector<double> values(response_db_.begin() + first, response_db_.begin() + last);
  return upper_median(values);
}

LineResponse::Passed LineResponse::find_passed(int first_bin, int last_bin, int from, int to) const {
  const Passed ordinary{from, to, median_db(from, to)};
  // Less a coder takes from what it does not follow, too. Nothing has a higher level than its strongest bin.
  const auto is_ordinary = [&](double level) { return ordinary.level_db >= level + 10 * std::log10(kGoneShare); };
  if (is_ordinary(*std::max_element(response_db_.begin() + first_bin, response_db_.begin() + last_bin)))
    return ordinary;
  const int width = static_cast<int>(kNarrowestHz * frame_ / model_.rate_hz);
  int loudest = from;
  double most = -1e9;
  // The window's values stay in order from place to place.
  std::vector<double> window;
  for (int bin = first_bin; bin + width <= last_bin; ++bin) {
    if (bin == first_bin) {
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
  if (is_ordinary(most)) return ordinary;
  // So much of the middle does not pass that its median is no level of what does.
  const auto passes = [&](int bin) { return response_db_[static_cast<std::size_t>(bin)] >= most + kEdgeDb; };
  Passed part{loudest, loudest + width, most};
  while (part.first > first_bin && passes(part.first - 1)) --part.first;
  while (part.last < last_bin && passes(part.last)) ++part.last;
  // What passes keeps the waveform, which noise that fills a gap of the speech does not.
  double shared = 0;
  double all = 0;
  for (int bin = part.first; bin < part.last; ++bin) {
    const auto at = static_cast<std::size_t>(bin);
    shared += cross_re_[at] * cross_re_[at] + cross_im_[at] * cross_im_[at];
    all += reference_power_[at] * degraded_power_[at];
  }
  if (shared < kWaveformKept * all) return ordinary;
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
