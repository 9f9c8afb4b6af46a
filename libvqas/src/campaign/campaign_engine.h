#pragma once

#include <QObject>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "campaign/campaign_places.h"
#include "campaign/campaign_plan.h"
#include "campaign/slots/next_move.h"
#include "campaign/slots/slot_book.h"
#include "campaign/tell.h"
#include "vqas/campaign/campaign.h"
#include "vqas/campaign/disk_forecast.h"
#include "vqas/campaign/hook_desk.h"
#include "vqas/campaign/recording_keeper.h"

namespace vqas {
namespace campaign {

/// The run that is measured.
struct CurrentRun {
  CurrentRun(CampaignRun of, RunRecorder kept_by, RunEvents events, bool drop)
      : run(std::move(of)), recorder(std::move(kept_by)), told(std::move(events)), drop_plan(drop) {}

  const CampaignRun run;
  RunRecorder recorder;
  RunEvents told;
  const bool drop_plan;  ///< the copy of the plan was made for a run that has not begun
  std::unique_ptr<MeasuringRun> measuring;
};

/// The slot that is measured, or waited for.
struct CurrentSlot {
  OpenSlot open{.number = 0};                 ///< 0: not looked at yet
  std::optional<double> began_s, ended_s;     ///< UTC: its first try, the end of its last one
  std::size_t tries = 0;                      ///< of this process
  bool tried_before = false;                  ///< an earlier process began its run
  bool has_run = false;                       ///< the folder holds its run, not one of an earlier campaign
  RunVerdict verdict = RunVerdict::no_limit;  ///< of the last try
};

constexpr bool is_complete(RunVerdict verdict) {
  return verdict <= RunVerdict::not_measured;
}

}  // namespace campaign

struct Campaign::Engine {
  Engine(const PlanOnDisk& by, CampaignOptions how, CampaignEvents told, std::unique_ptr<campaign::CampaignClaim> taken)
      : on_disk(by), options(std::move(how)), events(std::move(told)), claim(std::move(taken)), clock(options.clock) {
    if (!clock) clock = system_clock();
  }
  ~Engine() { clock->stop_waiting(); }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void start();
  void cancel();
  void step();
  void wind_up();
  /// Tells of a campaign whose slots are over, but mostly without a run.
  void look_at_slots(const EndOfCampaign& end);
  Status write_page() const;

  // A campaign of one run.
  void step_single();

  // Slots.
  Status open_book();
  void recount(const SlotRecord& slot_before);
  void recount_from_folder(const SlotRecord& slot_before);
  void step_slots();
  /// Begins, continues or tries again the run of the open slot.
  void attempt();
  /// What follows from the end of a try.
  void tried(const CampaignRun& run, RunVerdict verdict);
  /// Looks at what the open slot's folder holds from an earlier process; a run that has ended gets its record.
  bool takes_over();
  /// Records the open slot, whose time is over.
  void close_slot();
  void record(SlotOutcome outcome, RunVerdict verdict, std::string why);
  void look_at_clock();
  void line_is_away(const std::string& why);
  /// Ends an outage.
  void line_is_back();
  /// Reports that slots.jsonl cannot be written; its lines are written later.
  void tell_unwritten(const Status& written);

  // Runs.
  /// The verdict of a run that needs no measuring; nothing while it is measured.
  std::optional<RunVerdict> begin_run(const CampaignRun& run);
  std::optional<RunVerdict> resume_run(CampaignRun run);
  RunVerdict unresumed(const CampaignRun& run);
  RunVerdict as_it_stands(const CampaignRun& run, const StoredRun& stored);
  /// The verdict of a complete run, whose report is mended where needed.
  RunVerdict ended_before(const CampaignRun& run, const StoredRun& stored);
  /// The verdict of a try that ended as `what`: a run whose journal is complete was measured, even if its report could
  /// not be written.
  RunVerdict verdict_of_try(const CampaignRun& run, RunVerdict what);
  /// Writes what a run's report lacks, now or at the end of the campaign.
  void mend(const std::filesystem::path& folder, const StoredRun& stored);
  /// What could not be mended before; a report that still cannot be written counts.
  void mend_reports();
  void remove_copies_of_nodes(const std::filesystem::path& folder) const;
  /// Measures with the current run's recorder.
  std::optional<RunVerdict> measure(RunPlan plan);
  /// Tidies up behind the current run.
  RunVerdict leave(RunVerdict verdict);
  void ended(const CampaignRun& run, RunVerdict verdict);
  /// The plan's store takes the run.
  Status keep(const CampaignRun& run);
  /// Hooks and rules on recordings, before the first run.
  void begin_upkeep();
  /// A run was counted: applies the rules on recordings, then tells the hooks.
  void look_after(const CampaignRun& run, RunVerdict what, bool stored = true);
  void tidy(const CampaignRun& run, bool had_ended);
  /// A run of an earlier process, which the hooks were told of, is known to the rules on recordings and to the
  /// forecast.
  void look_back(const CampaignRun& run);
  void remember_bytes(const CampaignRun& run);
  /// Foresees the disk and tells the hooks; false, and the reason told, if the run does not fit.
  bool has_room(const CampaignRun& run);
  /// The events of a run, seen by the hooks too.
  RunEvents watched(RunEvents told);
  /// The last event, when the hooks had their turn.
  void finish(EndOfCampaign end);

  /// Runs `task` after the stack is unwound: it may destroy the object that sent the event.
  void soon(std::function<void()> task) { QTimer::singleShot(0, &context, std::move(task)); }
  RunVerdict fail(const Error& error) {
    fault = error.message;
    campaign::tell(events.failed, error);
    return verdict_of(error);
  }
  CampaignRun run_of(std::size_t number) const {
    return {number, book ? book->schedule().count() : 1, campaign::folder_of_run(plan, options, number), false};
  }
  double now() const { return clock->utc_s(); }
  bool several() const { return count_of_runs(plan) > 1; }
  /// Time passes while it waits, so that what is missing may come back.
  bool waits() const { return !campaign::is_simulated(plan); }
  /// When the first run began, of a campaign without slots.jsonl.
  std::optional<double> began_s() const;

  const PlanOnDisk on_disk;
  const CampaignPlan& plan = on_disk.plan;
  const CampaignOptions options;
  const CampaignEvents events;
  const std::unique_ptr<campaign::CampaignClaim> claim;
  std::shared_ptr<CampaignClock> clock;
  QObject context;
  std::optional<campaign::CurrentRun> current;
  std::optional<campaign::SlotBook> book;
  bool book_is_new = false, plan_is_new = false;  ///< made by this process
  campaign::CurrentSlot slot;
  campaign::Witness witness;
  ClockWatch watch;
  std::string fault;            ///< the last one, in words
  std::size_t slots_known = 0;  ///< with a record of an earlier process
  std::vector<std::filesystem::path> folders;
  std::vector<std::filesystem::path> unreported;  ///< of complete runs whose report could not be written
  RunVerdict verdict = RunVerdict::no_limit;
  std::unique_ptr<HookDesk> hooks;  ///< null: the plan has none
  std::optional<RecordingKeeper> keeper;
  std::vector<RunBytes> run_bytes;   ///< of the last runs
  std::uint64_t archived_bytes = 0;  ///< of the last run, on the same disk
  std::optional<RunEnd> run_end;     ///< of the run that is counted next
  bool stood = false;                ///< that run was measured by an earlier process
  bool call_away = false, node_away = false;
  double there_s = 0;                       ///< UTC: the last score, or the beginning of the run without one
  std::optional<double> away_since_s;       ///< UTC: the line or a node has been away since then
  std::optional<EndOfCampaign> ended_with;  ///< waits for the hooks
  bool going = true, cancelled = false, over = false;
  bool single_begun = false;
  bool measured = false;    ///< or tried to, in this process
  bool incomplete = false;  ///< of a run that cannot be resumed
};

}  // namespace vqas
