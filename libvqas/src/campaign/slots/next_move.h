#pragma once

#include <optional>
#include <string>

#include "vqas/campaign/slot_schedule.h"

namespace vqas::campaign {

/// How a campaign treats its slots, from its plan.
struct SlotRules {
  double late_s = 0;     ///< as CampaignPlan::late_s
  double retry_s = 300;  ///< as CampaignPlan::retry_s
};

/// What a campaign does next.
struct Move {
  enum class What {
    wait,     ///< for wait_s, then look again
    measure,  ///< the slot's run begins, or is tried or continued again
    close,    ///< the slot's time is over: it gets its record
    end,      ///< every slot has its record
  };
  What what = What::end;
  double wait_s = 0;
  bool operator==(const Move&) const = default;
};

/// The first slot without a record.
struct OpenSlot {
  std::size_t number = 1;
  bool begun = false;                  ///< its run has measured something and was broken off
  std::optional<double> retry_at_s{};  ///< UTC: not tried before; nothing if the last try did not fail
};

/// Pure: the same answer for the same arguments. A run that has begun is continued until the next slot is due.
Move next_move(const SlotSchedule& schedule, const SlotRules& rules, const OpenSlot& slot, double utc_s);

/// What a process knows of the time in which a slot was missed. All times in UTC.
struct Witness {
  double started_s = 0;                                ///< this process
  std::optional<SlotSession> before{};                 ///< the process before it
  std::string boot{};                                  ///< of this process, as SlotSession::boot
  std::optional<double> run_began_s{}, run_ended_s{};  ///< the last run of this process
  std::optional<ClockStep> step{};                     ///< the last one that this process saw
};

struct WhyMissed {
  SlotOutcome outcome = SlotOutcome::not_running;
  std::string why;  ///< one sentence without its full stop
};
/// Why nothing was tried in a slot. Pure.
WhyMissed why_missed(double due_s, double latest_s, const Witness& witness);

}  // namespace vqas::campaign
