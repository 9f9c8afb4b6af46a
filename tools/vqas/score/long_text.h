#pragma once

#include <string>

#include "vqas/score/segments.h"

namespace vqas::cli {

/// As to_text() and to_json_text() of score_text.h for one score.
std::string to_text(const LongScore& score);
std::string to_json_text(const LongScore& score, const std::string& reference, const std::string& degraded);

}  // namespace vqas::cli
