#include "vqas/campaign/campaign_status.h"

#include <fmt/format.h>

#include <utility>

#include "store/journal/slot_json.h"
#include "vqas/campaign/kept_plan.h"
#include "vqas/campaign/slot_schedule.h"
#include "vqas/node/run_lock.h"
#include "vqas/store/utc_text.h"

namespace vqas {

using store::Json;

Result<CampaignStatus> campaign_status(const std::filesystem::path& folder) {
  auto log = read_slot_log(folder);
  if (!log) return log.error();
  const auto plan = kept_plan(folder);
  if (!plan) return plan.error();
  if (!*log || (*log)->times.empty() || !*plan)
    return Error{
        ErrorCode::bad_input,
        fmt::format("{} holds no campaign with repeats that was begun; name the folder of one", folder.string())};
  CampaignStatus status;
  status.name = (*plan)->plan.name;
  status.measured_now = run_goes_on(folder);
  status.log = **std::move(log);
  const SlotSchedule schedule(status.log.times, (*plan)->plan.for_s, status.log.records);
  status.slots_in_all = schedule.count();
  const std::size_t next = first_without_record(status.log.records);
  if (next <= schedule.count()) status.next_s = schedule.due_s(next);
  return status;
}

std::string campaign_status_json(const CampaignStatus& status) {
  const SlotLog& log = status.log;
  Json json{{"campaign", status.name},
            {"measured_now", status.measured_now},
            {"slots_in_all", status.slots_in_all},
            {"slots_over", log.records.size()},
            {"next_utc", status.next_s ? Json(utc_text(*status.next_s)) : Json()},
            {"counts", Json::object()},
            {"slots", Json::array()},
            {"outages", Json::array()},
            {"clock_steps", Json::array()},
            {"damaged_lines", log.damaged}};
  const auto counts = count_slots(log.records);
  for (std::size_t i = 0; i < counts.size(); ++i)
    json["counts"][std::string(to_string(kSlotOutcomes.at(i)))] = counts.at(i);
  for (const SlotRecord& record : log.records) json["slots"].push_back(store::to_json(record));
  for (const SlotOutage& outage : log.outages)
    json["outages"].push_back({{"since_utc", utc_text(outage.since_s)},
                               {"until_utc", outage.until_s ? Json(utc_text(*outage.until_s)) : Json()},
                               {"why", outage.why}});
  for (const ClockStep& step : log.steps) json["clock_steps"].push_back(store::to_json(step));
  return store::to_page(json);
}

}  // namespace vqas
