#include "campaign/slots/next_move.h"

#include <fmt/format.h>

#include <algorithm>

#include "vqas/store/utc_text.h"

namespace vqas::campaign {

Move next_move(const SlotSchedule& schedule, const SlotRules& rules, const OpenSlot& slot, double utc_s) {
  using enum Move::What;
  if (slot.number > schedule.count()) return {end};
  const double due_s = schedule.due_s(slot.number);
  if (utc_s < due_s) return {wait, due_s - utc_s};
  const double latest_s = slot.begun ? schedule.due_s(slot.number + 1) : schedule.latest_s(slot.number, rules.late_s);
  // A run that has begun may not begin again exactly when the next one is due.
  if (slot.begun ? utc_s >= latest_s : utc_s > latest_s) return {close};
  if (!slot.retry_at_s) return {measure};
  if (rules.retry_s <= 0) return {close};
  if (*slot.retry_at_s <= utc_s) return {measure};
  if (*slot.retry_at_s > latest_s) return {close};
  // A clock that was set back does not make the pause longer.
  return {wait, std::min(*slot.retry_at_s - utc_s, rules.retry_s)};
}

WhyMissed why_missed(double due_s, double latest_s, const Witness& witness) {
  if (latest_s < witness.started_s) {
    const std::string started = utc_words(witness.started_s);
    if (!witness.before) return {SlotOutcome::not_running, fmt::format("the campaign was started at {} UTC", started)};
    const SlotSession& before = *witness.before;
    if (before.stopped_s && *before.stopped_s <= latest_s)
      return {SlotOutcome::stopped, fmt::format("the campaign was stopped at {} UTC and started again at {} UTC",
                                                utc_words(*before.stopped_s), started)};
    const bool rebooted = !before.boot.empty() && !witness.boot.empty() && before.boot != witness.boot;
    return {SlotOutcome::not_running,
            fmt::format("{} until {} UTC", rebooted ? "the machine was off" : "the command did not run", started)};
  }
  if (const auto& step = witness.step;
      step && step->step_s > 0 && step->at_s - step->step_s <= latest_s && latest_s <= step->at_s)
    return {SlotOutcome::clock_step,
            fmt::format("the system's clock was set forward by {:.0f} s to {} UTC, or the machine slept", step->step_s,
                        utc_words(step->at_s))};
  if (witness.run_began_s && witness.run_ended_s && *witness.run_began_s <= latest_s && due_s <= *witness.run_ended_s)
    return {SlotOutcome::overran, fmt::format("the run before it took until {} UTC", utc_words(*witness.run_ended_s))};
  return {SlotOutcome::not_running, "the command was held up"};
}

}  // namespace vqas::campaign
