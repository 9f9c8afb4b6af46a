#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vqas/campaign/campaign_clock.h"
#include "vqas/campaign/kept_plan.h"
#include "vqas/campaign/recorded_run.h"
#include "vqas/campaign/run_verdict.h"
#include "vqas/store/run_store.h"
#include "vqas/store/slot_journal.h"

namespace vqas {

/// Makes what measures a run. `recorder` outlives it. `not_begun` comes instead of events.finished if it cannot begin.
using MakeMeasuringRun = std::function<std::unique_ptr<MeasuringRun>(
    RunPlan plan, RunRecorder& recorder, RunEvents events, std::function<void(const Error&)> not_begun)>;

/// How a plan is measured.
struct CampaignOptions {
  std::filesystem::path folder;   ///< with repeats, it holds a folder for each run
  std::filesystem::path corpus;   ///< folder of the plan's corpus; empty: find_corpus
  std::filesystem::path program;  ///< the vqas command, which makes simulated lines
  std::filesystem::path archive;  ///< of the recordings, where the plan names a store
  bool force = false;             ///< replaces earlier runs in the runs' folders
  bool resume = false;            ///< resumes the campaign that was begun in `folder`
  /// Begins a campaign if the folder holds none, else resumes it. The slots' records are then trusted: runs that ended
  /// are not read again. `resume` and `before` are set by the folder.
  bool unattended = false;
  std::optional<PlanOnDisk> before;  ///< the plan that the campaign began with, if known
  /// Finds the corpus that the plan names, if `corpus` is empty.
  std::function<Result<std::filesystem::path>(const std::filesystem::path& named)> find_corpus;
  /// Called before a run connects to its nodes: fills the plan's accesses, or reports the reason to the user and gives
  /// the
  /// verdict if the run must not connect. May be empty.
  std::function<std::optional<RunVerdict>(RunPlan&)> admit;
  std::shared_ptr<CampaignClock> clock;  ///< empty: the system's, or a simulated one with a simulated line
  MakeMeasuringRun measuring;            ///< empty: by the plan's nodes, or on a simulated line
  /// Free bytes on the disk of a folder; nothing: unknown, and no run is held back. Empty: the system is asked.
  std::function<std::optional<std::uint64_t>(const std::filesystem::path&)> free_bytes;
};

/// One run of a campaign.
struct CampaignRun {
  std::size_t number = 0, runs = 0;  ///< `number` counts from 1 to `runs`
  std::filesystem::path folder;
  bool resumed = false;
};

struct EndOfCampaign {
  RunVerdict verdict = RunVerdict::no_limit;  ///< the worst of its runs and of its own faults
  bool was_complete = false;                  ///< nothing was left to measure
  std::filesystem::path page;                 ///< page of the campaign, or of its only run; empty without any
  std::vector<SlotRecord> records;            ///< with repeats: every slot that is over
  std::size_t slots_in_all = 0;
};

/// The events of a campaign; each may be empty. They are called in the thread of the campaign.
struct CampaignEvents {
  /// A run begins, or is resumed; returns the receivers of its events. A receiver of stop_requested calls cancel();
  /// without one the campaign cancels itself.
  std::function<RunEvents(const CampaignRun&)> run_begins;
  /// A run that had ended before counts unchanged; it is not measured again.
  std::function<void(const CampaignRun&, const StoredRun&)> had_ended;
  /// The plan's store has taken a run.
  std::function<void(const CampaignRun&, const Taken&)> stored;
  /// A slot of a campaign with repeats is over, and its record is written.
  std::function<void(const SlotRecord&)> slot_over;
  /// A slot was over when this process began; after had_ended() of its run.
  std::function<void(const SlotRecord&)> slot_was_over;
  /// When the slot is due that is measured or waited for, in s since 1970; nothing: no slot is left.
  std::function<void(std::optional<double> due_s)> next_slot;
  /// The line, a node or the partner is away, and why: the campaign waits and tries again. Or, with an empty text, it
  /// is there again.
  std::function<void(const std::string& why)> away;
  /// What an operator should know, one sentence without its full stop.
  std::function<void(const std::string&)> noticed;
  /// What went wrong besides the runs' own ends; the verdict counts it.
  std::function<void(const Error&)> failed;
  std::function<void(const EndOfCampaign&)> finished;
};

/// Checks that the plan's stimuli and profile exist, with the corpus in that folder.
Status check_campaign(const CampaignPlan& plan, const std::filesystem::path& corpus);

/// Measures a plan with its repeats, each run in its folder, and at the end writes the campaign's page. With repeats
/// each slot gets one record in slots.jsonl, whatever becomes of it. On a real line a run that fails is tried again
/// while its slot lasts, and then the next slot follows: only the user, or a first run that cannot be measured as
/// planned, ends the campaign early. Lives in one thread with a Qt event loop. Destroying it while it runs is like a
/// kill: each run can be resumed.
class Campaign {
 public:
  /// Claims the campaign's folder and checks that everything exists, before line time is spent. Fails with io, or with
  /// bad_input, also when a plan would measure something else than the one that the campaign began with.
  static Result<std::unique_ptr<Campaign>> open(const PlanOnDisk& plan, CampaignOptions options, CampaignEvents events);
  ~Campaign();
  Campaign(const Campaign&) = delete;
  Campaign& operator=(const Campaign&) = delete;

  /// finished() follows.
  void start();
  /// Ends after what is in flight; a second call does not wait for it.
  void cancel();

 private:
  struct Engine;
  explicit Campaign(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
