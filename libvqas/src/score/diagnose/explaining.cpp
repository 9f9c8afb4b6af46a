#include "score/diagnose/explaining.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "signal/fft.h"

namespace vqas::scoring {
namespace {

constexpr float kLowestDb = -90;  // not tuned: lowest value of the picture
// Half of what a score is rounded to, and rounding of single precision.
constexpr float kRounding = 1e-5F;  // not tuned: of single precision

}  // namespace

DistanceShares shares_of(const Measurements& measurements, const PerceptualModel& model) {
  const double all = auditory_distance(measurements, model);
  if (all < kNoDistance) return {};
  const double raised = model.weight_raised * measurements.raised / all;
  const double inserted = model.weight_inserted * std::sqrt(measurements.inserted) / all;
  return {.changed = 1 - raised - inserted, .raised = raised, .inserted = inserted};
}

std::vector<Segment> segments_of(const StepPowers& steps, bool missing) {
  std::vector<Segment> segments;
  const auto wanted = [&](int step) {
    return steps.speech()[step] != 0 && (steps.arrival()[step] == Arrival::no) == missing;
  };
  for (int first = 0; first < steps.count();) {
    int last = first;
    while (last < steps.count() && wanted(last)) ++last;
    if (last > first) segments.push_back({first * kStepMs / 1000, (last - first) * kStepMs / 1000});
    first = last + 1;
  }
  return segments;
}

TimeFrequency distance_map(const std::vector<float>& cells, const PerceptualModel& model) {
  TimeFrequency map;
  const double bin_hz = static_cast<double>(model.rate_hz) / model.frame;
  map.frame_s = static_cast<double>(model.hop) / model.rate_hz;
  for (std::size_t band = 0; band + 1 < model.band_edges.size(); ++band) {
    map.hz.push_back(0.5 * bin_hz * (model.band_edges[band] + model.band_edges[band + 1] - 1));
  }
  const std::size_t bands = map.columns();
  const std::size_t frames = cells.size() / bands;
  map.values.resize(cells.size());
  for (std::size_t band = 0; band < bands; ++band) {
    for (std::size_t frame = 0; frame < frames; ++frame) {
      const float cell = cells[band * frames + frame];
      map.values[frame * bands + band] = std::abs(cell) < kRounding ? 0.0F : cell;
    }
  }
  return map;
}

TimeFrequency spectrogram(std::span<const float> samples, const PerceptualModel& model) {
  TimeFrequency result;
  const auto size = static_cast<std::size_t>(model.frame);
  const auto hop = static_cast<std::size_t>(model.hop);
  const RealFft fft(size);
  FftBuffer<float> frame(size);
  FftBuffer<Complex> spectrum(fft.row());
  result.frame_s = static_cast<double>(hop) / model.rate_hz;
  for (std::size_t bin = 0; bin < fft.bins(); ++bin) {
    result.hz.push_back(static_cast<double>(bin) * model.rate_hz / static_cast<double>(size));
  }
  for (std::size_t at = 0; at + size <= samples.size(); at += hop) {
    for (std::size_t n = 0; n < size; ++n) {
      const double hann =
          0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(n) / static_cast<double>(size));
      frame[n] = static_cast<float>(hann) * samples[at + n];
    }
    fft.forward(frame.data(), spectrum.data());
    for (std::size_t bin = 0; bin < fft.bins(); ++bin) result.values.push_back(std::norm(spectrum[bin]));
  }
  const float strongest = result.values.empty() ? 0 : *std::max_element(result.values.begin(), result.values.end());
  for (float& value : result.values) {
    value = value > 0 ? std::max(kLowestDb, 10 * std::log10(value / strongest)) : kLowestDb;
  }
  return result;
}

}  // namespace vqas::scoring
