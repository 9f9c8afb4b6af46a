#include <array>
#include <utility>

#include "vqas/sampling/sampler.h"

namespace vqas {
namespace {

constexpr std::array<std::pair<StopReason, std::string_view>, 10> kNames{
    {{StopReason::goal, "goal"},
     {StopReason::fallback, "fallback"},
     {StopReason::cap_count, "cap_count"},
     {StopReason::cap_line_time, "cap_line_time"},
     {StopReason::cancelled, "cancelled"},
     {StopReason::line_lost, "line_lost"},
     {StopReason::failures, "failures"},
     {StopReason::disk, "disk"},
     {StopReason::sender_finished, "sender_finished"},
     {StopReason::undecidable, "undecidable"}}};

constexpr std::array<std::pair<GoalOf, std::string_view>, 4> kGoals{{{GoalOf::each_stimulus, "each-stimulus"},
                                                                     {GoalOf::mean, "mean"},
                                                                     {GoalOf::line_time, "line-time"},
                                                                     {GoalOf::above, "above"}}};

}  // namespace

std::string_view to_string(StopReason reason) {
  for (const auto& [value, name] : kNames) {
    if (value == reason) return name;
  }
  return "unknown";
}

std::optional<StopReason> stop_reason_from_string(std::string_view name) {
  for (const auto& [value, known] : kNames) {
    if (known == name) return value;
  }
  return std::nullopt;
}

std::string_view to_string(GoalOf of) {
  for (const auto& [value, name] : kGoals) {
    if (value == of) return name;
  }
  return "unknown";
}

std::optional<GoalOf> goal_of_from_string(std::string_view name) {
  for (const auto& [value, known] : kGoals) {
    if (known == name) return value;
  }
  return std::nullopt;
}

}  // namespace vqas
