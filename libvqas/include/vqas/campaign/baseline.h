#pragma once

#include <filesystem>
#include <string>

#include "vqas/campaign/baseline_figures.h"
#include "vqas/corpus/corpus.h"
#include "vqas/run/run.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Where the baseline is kept: VQAS_BASELINE, a folder; else vqas/baseline in XDG_DATA_HOME or ~/.local/share.
std::filesystem::path baseline_folder();

/// Says that there is no baseline, and how to make one.
std::string no_baseline();

/// Makes the run in `folder` the baseline: the two ends were cabled together when it was measured. Keeps its
/// results.json, and the figures from its recordings in baseline.json. Fails with bad_input when it is not complete,
/// was simulated, lacks a direction, or was measured with another corpus.
Status keep_baseline(const std::filesystem::path& folder, const Corpus& corpus);

/// A baseline, as read from its folder.
struct Baseline {
  RunResults run;
  BaselineFigures figures;
};
/// Fails with bad_input when there is none (no_baseline()) or it is damaged.
Result<Baseline> read_baseline(const std::filesystem::path& folder);

/// The baseline's figures in one sentence for this run, or why it does not fit: missing, older than 30 days, measured
/// with other equipment, or at a level more than 3 dB apart. Without means when its scale is not that of the run. Empty
/// for a simulated line. `now_utc` is ISO 8601.
std::string baseline_sentence(const RunResults& run, const std::filesystem::path& baseline, const std::string& now_utc);

}  // namespace vqas
