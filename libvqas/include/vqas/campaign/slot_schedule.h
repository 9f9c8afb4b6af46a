#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "vqas/campaign/run_verdict.h"
#include "vqas/store/plan.h"
#include "vqas/store/slot_journal.h"

namespace vqas {

/// The slots of a campaign: at which instants its runs are due. A value; all functions are re-entrant. Times are
/// seconds since 1970 in UTC, so neither a clock change nor daylight saving moves a slot.
class SlotSchedule {
 public:
  /// `times` by their `first`, at least one; the campaign lasts `for_s` from the beginning of the first. It has at
  /// least the slots that are `over`, by number, also where the plan was made shorter.
  SlotSchedule(std::vector<SlotTimes> times, double for_s, std::span<const SlotRecord> over = {});

  /// Number of slots.
  std::size_t count() const { return count_; }
  /// When slot `number` is due, from 1. One beyond the last is the end of the last slot.
  double due_s(std::size_t number) const;
  /// The latest instant at which slot `number` may begin: `late_s` after it is due, but never after the next slot;
  /// with 0, half the time to the next slot.
  double latest_s(std::size_t number, double late_s) const;
  const std::vector<SlotTimes>& times() const { return times_; }

 private:
  std::vector<SlotTimes> times_;
  std::size_t count_ = 0;
  std::vector<std::vector<double>> instants_;  // of each times with times of day
};

/// The first slot without a record; `records` by number.
std::size_t first_without_record(std::span<const SlotRecord> records);

/// The verdict on the line by a slot: no_limit if it was left out.
RunVerdict verdict_of(const SlotRecord& slot);

/// The repeats of a plan as times that begin with slot `first` at `from_s`.
SlotTimes times_of_plan(const CampaignPlan& plan, std::size_t first, double from_s);

/// The first `count` instants from `from_s` on at which a clock in times.zone shows one of times.at_min. A time that
/// the clocks skip when they are set forward is taken by the offset before, so 02:30 becomes 03:30; one that they show
/// twice is taken the first time (RFC 5545, 3.3.5). Two times that become the same instant are one.
std::vector<double> times_of_day(const SlotTimes& times, std::size_t count);

}  // namespace vqas
