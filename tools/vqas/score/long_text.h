#pragma once

#include <string>

#include "vqas/score/segments.h"
#include "vqas/signal/json_text.h"

namespace vqas::cli {

/// As the functions of score_text.h for one score.
std::string to_text(const LongScore& score);
Json to_json(const LongScore& score, const std::string& reference, const std::string& degraded);
std::string to_json_text(const LongScore& score, const std::string& reference, const std::string& degraded);

}  // namespace vqas::cli
