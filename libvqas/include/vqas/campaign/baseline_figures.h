#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vqas/corpus/corpus.h"
#include "vqas/receive/line_quality.h"
#include "vqas/run/run.h"
#include "vqas/signal/result.h"

namespace vqas {

/// The file of a baseline's figures, beside its results.json.
inline constexpr const char* kBaselineFigures = "baseline.json";

/// One direction of the two ends cabled together.
struct BaselineDirection {
  End from = End::a;
  std::vector<std::pair<std::string, std::optional<double>>> mos_lqo;  ///< by stimulus; nothing without a score
  std::optional<double> delay_ms;
  DelayBasis delay_basis = DelayBasis::unknown;
  std::optional<double> noise_dbov;
  std::vector<BandGain> response;
};

struct BaselineFigures {
  std::vector<BaselineDirection> directions;
  std::string json;  ///< all of the file, with equipment and date
};

/// The figures of a baseline run: date, equipment, scale, level, and for each direction MOS by stimulus, delay, noise
/// floor and response (vqas/receive/line_quality.h), from its recordings in `folder`.
std::string baseline_json(const std::filesystem::path& folder, const RunResults& run, const Corpus& corpus);

/// Reads the figures in `folder`. Fails with bad_input when they are missing or damaged.
Result<BaselineFigures> read_baseline_figures(const std::filesystem::path& folder);

/// Mean over all measurements of a run that have a level difference; nothing if none has.
std::optional<double> mean_level_difference_db(const RunResults& run);

}  // namespace vqas
