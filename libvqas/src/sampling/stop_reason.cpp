#include <array>
#include <utility>

#include "vqas/sampling/sampler.h"

namespace vqas {
namespace {

constexpr std::array<std::pair<StopReason, std::string_view>, 9> kNames{
    {{StopReason::goal, "goal"},
     {StopReason::fallback, "fallback"},
     {StopReason::cap_count, "cap_count"},
     {StopReason::cap_line_time, "cap_line_time"},
     {StopReason::cancelled, "cancelled"},
     {StopReason::line_lost, "line_lost"},
     {StopReason::failures, "failures"},
     {StopReason::disk, "disk"},
     {StopReason::sender_finished, "sender_finished"}}};

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

}  // namespace vqas
