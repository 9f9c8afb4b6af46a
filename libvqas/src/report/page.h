#pragma once

#include <string>
#include <vector>

#include "vqas/report/summary.h"
#include "vqas/run/provenance.h"
#include "vqas/run/run.h"

namespace vqas::report {

/// What the sections of a page are made from; the summaries stand in the order of the directions.
struct PageData {
  const RunResults& results;
  const Provenance& provenance;
  std::string command;
  std::string plan;  ///< text of the plan that the run belongs to; empty: none
  std::vector<DirectionSummary> summaries;
};

// The sections of the page, each an HTML fragment with everything escaped.
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
/// What few readers look for: every outcome with its count, the simulated line, how was sampled, notes on statistics.
std::string annex_section(const PageData& data);

/// The line's name for a heading: "a simulated line", "audio:…"
std::string line_title(const RunResults& results);
/// "Sunday, 22 November 2026, 18:40 UTC" of "2026-11-22T18:40:11Z"; other text as it is.
std::string date_in_words(const std::string& utc);
/// Parts of the annex, empty where there is nothing to tell.
std::string drift_notes(const PageData& data);
std::string outcomes_table(const PageData& data);
std::string line_notes(const PageData& data);
/// "a → b"
std::string name_of(const DirectionRun& direction);
/// "<tr><td>…</td>…</tr>"; the cells are HTML already.
std::string table_row(const std::vector<std::string>& cells, const char* tag = "td");

}  // namespace vqas::report
