#include "experiment/burst_recovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "vqas/channel/line_direction.h"
#include "vqas/channel/profile_library.h"

namespace vqas::experiment {
namespace {

constexpr std::size_t kFrame = 160;
constexpr double kFrame_s = 0.02;
constexpr std::size_t kBins = kFrame / 2;
constexpr std::size_t kBands = 16;
constexpr double kFloorDb = -70;
constexpr double kLeastBandDb = 1;
constexpr std::size_t kStays = 5;

using Levels = std::array<double, kBands>;

Levels levels_of(std::span<const float> frame) {
  Levels power{};
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    // Goertzel's recurrence.
    const double turn = 2 * std::numbers::pi * static_cast<double>(bin) / kFrame;
    const double factor = 2 * std::cos(turn);
    double before = 0;
    double now = 0;
    for (const float sample : frame) {
      const double next = sample + factor * now - before;
      before = now;
      now = next;
    }
    power[bin / (kBins / kBands)] += (now * now + before * before - factor * now * before) / (kFrame * kFrame);
  }
  for (double& level : power) level = std::max(kFloorDb, 10 * std::log10(level + 1e-12));
  return power;
}

std::vector<float> heard_over_simulated(const Profile& profile, const Signal& speech, std::uint64_t seed) {
  LineDirection line(profile, seed, 0);
  std::vector<float> heard;
  heard.reserve(speech.size() + 8000);
  std::vector<float> part;
  for (std::size_t at = 0; at < speech.size(); at += kFrame) {
    line.push(std::span(speech.samples).subspan(at, std::min(kFrame, speech.size() - at)));
    part.resize(line.available());
    line.pull(part);
    heard.insert(heard.end(), part.begin(), part.end());
  }
  return heard;
}

std::vector<double> distances_of(const std::vector<float>& clean, const std::vector<float>& heard) {
  std::vector<double> distances;
  for (std::size_t at = 0; at + kFrame <= std::min(clean.size(), heard.size()); at += kFrame) {
    distances.push_back(frame_distance(std::span(clean).subspan(at, kFrame), std::span(heard).subspan(at, kFrame)));
  }
  return distances;
}

double band_of(std::vector<double> distances) {
  const auto place = distances.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(distances.size()));
  std::nth_element(distances.begin(), place, distances.end());
  return std::max(kLeastBandDb, *place);
}

}  // namespace

double frame_distance(std::span<const float> a, std::span<const float> b) {
  if (std::equal(a.begin(), a.end(), b.begin(), b.end())) return 0;
  const Levels first = levels_of(a);
  const Levels second = levels_of(b);
  double squares = 0;
  for (std::size_t i = 0; i < kBands; ++i) squares += (first[i] - second[i]) * (first[i] - second[i]);
  return std::sqrt(squares / kBands);
}

double recovery_s(std::span<const double> distances, double end_s, double band) {
  // The frame in which the burst ends still contains part of it.
  const auto begin = static_cast<std::size_t>(std::ceil(end_s / kFrame_s - 1e-9));
  std::size_t calm = 0;
  for (std::size_t i = begin; i < distances.size(); ++i) {
    calm = distances[i] <= band ? calm + 1 : 0;
    if (calm == kStays) return std::max(0.0, static_cast<double>(i + 1 - kStays) * kFrame_s - end_s);
  }
  return std::max(0.0, static_cast<double>(distances.size()) * kFrame_s - end_s);
}

std::vector<ExperimentPoint> measure_bursts(const Signal& speech, std::uint64_t seed,
                                            const std::function<bool()>& cancelled) {
  const HeardOver simulated = [seed](const Profile& profile, const Signal& sent) {
    return heard_over_simulated(profile, sent, seed);
  };
  return measure_bursts(speech, simulated, cancelled);
}

std::vector<ExperimentPoint> measure_bursts(const Signal& speech, const HeardOver& heard_over,
                                            const std::function<bool()>& cancelled) {
  std::vector<ExperimentPoint> points;
  // The report's tables have bursts on a satellite line; its recovery times are for a terrestrial line.
  Profile profile = find_profile("terrestrial-isdn").value();
  profile.release.reset();
  for (const Profile& table : built_in_profiles()) {
    if (!table.name.starts_with("bursts-")) continue;
    if (cancelled && cancelled()) break;
    profile.errors = table.errors;
    const Bursts bursts = std::get<Bursts>(profile.errors.at(0));
    Profile background = profile;
    background.errors = {RandomRate{bursts.background_ber}};
    Profile clean = profile;
    clean.errors.clear();
    const auto undisturbed = heard_over(clean, speech);
    const double band = band_of(distances_of(undisturbed, heard_over(background, speech)));
    const auto distances = distances_of(undisturbed, heard_over(profile, speech));
    ExperimentPoint point;
    point.series = fmt::format("{:g} on {:g}", bursts.burst_ber, bursts.background_ber);
    point.label = fmt::format("{:g} s", bursts.burst_s);
    point.x = bursts.burst_s;
    point.stimulus = "all";
    const double length_s = speech.seconds();
    // Coded sound is heard after the line's delay, less the delay of the parts before the coder.
    for (double end_s = bursts.gap_s + bursts.burst_s; end_s + 2 < length_s; end_s += bursts.gap_s + bursts.burst_s) {
      const double heard_end_s = end_s + profile.line.delay_s - shortest_delay_s(profile);
      point.recovery_s = std::max(point.recovery_s.value_or(0), recovery_s(distances, heard_end_s, band));
    }
    point.outcome = point.recovery_s ? Outcome::scored : Outcome::not_found;
    if (!point.recovery_s) point.reason = "the speech ends before a burst does";
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace vqas::experiment
