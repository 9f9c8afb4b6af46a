#pragma once

#include <string>

#include "vqas/score/explanation.h"
#include "vqas/signal/json_text.h"

namespace vqas::cli {

/// The members of one score; its explanation is null. The names are those of measurements[] in results.json; the delay
/// between two files is relative to the recordings' own beginnings.
Json to_json(const Score& score, const std::string& reference, const std::string& degraded);

/// The same with the explanation, as vqas score --json prints it, with a line feed behind it.
std::string to_json_text(const ExplainedScore& explained, const std::string& reference, const std::string& degraded);

/// What the loss is made of: "1.53 MOS: loss 0.92, noise 0.41, other 0.20"; empty where nothing was lost or measured.
std::string loss_in_words(const Score& score);

/// The same for a person.
std::string to_text(const Score& score);

}  // namespace vqas::cli
