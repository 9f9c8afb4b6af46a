#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "vqas/score/score.h"

namespace vqas {

/// {"start", "clock_drift_ppm"}, not rounded, so that reading gives the same numbers. Used on the socket and in a run's
/// files. If the line's delay stepped also "uncertainty_s", and if the marks showed it "before_step" and "after_step".
inline nlohmann::ordered_json placement_json(const KnownPlacement& placement) {
  nlohmann::ordered_json json{{"start", placement.start_samples}, {"clock_drift_ppm", placement.clock_drift_ppm}};
  if (placement.uncertainty_s != KnownPlacement().uncertainty_s) json["uncertainty_s"] = placement.uncertainty_s;
  if (placement.step) {
    json["before_step"] = placement.step->before_samples;
    json["after_step"] = placement.step->after_samples;
  }
  return json;
}

/// Nothing for values that no mark in a recording can give: a start outside its first 100 s, a drift above 1 %, or an
/// uncertainty above 10 s.
template <typename Json>
std::optional<KnownPlacement> placement_from(const Json& json) {
  constexpr double kLatest = 800000, kLargestDrift_ppm = 10000, kLargestUncertainty_s = 10;
  const auto number = [&](const char* key, double least, double most) -> std::optional<double> {
    const auto found = json.is_object() ? json.find(key) : json.end();
    if (!json.is_object() || found == json.end() || !found->is_number()) return std::nullopt;
    const double value = found->template get<double>();
    return value >= least && value <= most ? std::optional(value) : std::nullopt;
  };
  const auto start = number("start", -kLatest, kLatest);
  const auto drift = number("clock_drift_ppm", -kLargestDrift_ppm, kLargestDrift_ppm);
  if (!start || !drift) return std::nullopt;
  KnownPlacement placement{*start, *drift};
  if (json.contains("uncertainty_s")) {
    const auto uncertainty_s = number("uncertainty_s", 0, kLargestUncertainty_s);
    if (!uncertainty_s) return std::nullopt;
    placement.uncertainty_s = *uncertainty_s;
  }
  if (json.contains("before_step") || json.contains("after_step")) {
    const auto before = number("before_step", -kLatest, kLatest);
    const auto after = number("after_step", -kLatest, kLatest);
    if (!before || !after) return std::nullopt;
    placement.step = PlacesOfStep{*before, *after};
  }
  return placement;
}

}  // namespace vqas
