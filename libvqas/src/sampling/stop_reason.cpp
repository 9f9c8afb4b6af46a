#include "signal/words.h"
#include "vqas/sampling/sampler.h"

namespace vqas {
namespace {

constexpr Words<StopReason, 10> kStopReasons{{{"goal", StopReason::goal},
                                              {"fallback", StopReason::fallback},
                                              {"cap_count", StopReason::cap_count},
                                              {"cap_line_time", StopReason::cap_line_time},
                                              {"cancelled", StopReason::cancelled},
                                              {"line_lost", StopReason::line_lost},
                                              {"failures", StopReason::failures},
                                              {"disk", StopReason::disk},
                                              {"sender_finished", StopReason::sender_finished},
                                              {"undecidable", StopReason::undecidable}}};

constexpr Words<GoalOf, 4> kGoals{{{"each-stimulus", GoalOf::each_stimulus},
                                   {"mean", GoalOf::mean},
                                   {"line-time", GoalOf::line_time},
                                   {"above", GoalOf::above}}};

}  // namespace

std::string_view to_string(StopReason reason) {
  return word_of(kStopReasons, reason);
}

std::optional<StopReason> stop_reason_from_string(std::string_view name) {
  return value_of(kStopReasons, name);
}

std::string_view to_string(GoalOf of) {
  return word_of(kGoals, of);
}

std::optional<GoalOf> goal_of_from_string(std::string_view name) {
  return value_of(kGoals, name);
}

}  // namespace vqas
