#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "vqas/run/provenance.h"
#include "vqas/run/run.h"
#include "vqas/signal/result.h"
#include "vqas/store/journal.h"

namespace vqas {

/// The plan of a campaign as its folder keeps it: {"file", "text", "profile_text"}.
inline constexpr const char* kKeptPlanFile = "plan.json";
inline constexpr const char* kResultsSchema = "vqas-results/2";
inline constexpr const char* kResultsFile = "results.json";

/// All of a run as JSON. Equal runs give equal bytes, apart from the object `timing`, which alone holds wall-clock
/// values: keys have a fixed order, MOS and auditory distances are rounded to 1e-4, delays to 1e-3 ms, what is not
/// known is null. Fields: libvqas/doc/results-json.md. Re-entrant, as all of this header.
std::string results_json(const RunResults& results, const Provenance& provenance = current_provenance());

/// The inverse of results_json(); intervals are computed again from the measurements. Any damage is bad_input with the
/// place; `name` stands for the text in messages.
Result<StoredRun> parse_results(const std::string& json, const std::string& name = "results.json");
/// The same without the versions.
Result<RunResults> parse_results_json(const std::string& json);

/// One row for each measurement, with a row of names first (RFC 4180, but lines end in "\n"); what is not known is
/// empty.
std::string results_csv(const RunResults& results);

/// One self-contained page: plot, tables, conditions, what the numbers are and are not, versions. `command` is what
/// the reader is told to run to get the same again; empty: reproduce_command(results). `plan` is the text of the plan
/// that the run belongs to, if any. The tags "customer", "site" and "circuit" of the run stand on the first page.
std::string report_html(const RunResults& results, const Provenance& provenance = current_provenance(),
                        const std::string& command = {}, const std::string& plan = {});

/// Writes results.json, results.csv and report.html into `folder`, which is there; each file is replaced as a whole or
/// not at all. io when the system refuses. Where a campaign's plan.json stands in the folder or above it, the page
/// gives that plan.
Status write_report(const std::filesystem::path& folder, const RunResults& results,
                    const Provenance& provenance = current_provenance(), const std::string& command = {});

/// One self-contained page over several runs, which `names` name: their means over time and against bit errors, a
/// table, and every pair held against each other where there are ten channels at most. Runs that are unlike
/// (check_comparable()) are held against each other only with `unlike_too`; the page says so either way.
std::string campaign_html(std::span<const StoredRun> runs, std::span<const std::string> names, bool unlike_too = false);
/// The same as a file, replaced as a whole or not at all.
Status write_campaign_page(const std::filesystem::path& file, std::span<const StoredRun> runs,
                           std::span<const std::string> names, bool unlike_too = false);

/// The style of the pages, as CSS.
const char* page_style();

/// results.json in `folder`, or a copy of it by another name, as it was written. Fails with bad_input or io.
Result<StoredRun> read_results(const std::filesystem::path& folder, const char* name = kResultsFile);

/// The run in `folder`, from its journal, or from results.json where there is no journal.
Result<StoredRun> load_run(const std::filesystem::path& folder);

}  // namespace vqas
