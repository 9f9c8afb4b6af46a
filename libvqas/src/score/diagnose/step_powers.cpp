#include "score/diagnose/step_powers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "score/diagnose/aligned_pair.h"
#include "score/dsp/kernels.h"
#include "score/dsp/median_between.h"
#include "score/lattice/received.h"
#include "score/model/shared_numbers.h"
#include "vqas/signal/median.h"

namespace vqas::scoring {
namespace {

// Choices, all of them; what they do to faults of known size is tested in tests/score/indices_test.cpp.
constexpr int kHangoverSteps = static_cast<int>(kHangoverMs / kStepMs);
constexpr int kWindowSteps = 100;  // 0.4 s
constexpr int kWindowHop = 25;     // 0.1 s, of which a window is a multiple
static_assert(kWindowSteps % kWindowHop == 0);
constexpr double kKeptCorrelation = 0.97;  // of a line that keeps the waveform, median over 20 ms
constexpr double kStepCorrelation = 0.8;   // of the median, over 20 ms
constexpr int kSmooth = 1;                 // steps either side
constexpr float kSurely = 0.9F;            // by hand: probability from which speech is taken for received

constexpr std::size_t kSample = 64;  // not tuned: values that bound the median of many

/// upper_median() of many values: most of them lie beside two values of a sample that bound it, and are only counted.
double median_of_many(std::vector<double>& values) {
  std::array<double, kSample> sample;
  const std::size_t apart = values.size() / sample.size();
  for (std::size_t k = 0; k < sample.size(); ++k) sample[k] = values[k * apart];
  std::sort(sample.begin(), sample.end());
  std::vector<double> work;
  const auto found = upper_median_between(values, sample[sample.size() * 3 / 8], sample[sample.size() * 5 / 8], work);
  return found ? *found : upper_median(values);
}

double median(std::vector<double> values, double otherwise) {
  if (values.size() >= 8 * kSample) return median_of_many(values);
  return values.empty() ? otherwise : upper_median(values);
}

/// Sum over a step and its neighbours.
double around(const std::vector<float>& values, int step, int reach) {
  const int first = std::max(0, step - reach);
  const int last = std::min(static_cast<int>(values.size()), step + reach + 1);
  return std::accumulate(values.begin() + first, values.begin() + last, 0.0);
}

double rounded(double value) {
  return std::round(value * 1e4) / 1e4 + 0.0;
}

}  // namespace

void StepPowers::find_speech() {
  const int steps = static_cast<int>(reference_power_.size());
  const double mean = std::accumulate(reference_power_.begin(), reference_power_.end(), 0.0) / std::max(1, steps);
  active_.assign(static_cast<std::size_t>(steps), 0);
  speech_.assign(static_cast<std::size_t>(steps), 0);
  int last_active = -kHangoverSteps - 1;
  for (int step = 0; step < steps; ++step) {
    if (around(reference_power_, step, kSmooth) / 3 <= kActiveShare * mean) continue;
    active_[step] = 1;
    const int from = step - last_active <= kHangoverSteps ? last_active + 1 : step;
    std::fill(speech_.begin() + from, speech_.begin() + step + 1, 1);
    last_active = step;
  }
}

void StepPowers::follow_gain(bool waveform_kept, double mean) {
  const int steps = count();
  // Roughly first, so that muted steps can be left out.
  std::vector<double> ratios;
  for (int step = 0; step < steps; ++step) {
    if (active_[step] != 0) ratios.push_back(received_[step] / (predicted_power_[step] + kTiny));
  }
  const double rough = median(ratios, 1.0);
  std::vector<double> correlations(static_cast<std::size_t>(steps));
  if (waveform_kept) correlate_around(shared_, correlations);
  std::vector<double> of_speech;
  for (int step = 0; waveform_kept && step < steps; ++step) {
    if (active_[step] != 0) of_speech.push_back(correlations[step]);
  }
  const double usual = median(std::move(of_speech), 0);
  // Where noise or a coder is in all of it, those steps would be preferred that happen to be strong.
  const double least_correlation = usual < kKeptCorrelation ? -1 : kStepCorrelation * usual;
  std::vector<std::pair<int, double>> points;
  // Windows overlap: the parts that they share are summed once.
  std::vector<SharedPower> parts(static_cast<std::size_t>((steps + kWindowHop - 1) / kWindowHop));
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const int from = static_cast<int>(part) * kWindowHop;
    for (int step = from; step < std::min(steps, from + kWindowHop); ++step) {
      if (received_[step] < kGoneShare * rough * predicted_power_[step]) continue;
      // Beside a step of the delay something else stands in its place, whose level says nothing.
      if (waveform_kept && correlations[step] < least_correlation) continue;
      parts[part].add(shared_[step]);
    }
  }
  for (int first = 0; first < steps; first += kWindowHop) {
    const int last = std::min(steps, first + kWindowSteps);
    SharedPower sum;
    for (int part = first / kWindowHop; part * kWindowHop < last; ++part)
      sum.add(parts[static_cast<std::size_t>(part)]);
    if (sum.bb < kGoneShare * mean * kWindowSteps) continue;
    if (waveform_kept && sum.yb < kCorrelated * std::sqrt(sum.bb * sum.yy)) continue;
    const double gain = std::sqrt((waveform_kept ? sum.explained() : sum.yy) / sum.bb);
    if (gain > 0) points.emplace_back((first + last) / 2, gain);
    if (last == steps) break;
  }
  std::vector<double> gains;
  gains.reserve(points.size());
  for (const auto& [step, gain] : points) gains.push_back(gain);
  const double middle = median(gains, std::sqrt(rough));
  gain_.assign(static_cast<std::size_t>(steps), static_cast<float>(middle));
  track_ = {};
  if (points.empty()) return;
  // Straight lines between the windows, level before the first and behind the last.
  std::size_t next = 0;
  for (int step = 0; step < steps; ++step) {
    while (next < points.size() && points[next].first <= step) ++next;
    if (next == 0 || next == points.size()) {
      gain_[step] = static_cast<float>(points[next == 0 ? 0 : next - 1].second);
      continue;
    }
    const auto& [from, low] = points[next - 1];
    const auto& [to, high] = points[next];
    gain_[step] = static_cast<float>(low + (high - low) * (step - from) / (to - from));
  }
  double lowest = points.front().second;
  double highest = lowest;
  for (const auto& [step, gain] : points) {
    lowest = std::min(lowest, gain);
    highest = std::max(highest, gain);
    track_.points.push_back({rounded(step * kStepMs / 1000), rounded(20 * std::log10(gain / middle))});
  }
  track_.range_db = rounded(20 * std::log10(highest / lowest));
}

void StepPowers::find_missing(std::span<const float> predicted, std::span<const float> degraded, bool waveform_kept,
                              std::span<const char> lost) {
  lost_steps_.clear();
  for (std::size_t step = 0; !lost.empty() && step < gain_.size(); ++step)
    lost_steps_.push_back(lost[std::min(step / kFrameSteps, lost.size() - 1)]);
  compared_ = {kStep, predicted, degraded, gain_, reference_power_, active_, lost_steps_, waveform_kept};
  const std::vector<float> received = received_probability(compared_, received_work_);
  arrival_.assign(received.size(), Arrival::yes);
  for (std::size_t step = 0; step < received.size(); ++step) {
    if (active_[step] == 0) continue;
    arrival_[step] = received[step] < 0.5F ? Arrival::no : received[step] < kSurely ? Arrival::unknown : Arrival::yes;
  }
  join_gaps();
}

// A short pause between two gaps is missing with them.
void StepPowers::join_gaps() {
  int gap_end = -1;
  for (int step = 0; step < count(); ++step) {
    if (arrival_[step] != Arrival::no) {
      if (active_[step] != 0) gap_end = -1;
      continue;
    }
    if (gap_end >= 0) std::fill(arrival_.begin() + gap_end, arrival_.begin() + step, Arrival::no);
    gap_end = step + 1;
  }
}

double StepPowers::unexplained_s(std::span<const char> lost) const {
  const int frames = std::min(static_cast<int>(lost.size()), count() / kFrameSteps);
  double unexplained = 0;
  for (int first = 0; first < frames; ++first) {
    if (lost[first] == 0) continue;
    int last = first;
    SharedPower shared;
    // In short pieces: of a long phrase one half may be there.
    for (; last < frames && lost[last] != 0 && last - first < kToldFrames; ++last) {
      for (int step = last * kFrameSteps; step < (last + 1) * kFrameSteps; ++step) {
        if (active_[step] != 0) shared.add(shared_[step]);
      }
    }
    if (shared.explained() <= kWaveformKept * shared.yy) unexplained += (last - first) * kFrameSteps * kStepMs / 1000;
    first = last - 1;
  }
  return unexplained;
}

void StepPowers::subtract() {
  const int steps = count();
  expected_.resize(static_cast<std::size_t>(steps));
  residual_.resize(static_cast<std::size_t>(steps));
  explained_.resize(static_cast<std::size_t>(steps));
  explained_powers(shared_, explained_);
  double sum = 0;
  int active = 0;
  for (int step = 0; step < steps; ++step) {
    const double gain = gain_[step];
    const double expected = gain * gain * predicted_power_[step] / kStep;
    const double received = received_[step] / static_cast<double>(kStep);
    expected_[step] = static_cast<float>(expected);
    residual_[step] = static_cast<float>(std::max(0.0, received - explained_[step] / kStep));
    received_[step] = static_cast<float>(received);
    if (active_[step] == 0 || arrival_[step] == Arrival::no) continue;
    sum += expected;
    ++active;
  }
  speech_power_ = sum / std::max(1, active);
}

void StepPowers::assign(std::span<const float> reference) {
  reference_power_.resize(reference.size() / kStep);
  energies(reference.data(), kStep, reference_power_);
  find_speech();
}

void StepPowers::measure_nothing() {
  arrival_.assign(active_.size(), Arrival::no);
  track_ = {};
}

void StepPowers::measure(std::span<const float> predicted, std::span<const float> degraded, bool waveform_kept) {
  const std::size_t steps = reference_power_.size();
  shared_.resize(steps);
  predicted_power_.resize(steps);
  received_.resize(steps);
  shared_powers(predicted, degraded, kStep, shared_);
  double sum = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    predicted_power_[step] = static_cast<float>(shared_[step].bb);
    received_[step] = static_cast<float>(shared_[step].yy);
    sum += predicted_power_[step];
  }
  follow_gain(waveform_kept, sum / static_cast<double>(std::max<std::size_t>(1, steps)));
}

void StepPowers::tell_arrival(std::span<const float> predicted, std::span<const float> degraded, bool waveform_kept,
                              std::span<const char> lost) {
  find_missing(predicted, degraded, waveform_kept, lost);
  subtract();
}

int StepPowers::first_arrived(int first, int last, int direction) const {
  int arrived = 0;
  for (int step = first; step != last; step += direction) {
    if (active_[step] != 0 && arrival_[step] == Arrival::no) arrived = 0;
    if (active_[step] == 0 || arrival_[step] != Arrival::yes) continue;
    if (++arrived == kPacketSteps) return step;
  }
  return last;
}

MissingSpeech StepPowers::missing_speech() const {
  MissingSpeech result;
  const int front = first_arrived(0, count(), 1);
  const int tail = first_arrived(count() - 1, -1, -1);
  for (int step = 0; step < count(); ++step) {
    if (speech_[step] == 0) continue;
    result.speech_ms += kStepMs;
    if (arrival_[step] != Arrival::no) continue;
    if (step < front) {
      result.front_ms += kStepMs;
    } else if (step > tail) {
      result.tail_ms += kStepMs;
    } else {
      result.middle_ms += kStepMs;
      result.gaps += arrival_[step - 1] == Arrival::no ? 0 : 1;
    }
  }
  return result;
}

}  // namespace vqas::scoring
