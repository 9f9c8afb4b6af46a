#pragma once

#include <array>

#include "vqas/run/run.h"
#include "vqas/score/unrecognised.h"

namespace vqas {

/// A number of MeasurementFindings, by its name in results, manifests and on the socket.
struct FindingField {
  const char* name;
  double MeasurementFindings::*value;
  double highest;  ///< upper limit for any line; the lower limit is 0
  int digits;      ///< decimals in a table
};

inline constexpr std::array<FindingField, 7> kFindingFields{{
    {"band_low_hz", &MeasurementFindings::band_low_hz, 1e5, 1},
    {"band_high_hz", &MeasurementFindings::band_high_hz, 1e5, 1},
    {"band_loudness_lost", &MeasurementFindings::band_loudness_lost, 1, 4},
    {"missing_front_ms", &MeasurementFindings::missing_front_ms, 1e7, 1},
    {"missing_middle_ms", &MeasurementFindings::missing_middle_ms, 1e7, 1},
    {"missing_tail_ms", &MeasurementFindings::missing_tail_ms, 1e7, 1},
    {"level_range_db", &MeasurementFindings::level_range_db, 1000, 2},
}};

/// The diagnosis of a score in the form kept by a measurement; nothing if nothing was matched.
inline std::optional<MeasurementFindings> findings_of(const Score& score) {
  if (!score.indices) return std::nullopt;
  const Indices& found = *score.indices;
  return MeasurementFindings{.impairments = score.impairments,
                             .band_low_hz = found.band_loss.low_hz,
                             .band_high_hz = found.band_loss.high_hz,
                             .band_loudness_lost = found.band_loss.loudness_lost,
                             .missing_front_ms = found.missing.front_ms,
                             .missing_middle_ms = found.missing.middle_ms,
                             .missing_tail_ms = found.missing.tail_ms,
                             .level_range_db = found.level_track.range_db,
                             .noise_dbm0p = found.noise ? std::optional(found.noise->dbm0p) : std::nullopt,
                             .noise_cost_mos = found.noise ? found.noise->cost_mos : std::nullopt,
                             .unrecognised_cost_mos = unrecognised_cost(score)};
}

}  // namespace vqas
