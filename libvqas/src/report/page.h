#pragma once

#include <span>
#include <string>
#include <vector>

#include "vqas/report/summary.h"
#include "vqas/run/provenance.h"
#include "vqas/run/run.h"
#include "vqas/store/slot_journal.h"

namespace vqas::report {

/// Input of every section. `summaries` are in the order of the directions.
struct PageData {
  const RunResults& results;
  const Provenance& provenance;
  std::string command;
  std::string plan;  ///< plan of the run's campaign; may be empty
  std::vector<DirectionSummary> summaries;
  std::string recordings;  ///< what the plan's rules removed of them, a sentence without its full stop; may be empty
};

/// What the mean of a direction hides.
struct Breakdowns {
  std::size_t made = 0;      ///< measurements, without cancelled ones
  std::size_t unscored = 0;  ///< of these, without a score
  std::size_t losses = 0;    ///< how often the call or an end was lost
  std::size_t calls = 0;     ///< more than one if the call was made again
  /// The line is good or bad most of the time, and much worse at times: `low` holds scores far below the median of
  /// their stimulus.
  bool breaks_down = false;
  std::vector<const Measurement*> low;  ///< in the direction given
  double usual_mos = 0;                 ///< median of all scores; 0 without one
  double low_mos = 0;                   ///< mean of `low`
};
Breakdowns breakdowns_of(const DirectionRun& direction);
/// "22 of 129 measurements score 1.3 on average (bad); the call or an end was lost 3 times; 9 of 129 measurements
/// have no score"; empty if nothing is hidden.
std::string in_words(const Breakdowns& found);
/// "once", "3 times"
std::string times_in_words(std::size_t count);

// The sections of the page: HTML fragments with all text escaped.
std::string headline_section(const PageData& data);
std::string time_section(const PageData& data);
std::string conversation_section(const PageData& data);
std::string notes_section(const PageData& data);
std::string plot_section(const PageData& data);
std::string stimuli_section(const PageData& data);
std::string outcomes_section(const PageData& data);
std::string conditions_section(const PageData& data);
std::string meaning_section(const PageData& data);
std::string provenance_section(const PageData& data);
/// Details for few readers: all outcomes with counts, the simulated line, sampling, statistical notes.
std::string annex_section(const PageData& data);

/// What became of a campaign's slots; empty without any.
std::string slots_section(std::span<const SlotRecord> records);

/// The line in a heading: "a simulated line", "audio:…"
std::string line_title(const RunResults& results);
/// "Sunday, 22 November 2026, 18:40 UTC" for "2026-11-22T18:40:11Z"; other text is unchanged.
std::string date_in_words(const std::string& utc);
/// Parts of the annex; empty if they have no content.
std::string drift_notes(const PageData& data);
std::string outcomes_table(const PageData& data);
std::string line_notes(const PageData& data);
/// "a → b"
std::string name_of(const DirectionRun& direction);
/// "<tr><td>…</td>…</tr>"; the cells are HTML already.
std::string table_row(const std::vector<std::string>& cells, const char* tag = "td");

}  // namespace vqas::report
