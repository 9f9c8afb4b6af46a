#include "model/repeats/kept_campaign.h"

#include <QTimeZone>
#include <algorithm>
#include <cmath>
#include <set>
#include <system_error>
#include <utility>

#include "vqas/campaign/campaign_status.h"
#include "vqas/campaign/kept_plan.h"

namespace vqas::app {

namespace fs = std::filesystem;

namespace {

bool has_slots(const fs::path& folder) {
  std::error_code unknown;
  return fs::exists(folder / kSlotsFile, unknown);
}

// Runs that were moved into the bin are not asked for again.
bool has_its_runs(const fs::path& folder, const SlotLog& log) {
  const auto has_run = [](const SlotRecord& slot) { return !slot.run.empty(); };
  const auto is_there = [&folder](const SlotRecord& slot) {
    std::error_code unknown;
    return !slot.run.empty() && fs::exists(folder / slot.run, unknown);
  };
  return std::ranges::none_of(log.records, has_run) || std::ranges::any_of(log.records, is_there);
}

QString tag(const CampaignPlan& plan, const char* name) {
  const auto found = plan.tags.find(name);
  return found == plan.tags.end() ? QString() : QString::fromStdString(found->second);
}

// Also those that have no run yet.
std::set<fs::path> campaigns_in(const fs::path& folder, const std::vector<KeptRun>& runs) {
  std::set<fs::path> found;
  for (const KeptRun& run : runs)
    if (auto campaign = campaign_with_repeats(run.folder)) found.insert(*std::move(campaign));
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed))
    if (has_slots(entry.path())) found.insert(entry.path());
  return found;
}

}  // namespace

std::optional<fs::path> campaign_with_repeats(const fs::path& folder) {
  auto campaign = campaign_of(folder);
  if (campaign && !has_slots(*campaign)) campaign.reset();
  return campaign;
}

std::optional<KeptRun> resumable_campaign(const fs::path& folder) {
  const auto status = campaign_status(folder);
  if (!status || !status->next_s || status->measured_now || !has_its_runs(folder, status->log)) return std::nullopt;
  const auto plan = kept_plan(folder);
  if (!plan || !*plan) return std::nullopt;
  KeptRun kept;
  kept.folder = folder;
  kept.site = tag((*plan)->plan, "site");
  kept.circuit = tag((*plan)->plan, "circuit");
  kept.started =
      QDateTime::fromMSecsSinceEpoch(std::llround(1000 * status->log.times.front().from_s), QTimeZone::utc());
  kept.state = FolderState::resumable;
  kept.resumable = true;
  kept.slots_over = status->log.records.size();
  kept.slots_in_all = status->slots_in_all;
  return kept;
}

std::vector<KeptRun> read_resumable_runs(const fs::path& folder) {
  std::vector<KeptRun> runs = read_kept_runs(folder);
  const std::set<fs::path> campaigns = campaigns_in(folder, runs);
  std::erase_if(runs, [](const KeptRun& run) { return !run.resumable || campaign_with_repeats(run.folder); });
  for (const fs::path& one : campaigns)
    if (auto campaign = resumable_campaign(one)) runs.push_back(*std::move(campaign));
  std::ranges::stable_sort(runs, [](const KeptRun& a, const KeptRun& b) { return a.started > b.started; });
  return runs;
}

}  // namespace vqas::app
