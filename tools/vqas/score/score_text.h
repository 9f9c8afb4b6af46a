#pragma once

#include <optional>
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

/// What an impairment costs, behind its words: " (costs 0.80 MOS)"; empty where it is not known.
std::string cost_in_words(const ImpairmentFinding& finding);

/// What noise costs that is no fault of the line, as a good circuit may have it, if 0.1 MOS or more.
std::optional<double> permitted_noise_cost(const Score& score);
std::string permitted_noise_in_words(double cost_mos, ScoreMode mode);

/// The confidence in two digits, rounded down: 0.998 would read 1.00, as if it were certain.
std::optional<double> shown_confidence(const Score& score);

/// The same as to_json() for a person. Of long recordings no noise in pauses is measured, which is not said each time.
std::string to_text(const Score& score, bool is_long = false);

}  // namespace vqas::cli
