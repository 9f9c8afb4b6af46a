#include "campaign/slots/slot_book.h"

#include <algorithm>
#include <utility>

namespace vqas::campaign {
namespace {

/// Where the times of a file without them began.
double lost_beginning(const SlotLog& log, const CampaignPlan& plan, double otherwise_s) {
  if (log.records.empty()) return otherwise_s;
  const SlotRecord& slot = log.records.front();
  return slot.due_s - static_cast<double>(slot.number - 1) * plan.every_s;
}

}  // namespace

Result<SlotBook> SlotBook::open(const std::filesystem::path& folder, const CampaignPlan& plan, double utc_s,
                                std::optional<double> began_s) {
  auto known = read_slot_log(folder);
  if (!known) return known.error();
  auto journal = SlotJournal::open(folder);
  if (!journal) return journal.error();
  SlotLog log = std::move(*known).value_or(SlotLog{});
  const auto add = [&](std::size_t first, double from_s) {
    log.times.push_back(times_of_plan(plan, first, from_s));
    return journal->add(log.times.back());
  };
  if (log.times.empty()) {
    if (const Status added = add(1, lost_beginning(log, plan, began_s.value_or(utc_s))); !added) return added.error();
  }
  if (!log.times.back().same_pattern(times_of_plan(plan, 1, 0))) {
    const std::size_t next = first_without_record(log.records);
    const double due_s = SlotSchedule(log.times, plan.for_s).due_s(next);
    if (const Status added = add(std::max(next, log.times.back().first), std::max(utc_s, due_s)); !added)
      return added.error();
  }
  SlotSchedule schedule(log.times, plan.for_s);
  return SlotBook(*std::move(journal), std::move(log), std::move(schedule));
}

std::size_t SlotBook::next() const {
  return first_without_record(log_.records);
}

std::optional<SlotSession> SlotBook::session_before() const {
  return log_.sessions.empty() ? std::nullopt : std::optional(log_.sessions.back());
}

const SlotOutage* SlotBook::outage() const {
  return log_.outages.empty() || log_.outages.back().until_s ? nullptr : &log_.outages.back();
}

Status SlotBook::away(double utc_s, const std::string& why) {
  log_.outages.push_back({utc_s, {}, why});
  return journal_.away(utc_s, why);
}

Status SlotBook::back(double utc_s) {
  log_.outages.back().until_s = utc_s;
  return journal_.back(utc_s);
}

Status SlotBook::close(const SlotRecord& slot) {
  log_.records.insert(std::ranges::lower_bound(log_.records, slot.number, {}, &SlotRecord::number), slot);
  return journal_.add(slot);
}

}  // namespace vqas::campaign
