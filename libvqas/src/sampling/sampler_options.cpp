#include <fmt/format.h>

#include "vqas/sampling/sampler.h"

namespace vqas {
namespace {

Status bad(std::string message) {
  return Error{ErrorCode::bad_input, std::move(message)};
}

Status check(const PrecisionGoal& goal, const char* name) {
  if (!(goal.half_width > 0) || !(goal.half_width <= 4))
    return bad(fmt::format("{}.half_width is {}; it must lie above 0 and not above 4 MOS", name, goal.half_width));
  // Beyond 99.99 % the quantile depends on tails that no number of measurements here can support.
  if (!(goal.confidence >= 0.5) || !(goal.confidence <= 0.9999))
    return bad(fmt::format("{}.confidence is {}; it must lie within 0.5 and 0.9999", name, goal.confidence));
  return success();
}

}  // namespace

Status validate(const SamplerOptions& options) {
  constexpr std::size_t kMost = 1'000'000;
  if (options.first_count < 2)
    return bad(fmt::format("first_count is {}; a deviation needs at least 2", options.first_count));
  if (options.step < 1 || options.step > kMost)
    return bad(fmt::format("step is {}; it must lie within 1 and {}", options.step, kMost));
  if (options.cap_count < options.first_count || options.cap_count > kMost)
    return bad(fmt::format("cap_count is {}; it must lie within first_count ({}) and {}", options.cap_count,
                           options.first_count, kMost));
  if (options.max_failures < 1) return bad("max_failures is 0; it must be at least 1");
  if (auto goal = check(options.goal, "goal"); !goal) return goal;
  if (options.goal_of == GoalOf::above) {
    if (!(options.limit.mos >= 1) || !(options.limit.mos <= 5))
      return bad(fmt::format("the limit is {}; it must lie within 1 and 5", options.limit.mos));
    if (!(options.limit.model_error > 0))
      return bad("the score's model error is not known, so nothing can be decided about a limit");
  }
  return options.fallback ? check(*options.fallback, "fallback") : success();
}

}  // namespace vqas
