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

}  // namespace

std::string_view to_string(CallResult result) {
  return word_of(kResults, result);
}
std::optional<CallResult> call_result_from_string(std::string_view name) {
  return value_of(kResults, name);
}

std::optional<double> CallOutcome::mos() const {
  if (result != CallResult::scored) return std::nullopt;
  double sum = 0;
  int count = 0;
  for (const CallSentence& one : sentences) {
    if (!one.mos) continue;
    sum += *one.mos;
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / count);
}

}  // namespace vqas
