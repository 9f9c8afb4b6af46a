#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "vqas/run/provenance.h"
#include "vqas/run/run.h"
#include "vqas/signal/result.h"
#include "vqas/store/journal.h"
#include "vqas/store/slot_journal.h"

namespace vqas {

/// The campaign's plan, as kept in its folder: {"file", "text", "profile_text"}.
inline constexpr const char* kKeptPlanFile = "plan.json";
inline constexpr const char* kResultsSchema = "vqas-results/2";
inline constexpr const char* kResultsFile = "results.json";

/// All of a run as JSON. Equal runs give equal bytes except in the object `timing`, which holds all wall-clock values.
/// Keys have a fixed order; MOS and auditory distances are rounded to 1e-4, delays to 1e-3 ms; unknown values are null.
/// Fields: libvqas/doc/results-json.md. All of this header is re-entrant.
std::string results_json(const RunResults& results, const Provenance& provenance = current_provenance());

/// The inverse of results_json(); intervals are computed again from the measurements. Damaged text fails with bad_input
/// and the place; messages call the text `name`.
Result<StoredRun> parse_results(const std::string& json, const std::string& name = "results.json");

/// A header row, then one row for each measurement (RFC 4180, but lines end in "\n"). Unknown values are empty.
std::string results_csv(const RunResults& results);

/// One self-contained page: plot, tables, conditions, the meaning of the numbers, versions. `command` is shown as the
/// command that repeats the measurement; if empty, reproduce_command(results). `plan` is the text of the campaign's
/// plan, if any. `recordings` says what the plan's rules removed of them, a sentence without its full stop. The run's
/// tags "customer", "site" and "circuit" appear at the top.
std::string report_html(const RunResults& results, const Provenance& provenance = current_provenance(),
                        const std::string& command = {}, const std::string& plan = {},
                        const std::string& recordings = {});

/// Writes results.json, results.csv and report.html into the existing `folder`; each file is replaced as a whole or not
/// at all. Fails with io. The page shows the campaign's plan when plan.json is in the folder or its parent, and what
/// recordings.json says was removed.
Status write_report(const std::filesystem::path& folder, const RunResults& results,
                    const Provenance& provenance = current_provenance(), const std::string& command = {});

/// One self-contained page over several runs, named by `names`: their means over time and against bit errors, a table,
/// and a comparison of all pairs if there are at most ten channels. Runs that check_comparable() rejects are compared
/// only with `unlike_too`; the page says why in either case. `slots` of the campaign that are over: how many were
/// measured, and what became of the others.
std::string campaign_html(std::span<const StoredRun> runs, std::span<const std::string> names, bool unlike_too = false,
                          std::span<const SlotRecord> records = {});
/// The same as a file, which is replaced as a whole or not at all.
Status write_campaign_page(const std::filesystem::path& file, std::span<const StoredRun> runs,
                           std::span<const std::string> names, bool unlike_too = false,
                           std::span<const SlotRecord> records = {});

/// Style sheet of the pages, as CSS.
const char* page_style();

/// results.json in `folder`, or a copy of it by another name, as it was written. Fails with bad_input or io.
Result<StoredRun> read_results(const std::filesystem::path& folder, const char* name = kResultsFile);

/// The run in `folder`, from its journal, or from results.json if there is no journal.
Result<StoredRun> load_run(const std::filesystem::path& folder);

}  // namespace vqas
