#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vqas/sampling/verdict.h"
#include "vqas/score/impairment.h"
#include "vqas/signal/end.h"
#include "vqas/store/journal.h"
#include "vqas/store/local_time.h"
#include "vqas/trend/change_points.h"

namespace vqas {

/// A direction of a run, as a trend needs it.
struct DirectionOfRun {
  End from = End::a;
  std::optional<double> mean;                ///< MOS, over the stimuli; nothing without a score
  double half_width = 0;                     ///< of repeatability, at `confidence`; infinite when unknown
  double confidence = 0;                     ///< 0..1
  double standard_error = 0;                 ///< behind the half-width, MOS; 0 when unknown
  std::size_t measurements = 0, scored = 0;  ///< without cancelled ones
  bool conditional = false;                  ///< as in DirectionSummary
  /// Stimuli are missing from the mean, or the run was broken off: it is not comparable, and moves no level.
  bool partial = false;
  std::string no_score;            ///< the most frequent outcome without a score, "not_found"; empty: all were scored
  std::string not_scored_because;  ///< a reason of that outcome, in words
  std::optional<LimitVerdict> verdict;  ///< nothing without a limit
  /// Mean cost of each impairment over the measurements that were examined, MOS, in the order of kAllImpairments;
  /// nothing when none was.
  std::optional<std::array<double, kAllImpairments.size()>> costs;
};

/// A run, as a trend needs it.
struct RunOfTrend {
  std::string uuid, campaign, line;
  std::map<std::string, std::string> tags;
  double started_s = 0;  ///< seconds since 1970 in UTC
  std::string score_version;
  std::string stimuli;         ///< digest of the corpus and names of the stimuli: other ones have another scale
  std::string setup;           ///< kind of the line and a digest of its conditions or devices: likewise
  bool simulated = false;      ///< its start is that of its slot, which may be later than now
  bool in_slots = false;       ///< its campaign states every start that was missed
  double slot_step_s = 0;      ///< longest time from slot to slot of its campaign; 0: not known, or one slot
  double model_error_mos = 0;  ///< one standard deviation; 0: unknown
  std::string ended_because;   ///< empty when complete
  std::string report;          ///< file of its own report; empty: none is known
  std::vector<DirectionOfRun> directions;
};

/// A slot of a campaign that gave no run, as its slots.jsonl states it.
struct MissedStart {
  double due_s = 0;    ///< seconds since 1970 in UTC
  std::string why;     ///< in words
  bool tried = false;  ///< the line was tried: it gave no score
  /// An earlier run was still measuring, or the user had stopped the campaign: it says nothing of the line.
  bool left_out = false;
};

/// Nothing when the run's start is unknown.
std::optional<RunOfTrend> run_of_trend(const StoredRun& run);

/// Level of a circuit between two changes.
struct TrendLevel {
  std::size_t first = 0, last = 0;  ///< runs of the circuit
  double mos = 0, half_width = 0;   ///< at 99 %, with everything that moves runs; infinite when unknown
};

/// The level changed, with its evidence (ChangePoint).
struct TrendChange {
  std::size_t before = 0, after = 0;     ///< runs of the circuit: last of the old level, first of the new one
  std::size_t earliest = 0, latest = 0;  ///< the change lies behind run `earliest` and before run `latest`
  double from_mos = 0, to_mos = 0;
  double half_width = 0;  ///< of the step, at 99 %
  double statistic = 0, probability = 1;
};

/// Runs of one direction whose means can be compared: one score version, the same stimuli and the same line.
struct TrendScale {
  std::string score_version, stimuli, setup;
  std::vector<std::size_t> runs;  ///< of the circuit, in order: those with a mean
  std::vector<std::size_t> strays;
  std::vector<TrendLevel> levels;
  std::vector<TrendChange> changes;
  double between_runs = 0, inflation = 1, threshold = 0;  ///< as in ChangeSearch
  std::size_t places = 0;
  bool by_hour = false, by_weekday = false;  ///< a usual day, or week, was taken off before changes were looked for
};

/// Successive runs of a direction without a score, or a time without runs.
struct TrendOutage {
  double from_s = 0;              ///< start of the first such run, or when the first missed start was due; where no
                                  ///< campaign states it, start of the last run before
  std::optional<double> until_s;  ///< start of the next run with a score; nothing: it lasts
  std::size_t runs = 0;           ///< without a score; 0: no run was made
  std::size_t missed = 0;         ///< starts that were due and not made
  std::string why;                ///< outcome and reason, in words
};

/// How far the means at a time of day lie from the circuit's level, or those of a weekday from the mean of the
/// weekdays.
struct TrendBin {
  int bin = 0;                        ///< hour, 0..23, or weekday, 0 is Monday
  std::size_t runs = 0, repeats = 0;  ///< runs, and days or weeks that they are from
  double difference = 0;              ///< MOS, mean over the repeats
  double half_width = 0;              ///< at 99 % for all bins together (Bonferroni); infinite below three repeats
  bool differs() const { return difference > half_width || difference < -half_width; }
};

/// What spoilt the runs of a period, in the mean of its runs.
struct TrendCauses {
  double from_s = 0;
  std::size_t runs = 0;
  double share_unscored = 0;                                        ///< of its measurements, 0..1
  std::optional<std::array<double, kAllImpairments.size()>> costs;  ///< MOS
};

struct DirectionTrend {
  End from = End::a;
  std::vector<std::size_t> runs;   ///< of the circuit: those that measured this direction
  std::vector<TrendScale> scales;  ///< by their first run
  std::vector<TrendOutage> outages;
  std::vector<TrendBin> hours, weekdays;  ///< those with runs
  std::vector<TrendCauses> causes;
  bool causes_by_week = false;  ///< else by day

  /// The last change of any scale, by time; nothing without one.
  const TrendChange* last_change() const;
};

/// Options of trend_of().
struct TrendOptions {
  LocalTime local;  ///< the operator's time zone
  ChangeOptions changes = {};
  /// Seconds since 1970 in UTC. Runs on real lines that began later are left out: their machine's clock was wrong.
  double now_s = std::numeric_limits<double>::infinity();
};

/// The trend of a circuit. Values only: equal input gives equal output.
struct CircuitTrend {
  std::string name;                         ///< shown_name()
  std::map<std::string, std::string> tags;  ///< those that all of its runs have
  std::vector<RunOfTrend> runs;             ///< by their start
  std::vector<MissedStart> missed;          ///< by when they were due
  std::vector<MissedStart> left_out;        ///< likewise, those that say nothing of the line: they are no outage
  std::vector<double> later_s;              ///< starts of runs that were left out, because they lie in the future
  std::vector<DirectionTrend> directions;
  std::optional<double> cadence_s;  ///< usual time from one start to the next; nothing if starts are irregular
  LocalTime local;
};

/// What makes a circuit. Scores of two scales have no common trend.
struct Circuit {
  /// The tags customer, site and circuit; without the last the campaign, else the line.
  std::string name;
  ScoreMode mode = ScoreMode::narrowband;
  auto operator<=>(const Circuit&) const = default;
};
/// The circuit that a run belongs to: runs of equal circuits are runs of one.
Circuit circuit_of(const RunOfTrend& run);
/// Its name for readers: in wideband with ", wideband" at the end. Two circuits may be shown alike.
std::string shown_name(const Circuit& circuit);
/// The scale of its scores, by their version.
ScoreMode scale_of(const RunOfTrend& run);

/// The trend of the runs and missed starts of one circuit, in any order. Re-entrant.
CircuitTrend trend_of(std::vector<RunOfTrend> runs, const TrendOptions& options, std::vector<MissedStart> missed = {});

/// What a circuit is like now; the first that fits.
enum class CircuitState {
  overdue,       ///< no run for three times as long as usual, or as the longest time between two slots of its campaign
  no_score,      ///< the last run, or a later slot in which the line was tried, has a direction without a score
  not_measured,  ///< the last run was broken off; what it measured has no verdict
  fails,         ///< the last run is below its limit
  undecided,     ///< the last run's error includes its limit
  worse,         ///< the level of a direction fell at its last change
  passes,        ///< the last run met its limit
  few_runs,      ///< without a limit, and with too few runs to see a change
  steady,        ///< without a limit, and no direction's level fell at its last change
};
/// "overdue", "no score", "not measured", "below the limit", "undecided", "worse", "meets the limit", "few runs",
/// "steady".
std::string_view to_string(CircuitState state);
/// At `now_s`, seconds since 1970 in UTC; nothing without a run.
std::optional<CircuitState> state_of(const CircuitTrend& trend, double now_s);

inline constexpr const char* kTrendSchema = "vqas-trend/1";
/// All of a trend as JSON; libvqas/doc/trend-json.md has its members.
std::string trend_json(const CircuitTrend& trend);

/// One page without scripts and without anything from elsewhere, light or dark as the reader's screen is set.
/// `page_folder` is where the page will lie: the runs' reports are linked from there. `index` is a link to the page of
/// all circuits; empty: none. `json` likewise to the same as JSON.
struct TrendPage {
  std::string page_folder, index, json;
  double now_s = 0;  ///< seconds since 1970 in UTC, for the state
};
std::string trend_html(const CircuitTrend& trend, const TrendPage& page);

}  // namespace vqas
