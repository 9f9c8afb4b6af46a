#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vqas/campaign/slot_schedule.h"
#include "vqas/store/slot_journal.h"

namespace vqas::campaign {

/// The slots of a campaign: when they are due, what became of those that are over, and the file that keeps both. For
/// one thread.
class SlotBook {
 public:
  /// Begins or continues slots.jsonl in `folder`, for a process that starts at `utc_s`. A campaign that was begun
  /// without that file began at `began_s`. Repeats that were changed hold from the first slot without a record on.
  /// Fails with bad_input or io.
  static Result<SlotBook> open(const std::filesystem::path& folder, const CampaignPlan& plan, double utc_s,
                               std::optional<double> began_s);

  const SlotSchedule& schedule() const { return schedule_; }
  /// By number; each once.
  const std::vector<SlotRecord>& records() const { return log_.records; }
  /// The first slot without a record.
  std::size_t next() const;
  /// Whether a later slot has a record: that of `number` was lost.
  bool is_passed(std::size_t number) const { return !records().empty() && records().back().number > number; }
  /// The process before this one.
  std::optional<SlotSession> session_before() const;
  /// The outage that has not ended.
  const SlotOutage* outage() const;
  std::size_t damaged() const { return log_.damaged; }

  // They fail with io; the line is then kept, and written before the next one.
  Status started(double utc_s, const std::string& boot) { return journal_.started(utc_s, boot); }
  Status stopped(double utc_s) { return journal_.stopped(utc_s); }
  Status stepped(const ClockStep& step) { return journal_.stepped(step); }
  Status away(double utc_s, const std::string& why);
  Status back(double utc_s);
  /// Records the next slot.
  Status close(const SlotRecord& slot);

 private:
  SlotBook(SlotJournal journal, SlotLog log, SlotSchedule schedule)
      : journal_(std::move(journal)), log_(std::move(log)), schedule_(std::move(schedule)) {}
  SlotJournal journal_;
  SlotLog log_;
  SlotSchedule schedule_;
};

}  // namespace vqas::campaign
