#include "campaign/slots/slot_book.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace vqas::campaign {
namespace {

// Times are kept to a millisecond.
constexpr double kSame_s = 0.1;

/// Where the times of a file without them began; nothing if that cannot be known.
std::optional<double> lost_beginning(const SlotLog& log, const CampaignPlan& plan, double otherwise_s) {
  if (log.records.empty()) return log.sessions.empty() ? otherwise_s : log.sessions.front().started_s;
  const SlotRecord& slot = log.records.front();
  if (slot.number == 1) return slot.due_s;
  if (plan.every_s <= 0) return std::nullopt;
  return slot.due_s - static_cast<double>(slot.number - 1) * plan.every_s;
}

/// The records were made by these times. If not, a line with other times is lost, and the other slots' times with it.
bool explain(const SlotSchedule& schedule, const std::vector<SlotRecord>& records) {
  return std::ranges::all_of(records, [&](const SlotRecord& one) {
    return one.number > schedule.count() || std::abs(schedule.due_s(one.number) - one.due_s) < kSame_s;
  });
}

/// The first slot that new times may move: behind all that have a record, and behind those whose time is over.
std::size_t first_to_change(const SlotLog& log, const SlotSchedule& schedule, double late_s, double utc_s) {
  std::size_t first = log.times.back().first;
  if (!log.records.empty()) first = std::max(first, log.records.back().number + 1);
  while (first <= schedule.count() && schedule.latest_s(first, late_s) < utc_s) ++first;
  return first;
}

}  // namespace

Result<SlotBook> SlotBook::open(const std::filesystem::path& folder, const CampaignPlan& plan, double utc_s,
                                std::optional<double> began_s) {
  auto known = read_slot_log(folder);
  if (!known) return known.error();
  SlotLog log = std::move(*known).value_or(SlotLog{});
  const Error unknown_times{
      ErrorCode::bad_input,
      fmt::format("{} is damaged: the times of its slots are lost; restore the file from a copy, or begin the campaign "
                  "in another folder",
                  (folder / kSlotsFile).string())};
  std::vector<SlotTimes> added;
  if (log.times.empty()) {
    const auto from_s = lost_beginning(log, plan, began_s.value_or(utc_s));
    if (!from_s) return unknown_times;
    log.times.push_back(times_of_plan(plan, 1, *from_s));
    added.push_back(log.times.back());
  }
  const SlotSchedule before(log.times, plan.for_s, log.records);
  if (!explain(before, log.records)) return unknown_times;
  if (!log.times.back().same_pattern(times_of_plan(plan, 1, 0))) {
    const std::size_t first = first_to_change(log, before, plan.late_s, utc_s);
    log.times.push_back(times_of_plan(plan, first, std::max(utc_s, before.due_s(first))));
    added.push_back(log.times.back());
  }
  auto journal = SlotJournal::open(folder);
  if (!journal) return journal.error();
  for (const SlotTimes& times : added) {
    if (const Status written = journal->add(times); !written) return written.error();
  }
  SlotSchedule schedule(log.times, plan.for_s, log.records);
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
