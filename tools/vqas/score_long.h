#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "vqas/score/stretches.h"
#include "vqas/signal/result.h"

namespace vqas::cli {

/// From this length of the reference on, in seconds, a pair of files is scored in stretches.
inline constexpr double kLongFromS = 120;

/// Whether the file is readable and that long.
bool is_long(const std::filesystem::path& reference, int channel);

/// The pair scored in stretches, read piece by piece.
Result<LongScore> score_long_files(Scorer& scorer, const std::filesystem::path& reference, int reference_channel,
                                   const std::filesystem::path& degraded, int degraded_channel,
                                   const std::function<bool(double done)>& on_progress = {});

/// As to_text() and to_json_text() for one score.
std::string to_text(const LongScore& score);
std::string to_json_text(const LongScore& score, const std::string& reference, const std::string& degraded);

}  // namespace vqas::cli
