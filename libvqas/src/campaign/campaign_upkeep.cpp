// What a campaign needs to last for weeks without a person: hooks, rules on recordings, room on the disk.
#include <fmt/format.h>

#include <QDateTime>
#include <system_error>
#include <utility>

#include "campaign/campaign_engine.h"
#include "vqas/run/recording_name.h"
#include "vqas/store/utc_text.h"

namespace vqas {

using namespace campaign;

namespace {

// Runs by which the next one is foreseen: enough to see their scatter, few enough to follow a line that changes.
constexpr std::size_t kRunsForeseen = 10;

double utc_s() {
  return 1e-3 * static_cast<double>(QDateTime::currentMSecsSinceEpoch());
}

// A hook runs in another folder.
std::filesystem::path whole_path(const std::filesystem::path& folder) {
  std::error_code failed;
  return std::filesystem::absolute(folder, failed).lexically_normal();
}

/// Calls the first, then the second.
template <typename... Parameters, typename After>
std::function<void(Parameters...)> both(std::function<void(Parameters...)> first, After after) {
  return [first = std::move(first), after = std::move(after)](Parameters... values) {
    tell(first, values...);
    after(values...);
  };
}

}  // namespace

void Campaign::Engine::begin_upkeep() {
  if (plan.keep.any()) keeper.emplace(plan.keep);
  if (!plan.hooks.any()) return;
  HookDeskOptions how;
  how.hooks = plan.hooks;
  how.campaign = {plan.name, whole_path(options.folder), plan.tags, false};
  how.resume = options.resume;
  if (options.clock) how.utc_s = [this] { return now(); };
  how.noticed = events.noticed;
  hooks = std::make_unique<HookDesk>(std::move(how));
}

RunEvents Campaign::Engine::watched(RunEvents told) {
  call_away = node_away = false;
  const auto look = [this](const std::string& why) {
    if (!why.empty()) {
      if (!away_since_s) away_since_s = now();
      if (hooks) hooks->line_away(why, *away_since_s);
    } else if (!call_away && !node_away) {
      away_since_s.reset();
      if (hooks) hooks->line_there();
    }
  };
  told.begun = both(std::move(told.begun), [this](const RunResults&) {
    if (hooks) hooks->begin();
  });
  // A score proves that the line is there; a run that has only begun does not.
  told.measured = both(std::move(told.measured), [this](const DirectionRun&, const StimulusRun& stimulus) {
    if (stimulus.measurements.back().outcome != Outcome::scored || call_away || node_away) return;
    there_s = now();
    line_is_back();
  });
  told.paused = both(std::move(told.paused), [this, look](const std::string& why) {
    call_away = !why.empty();
    look(why);
  });
  told.out_of_reach = both(std::move(told.out_of_reach), [this, look](const std::string& node) {
    node_away = !node.empty();
    look(node.empty() ? node : fmt::format("the node {} is out of reach", node));
  });
  return told;
}

void Campaign::Engine::look_after(const CampaignRun& run, RunVerdict what, bool stored) {
  const bool stood_already = std::exchange(stood, false);
  std::optional<RunEnd> ended = std::exchange(run_end, std::nullopt);
  if (!folders.empty() && folders.back() == run.folder) {
    // The store may still take the recordings of a run that it could not take now.
    if (stored) tidy(run, stood_already);
    // Of earlier runs only the last ones count, and there may be thousands.
    if (!stood_already || run.number + kRunsForeseen > slots_known) remember_bytes(run);
  }
  archived_bytes = 0;
  if (!hooks) return;
  if (!ended) ended.emplace();
  ended->number = run.number;
  ended->runs = run.runs;
  ended->folder = whole_path(run.folder);
  ended->ended_as = what;
  if (away_since_s) ended->away_since_utc = utc_text(*away_since_s);
  if (stood_already)
    hooks->run_had_ended(*ended);
  else
    hooks->run_ended(*ended, true);
}

/// A folder that cannot be tidied costs room, not results: the campaign continues.
void Campaign::Engine::tidy(const CampaignRun& run, bool had_ended) {
  if (!keeper) return;
  const Status taken = had_ended ? keeper->know(run.folder) : keeper->add(run.folder);
  if (!taken) tell(events.noticed, taken.error().message);
  if (had_ended) return;
  // A simulated line's own time may be weeks ahead of its files'.
  if (const auto removed = keeper->tidy(options.clock ? now() : utc_s()); !removed)
    tell(events.noticed, removed.error().message);
}

void Campaign::Engine::look_back(const CampaignRun& run) {
  tidy(run, true);
  if (run.number + kRunsForeseen > slots_known) remember_bytes(run);
}

void Campaign::Engine::remember_bytes(const CampaignRun& run) {
  const std::uint64_t all = bytes_below(run.folder);
  const std::uint64_t recordings = keeper ? keeper->bytes_of(run.folder) : bytes_below(run.folder / kRecordingsFolder);
  const std::uint64_t removed = keeper ? keeper->removed_bytes_of(run.folder) : 0;
  run_bytes.push_back({all + removed + archived_bytes, recordings, all - std::min(all, recordings) + archived_bytes});
  if (run_bytes.size() > kRunsForeseen) run_bytes.erase(run_bytes.begin());
}

bool Campaign::Engine::has_room(const CampaignRun& run) {
  const auto free = free_bytes(options, options.folder);
  if (!free) return true;
  DiskOutlook outlook;
  outlook.free_bytes = *free;
  outlook.planned = planned_bytes(plan, stimuli_of(plan, options));
  outlook.measured = run_bytes;
  for (std::size_t next = run.number + 1; book && next <= run.runs; ++next) {
    outlook.begins_s.push_back(book->schedule().due_s(next) - book->schedule().due_s(run.number));
    if (outlook.begins_s.back() > kForeseen_s) break;
  }
  if (keeper) {
    outlook.recordings_held = keeper->bytes();
    outlook.recordings_cap =
        recordings_cap(plan, run_bytes.empty() ? outlook.planned.recordings : run_bytes.back().recordings);
  }
  const DiskForecast forecast = foresee_disk(outlook);
  if (hooks) hooks->disk(forecast);
  if (forecast.fits) return true;
  const std::string why = disk_full_in_words(forecast, options.folder);
  (void)fail({ErrorCode::io, fmt::format("run {} of {} is not begun: {}", run.number, run.runs, why)});
  return false;
}

void Campaign::Engine::finish(EndOfCampaign last) {
  if (!hooks || cancelled) {
    hooks.reset();
    return soon([this, last = std::move(last)] { tell(events.finished, last); });
  }
  ended_with = std::move(last);
  hooks->finish([this] {
    soon([this] {
      if (auto ready = std::exchange(ended_with, std::nullopt)) tell(events.finished, *ready);
    });
  });
}

}  // namespace vqas
