#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vqas/campaign/disk_forecast.h"
#include "vqas/campaign/run_verdict.h"
#include "vqas/run/provenance.h"
#include "vqas/run/run.h"
#include "vqas/store/plan.h"

namespace vqas {

/// What a hook is run for.
enum class HookEvent { run_ended, verdict_changed, line_dead, line_back, disk_full_soon };
/// "run_ended", "verdict_changed", "line_dead", "line_back", "disk_full_soon".
std::string_view to_string(HookEvent event);
std::optional<HookEvent> hook_event_from_string(std::string_view name);
/// The program for this event, of the plan; empty: none.
const std::vector<std::string>& program_for(HookEvent event, const PlannedHooks& hooks);

inline constexpr const char* kHookSchema = "vqas-hook/1";

/// A direction of a run that ended.
struct DirectionEnd {
  End from = End::a;
  std::optional<double> mean;   ///< MOS; nothing without a score
  double half_width = 0;        ///< MOS, repeatability at `confidence`; infinite if unknown
  double with_model_error = 0;  ///< the same with the model's error, by which limits are judged
  double confidence = 0;        ///< 0..1
  std::size_t scored = 0, measured = 0;
};

/// What hooks are told of a run that ended.
struct RunEnd {
  std::size_t number = 1, runs = 1;
  std::filesystem::path folder;
  RunVerdict verdict = RunVerdict::not_measured;  ///< what it says of the line, as verdict_of(results)
  RunVerdict ended_as = RunVerdict::no_limit;     ///< of its exit code: line_lost, io, ... or as `verdict`
  std::string uuid;
  std::string started_utc, finished_utc;  ///< ISO 8601
  std::string ended_because;              ///< empty when complete
  std::string away_since_utc;             ///< the line was away at its end, since then; empty: not known to be
  double line_seconds = 0;
  ScoreMode mode = ScoreMode::narrowband;  ///< the scale of `limit_mos` and of the means
  std::optional<double> limit_mos;
  std::vector<DirectionEnd> directions;
};
/// `number`, `runs`, `folder` and `ended_as` are left to the caller.
RunEnd run_end_of(const RunResults& results, const Provenance& provenance);

/// A document for a hook, as JSON in one line.
struct HookMessage {
  std::string id;  ///< the same whenever it is sent again
  HookEvent event = HookEvent::run_ended;
  std::string document;
};

/// The campaign that hooks tell of.
struct HookCampaign {
  std::string name;
  std::filesystem::path folder;
  std::map<std::string, std::string> tags;
  bool example = false;  ///< the documents are examples: nothing was measured
};

/// What a campaign remembers between its runs, so that an event is told once.
struct WatchState {
  std::string campaign = {};               ///< uuid, the first part of each document's id
  std::uint64_t next = 1;                  ///< number of the next document
  std::optional<RunVerdict> verdict = {};  ///< pass, fail or undecided; nothing before the first run with a verdict
  bool line_dead = false;
  bool away_only = false;  ///< dead within a run, no run has ended without a score
  std::string line_dead_since_utc = {};
  bool disk_told = false;
  std::size_t last_number = 0;  ///< the run whose end was told last
  std::string last_finished_utc = {};

  bool operator==(const WatchState&) const = default;
};

/// Turns what happens in a campaign into documents for its hooks. Pure: values in, values out; it runs nothing and
/// reads no clock. Every `utc` is ISO 8601.
class HookWatch {
 public:
  HookWatch(HookCampaign campaign, WatchState state) : campaign_(std::move(campaign)), state_(std::move(state)) {}

  /// A run ended. `anew`: it was measured by this process; else its end counts only if it was not told before a kill.
  /// The verdict of the campaign changes only when a run's interval with the model's error lies wholly above or wholly
  /// below the limit: an undecided run leaves pass and fail as they are.
  std::vector<HookMessage> run_ended(const RunEnd& end, bool anew, const std::string& utc);
  /// The end of an earlier run is known without being told, because hooks were not planned then.
  void skip(const RunEnd& end);
  /// The line or a node has been away since `since_utc`, in the middle of a run.
  std::vector<HookMessage> line_away(const std::string& why, const std::string& utc, const std::string& since_utc);
  /// It is there again. A line that gave no score in a whole run is back only when a run was measured.
  std::vector<HookMessage> line_there(const std::string& utc);
  /// Told once; again only after the forecast was good for kForeseen_s.
  std::vector<HookMessage> disk(const DiskForecast& forecast, const std::string& utc);

  const WatchState& state() const { return state_; }

 private:
  HookMessage message(HookEvent event, const std::string& utc, const std::string& member, const std::string& content);
  void change_verdict(const RunEnd& end, const std::string& utc, std::vector<HookMessage>& messages);

  HookCampaign campaign_;
  WatchState state_;
};

/// One document for each event, as `vqas hooks test` sends them.
std::vector<HookMessage> example_messages(const CampaignPlan& plan, const std::string& utc);

}  // namespace vqas
