#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "vqas/campaign/stored_runs.h"

namespace vqas::cli {

/// The trend of a circuit, or the site of all circuits.
struct TrendCommand {
  std::string page, site, zone;  ///< files and folders as given; empty: not asked for, and the machine's time zone
  std::string mode;              ///< "nb" or "wb"; empty: any
  bool with_store = false;       ///< also where folders are named
  StoreOptions store;
  std::vector<std::string> tags;
  RunFilter filter;
  bool asked_for() const { return !page.empty() || !site.empty(); }
};

/// The options of it, which do not go with `alone`.
void add_trend_options(CLI::App& command, TrendCommand& options, CLI::Option& alone);

/// Writes it from the runs in `folders`, or in the store; returns the exit code.
int write_trends(const TrendCommand& options, const std::vector<std::string>& folders, bool json);

}  // namespace vqas::cli
