#include "vqas/calls/call_outcome.h"

#include "signal/words.h"

namespace vqas {
namespace {

constexpr Words<CallResult, 6> kResults{{{"scored", CallResult::scored},
                                         {"unscored", CallResult::unscored},
                                         {"answered", CallResult::answered},
                                         {"spoilt", CallResult::spoilt},
                                         {"failed", CallResult::failed},
                                         {"cancelled", CallResult::cancelled}}};

std::optional<double> mean_of(const std::vector<CallSentence>& sentences, std::optional<double> CallSentence::*score) {
  double sum = 0;
  int count = 0;
  for (const CallSentence& one : sentences) {
    if (!(one.*score)) continue;
    sum += *(one.*score);
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / count);
}

}  // namespace

std::string_view to_string(CallResult result) {
  return word_of(kResults, result);
}
std::optional<CallResult> call_result_from_string(std::string_view name) {
  return value_of(kResults, name);
}

std::optional<double> CallOutcome::mos() const {
  return result == CallResult::scored ? mean_of(sentences, &CallSentence::mos) : std::nullopt;
}

std::optional<double> CallOutcome::narrowband_mos() const {
  return result == CallResult::scored ? mean_of(sentences, &CallSentence::narrowband_mos) : std::nullopt;
}

}  // namespace vqas
