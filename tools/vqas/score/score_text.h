#pragma once

#include <string>

#include "vqas/score/explanation.h"

namespace vqas::cli {

/// One score as vqas score --json prints it, with a line feed behind it. The names are those of measurements[] in
/// results.json; the delay between two files is relative to the recordings' own beginnings.
std::string to_json_text(const ExplainedScore& explained, const std::string& reference, const std::string& degraded);

/// The same for a person.
std::string to_text(const Score& score);

}  // namespace vqas::cli
