#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// What became of a campaign's slots, in its folder: one sealed JSON line each. It survives a kill.
inline constexpr const char* kSlotsFile = "slots.jsonl";
inline constexpr const char* kSlotsSchema = "vqas-slots/1";

/// What became of a slot.
enum class SlotOutcome {
  measured,      ///< its run is complete
  cut_short,     ///< its run was broken off and could not be continued in time; what was measured is kept
  line_away,     ///< the line, a node or the partner was away; nothing was measured
  disk_full,     ///< the system refused to write; nothing was measured
  failed,        ///< nothing was measured for another reason
  overran,       ///< not begun: an earlier run took until after it
  stopped,       ///< not begun: the user had stopped the campaign
  not_running,   ///< not begun: the machine was off, or the command did not run
  clock_step,    ///< not begun: the system's clock was set forward over it, or the machine slept
  not_recorded,  ///< its record and its run are lost
};
inline constexpr std::array kSlotOutcomes = {
    SlotOutcome::measured,   SlotOutcome::cut_short,   SlotOutcome::line_away, SlotOutcome::disk_full,
    SlotOutcome::failed,     SlotOutcome::overran,     SlotOutcome::stopped,   SlotOutcome::not_running,
    SlotOutcome::clock_step, SlotOutcome::not_recorded};
/// "measured", "cut_short", …
std::string_view to_string(SlotOutcome outcome);
std::optional<SlotOutcome> slot_outcome_from_string(std::string_view name);

/// Nothing was tried in the slot, so it says nothing of the line.
constexpr bool was_left_out(SlotOutcome outcome) {
  using enum SlotOutcome;
  return outcome == overran || outcome == stopped || outcome == not_running || outcome == clock_step;
}

/// One slot that is over. All times are seconds since 1970 in UTC, by the system's clock.
struct SlotRecord {
  std::size_t number = 0;  ///< from 1
  double due_s = 0;
  SlotOutcome outcome = SlotOutcome::not_recorded;
  std::string run;                     ///< folder of its run, "run-0007"; empty without one
  std::string verdict;                 ///< of its run: "pass", "undecided", "fail" or "not_measured"; empty without one
  std::optional<double> began_s = {};  ///< first try
  std::optional<double> ended_s = {};  ///< end of the last try
  std::size_t tries = 0;               ///< of the process that made the record; those of earlier ones count as one
  std::string why = {};                ///< one sentence without its full stop; empty: none
  bool not_stored = false;             ///< the plan's store has not taken the run yet
};

/// When slots are due: from slot `first` on, counted from `from_s`.
struct SlotTimes {
  std::size_t first = 1;
  double from_s = 0;             ///< UTC; with every_s the first slot, else the earliest time of it
  double every_s = 0;            ///< from slot to slot; 0: by `at_min`
  std::vector<int> at_min = {};  ///< minutes after midnight, local time of `zone`, ascending
  std::string zone = {};         ///< of the time zone database, "Europe/Berlin"
  /// Whether they give the same slots apart from where they begin.
  bool same_pattern(const SlotTimes& other) const {
    return every_s == other.every_s && at_min == other.at_min && zone == other.zone;
  }
};

/// A process that measured the campaign.
struct SlotSession {
  double started_s = 0;
  std::string boot;                      ///< differs after each start of the machine; empty if unknown
  std::optional<double> stopped_s = {};  ///< its user stopped it; nothing after a kill
};

/// The system's clock was set while a process waited or measured.
struct ClockStep {
  double at_s = 0;    ///< by the clock after the step
  double step_s = 0;  ///< > 0: forward
};

/// The line or its partner was away.
struct SlotOutage {
  double since_s = 0;
  std::optional<double> until_s = {};
  std::string why;
};

/// All of slots.jsonl.
struct SlotLog {
  std::vector<SlotTimes> times;     ///< by `first`; more than one where the plan's repeats were changed
  std::vector<SlotRecord> records;  ///< by number, each once
  std::vector<SlotSession> sessions;
  std::vector<ClockStep> steps;
  std::vector<SlotOutage> outages;
  std::size_t damaged = 0;  ///< lines that do not fit their digest, or are missing
};

/// Number of slots with each outcome, in the order of kSlotOutcomes.
std::array<std::size_t, kSlotOutcomes.size()> count_slots(std::span<const SlotRecord> records);

/// Nothing if the folder has no slots.jsonl. Damaged lines are left out and counted. Fails with bad_input for another
/// schema, with io. Re-entrant; also while a campaign is measured.
Result<std::optional<SlotLog>> read_slot_log(const std::filesystem::path& folder);

/// Writes slots.jsonl; each line is on the disk before the next. A line that cannot be written is kept in memory and
/// written before the next one. For one thread, and one process at a time (RunLock).
class SlotJournal {
 public:
  /// Begins the file, or continues it behind its last whole line. Fails with bad_input or io.
  static Result<SlotJournal> open(const std::filesystem::path& folder);
  SlotJournal(SlotJournal&&) noexcept;
  SlotJournal& operator=(SlotJournal&&) noexcept;
  ~SlotJournal();

  // Each fails with io; its line is then kept.
  Status add(const SlotTimes& times);
  Status add(const SlotRecord& slot);
  Status started(double utc_s, const std::string& boot);
  Status stopped(double utc_s);
  Status stepped(const ClockStep& step);
  Status away(double utc_s, const std::string& why);
  Status back(double utc_s);
  /// Writes the lines that could not be written before.
  Status flush();

 private:
  struct File;
  explicit SlotJournal(std::unique_ptr<File> file);
  std::unique_ptr<File> file_;
};

}  // namespace vqas
