#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "vqas/store/run_store.h"
#include "vqas/trend/trend.h"

namespace vqas {

/// Where the runs of trends come from. A run that is in several places counts once, by its uuid; a folder comes first,
/// because its report can be linked.
struct TrendSources {
  std::vector<std::filesystem::path> folders;  ///< of runs, or with runs below them (run_folders())
  RunStore* store = nullptr;                   ///< nullptr: none
  RunFilter filter;                            ///< of all runs
};

/// The runs that were read.
struct CollectedRuns {
  std::vector<RunOfTrend> runs;
  std::map<Circuit, std::vector<MissedStart>> missed;  ///< slots without a run of the folders' campaigns
  std::size_t read = 0;                                ///< anew; the others were known from the site's last writing
  std::size_t left_out = 0;                            ///< cannot be read, or have no start
  std::string why_left_out;                            ///< the first reason
};

/// Reads all runs. Fails with bad_input (a folder without runs) or io (the store). A single run that cannot be read is
/// left out and counted. The store needs a QCoreApplication.
Result<CollectedRuns> collect_runs(const TrendSources& sources);

/// What a site is kept in besides its pages: what is known of each run. It may be removed; then all runs are read anew.
inline constexpr const char* kSiteFile = "vqas-site.json";

struct SiteOptions {
  TrendOptions trend;
  double now_s = 0;  ///< seconds since 1970 in UTC, for the states
};

struct WrittenSite {
  std::filesystem::path index;
  std::size_t circuits = 0, runs = 0;
  std::size_t read = 0, left_out = 0;  ///< as in CollectedRuns
  std::string why_left_out;
  std::size_t written = 0;  ///< files that were new or have changed
};

/// Writes a static site: index.html with all circuits, circuits/NAME.html and .json for each. Nothing in it needs a
/// server. Runs that have not changed since the last time are not read again, files whose content would not change are
/// not touched, each file is replaced as a whole, and the index comes last. Pages of circuits that have gone are
/// removed. Fails with bad_input when `folder` holds an index.html of something else, and as collect_runs() or with io.
Result<WrittenSite> write_site(const std::filesystem::path& folder, const TrendSources& sources,
                               const SiteOptions& options);

/// Name of the files of a circuit, without their ending: letters, digits and hyphens, at most 57 bytes, the last of a
/// digest of the whole name and, in wideband, the mode, so that no two circuits share one.
std::string circuit_file_name(const Circuit& circuit);

}  // namespace vqas
