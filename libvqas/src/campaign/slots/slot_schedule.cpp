#include "vqas/campaign/slot_schedule.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vqas {
namespace {

constexpr double kDay_s = 86400;
constexpr double kRounding = 1e-9;  // 24 h of 15 min are 96 slots, not 97

/// Slots of `times` in `left_s`.
std::size_t slots_in(const SlotTimes& times, double left_s) {
  const double records = times.every_s > 0 ? std::ceil(left_s / times.every_s - kRounding)
                                           : std::round(left_s / kDay_s * static_cast<double>(times.at_min.size()));
  return static_cast<std::size_t>(std::max(0.0, records));
}

}  // namespace

SlotSchedule::SlotSchedule(std::vector<SlotTimes> times, double for_s, std::span<const SlotRecord> over)
    : times_(std::move(times)) {
  const double end_s = times_.front().from_s + for_s;
  count_ = times_.back().first - 1 + slots_in(times_.back(), end_s - times_.back().from_s);
  count_ = std::max(count_, over.empty() ? std::size_t{1} : over.back().number);
  for (std::size_t i = 0; i < times_.size(); ++i) {
    const std::size_t next = i + 1 < times_.size() ? times_[i + 1].first : count_ + 1;
    instants_.push_back(times_of_day(times_[i], next + 1 - std::min(next, times_[i].first)));
  }
}

double SlotSchedule::due_s(std::size_t number) const {
  std::size_t at = times_.size() - 1;
  while (at > 0 && times_[at].first > number) --at;
  const std::size_t nth = number - std::min(number, times_[at].first);
  if (times_[at].every_s > 0) return times_[at].from_s + static_cast<double>(nth) * times_[at].every_s;
  return instants_[at].empty() ? times_[at].from_s : instants_[at][std::min(nth, instants_[at].size() - 1)];
}

double SlotSchedule::latest_s(std::size_t number, double late_s) const {
  const double due = due_s(number), gap = due_s(number + 1) - due;
  return due + (late_s > 0 ? std::min(late_s, gap) : gap / 2);
}

std::size_t first_without_record(std::span<const SlotRecord> records) {
  std::size_t next = 1;
  for (const SlotRecord& record : records) {
    if (record.number != next) break;
    ++next;
  }
  return next;
}

RunVerdict verdict_of(const SlotRecord& slot) {
  if (was_left_out(slot.outcome)) return RunVerdict::no_limit;
  if (slot.outcome != SlotOutcome::measured) return RunVerdict::not_measured;
  return run_verdict_from_string(slot.verdict).value_or(RunVerdict::not_measured);
}

SlotTimes times_of_plan(const CampaignPlan& plan, std::size_t first, double from_s) {
  SlotTimes times{first, from_s, plan.every_s, plan.at_min, plan.zone};
  if (plan.at_min.empty()) times.zone.clear();
  return times;
}

}  // namespace vqas
