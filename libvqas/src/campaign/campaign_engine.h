#pragma once

#include <QObject>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "campaign/campaign_places.h"
#include "campaign/campaign_plan.h"
#include "campaign/tell.h"
#include "vqas/campaign/bench_run.h"
#include "vqas/campaign/campaign.h"
#include "vqas/campaign/disk_forecast.h"
#include "vqas/campaign/hook_desk.h"
#include "vqas/campaign/recording_keeper.h"

namespace vqas {
namespace campaign {

/// The run that is measured.
struct CurrentRun {
  CurrentRun(CampaignRun one, RunRecorder kept_by, RunEvents events, bool drop)
      : run(std::move(one)), recorder(std::move(kept_by)), told(std::move(events)), drop_plan(drop) {}

  const CampaignRun run;
  RunRecorder recorder;
  RunEvents told;
  const bool drop_plan;  ///< the copy of the plan was made for a run that has not begun
  std::optional<RecordedRun> between_nodes;
  std::optional<BenchRun> on_bench;

  void cancel() {
    if (on_bench) on_bench->cancel();
    if (between_nodes) between_nodes->cancel();
  }
};

}  // namespace campaign

struct Campaign::Engine {
  Engine(const PlanOnDisk& by, CampaignOptions how, CampaignEvents told, std::unique_ptr<campaign::CampaignClaim> taken,
         std::vector<FolderState> begun)
      : on_disk(by),
        options(std::move(how)),
        events(std::move(told)),
        claim(std::move(taken)),
        begun_before(std::move(begun)) {
    waiting.setSingleShot(true);
    QObject::connect(&waiting, &QTimer::timeout, &context, [this] { run_due(); });
  }

  void start();
  void cancel();
  void step();
  void run_due();
  /// The verdict of a run that needs no measuring; nothing while it is measured.
  std::optional<RunVerdict> begin_run(const CampaignRun& run);
  std::optional<RunVerdict> resume_run(CampaignRun run);
  RunVerdict unresumed(const CampaignRun& run);
  RunVerdict as_it_stands(const CampaignRun& run, const StoredRun& stored);
  /// Measures with the current run's recorder.
  std::optional<RunVerdict> measure(RunPlan plan);
  /// Tidies up behind the current run.
  RunVerdict leave(RunVerdict verdict);
  void count(const CampaignRun& run, RunVerdict verdict);
  Status keep(const CampaignRun& run);
  /// Hooks and rules on recordings, before the first run.
  void begin_upkeep();
  /// A run was counted: applies the rules on recordings, then tells the hooks.
  void look_after(const CampaignRun& run, RunVerdict what);
  void tidy(const CampaignRun& run, bool had_ended);
  void remember_bytes(const CampaignRun& run);
  /// Foresees the disk and tells the hooks; false if the run does not fit.
  bool has_room(const CampaignRun& run);
  /// The events of a run, seen by the hooks too.
  RunEvents watched(RunEvents told);
  /// The last event, when the hooks had their turn.
  void finish(EndOfCampaign end);
  Status write_page() const;
  void wind_up();

  /// Runs `task` after the stack is unwound: it may destroy the object that sent the event.
  void soon(std::function<void()> task) { QTimer::singleShot(0, &context, std::move(task)); }
  RunVerdict fail(const Error& error) const {
    campaign::tell(events.failed, error);
    return verdict_of(error);
  }
  CampaignRun run_of(std::size_t number) const {
    return {number, count_of_runs(plan), campaign::folder_of_run(plan, options, number), false};
  }
  /// A simulated line's clock stands still between two runs, so there is no wait.
  double now() const;
  /// When the first run began, by now(); 0 on a simulated line, whose clock stands still.
  double first_s() const;

  const PlanOnDisk on_disk;
  const CampaignPlan& plan = on_disk.plan;
  const CampaignOptions options;
  const CampaignEvents events;
  const std::unique_ptr<campaign::CampaignClaim> claim;
  /// Runs of an earlier process come first, whenever they were due.
  const std::vector<FolderState> begun_before;
  QObject context;
  QTimer waiting;
  std::optional<campaign::CurrentRun> current;
  std::optional<RepeatSchedule> schedule;
  std::size_t next_earlier = 1;
  double virtual_s = 0;
  std::vector<std::filesystem::path> folders;
  RunVerdict verdict = RunVerdict::pass;
  std::unique_ptr<HookDesk> hooks;  ///< null: the plan has none
  std::optional<RecordingKeeper> keeper;
  std::vector<RunBytes> run_bytes;   ///< of the last runs
  std::uint64_t archived_bytes = 0;  ///< of the last run, on the same disk
  std::optional<RunEnd> run_end;     ///< of the run that is counted next
  bool stood = false;                ///< that run was measured by an earlier process
  bool call_away = false, node_away = false;
  std::optional<EndOfCampaign> ended_with;  ///< waits for the hooks
  bool going = true, cancelled = false, over = false;
  bool measured = false;    ///< or tried to, in this process
  bool incomplete = false;  ///< of a run that cannot be resumed
};

}  // namespace vqas
