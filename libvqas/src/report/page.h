#pragma once

#include <string>
#include <vector>

#include "vqas/node/run.h"
#include "vqas/report/summary.h"
#include "vqas/store/provenance.h"

namespace vqas::report {

/// What the sections of a page are made from; the summaries stand in the order of the directions.
struct PageData {
  const RunResults& results;
  const Provenance& provenance;
  std::string command;
  std::vector<DirectionSummary> summaries;
};

// The sections of the page, each an HTML fragment with everything escaped.
std::string headline_section(const PageData& data);
std::string verdict_section(const PageData& data);
std::string time_section(const PageData& data);
std::string conversation_section(const PageData& data);
std::string notes_section(const PageData& data);
std::string plot_section(const PageData& data);
std::string stimuli_section(const PageData& data);
std::string outcomes_section(const PageData& data);
std::string conditions_section(const PageData& data);
std::string meaning_section(const PageData& data);
std::string provenance_section(const PageData& data);

/// The line's name for a heading: "a simulated line", "audio:…"
std::string line_title(const RunResults& results);
/// "a → b"
std::string name_of(const DirectionRun& direction);
/// "<tr><td>…</td>…</tr>"; the cells are HTML already.
std::string table_row(const std::vector<std::string>& cells, const char* tag = "td");

}  // namespace vqas::report
