#pragma once

#include <CLI/App.hpp>
#include <QCoreApplication>
#include <string>

#include "vqas/campaign/stored_runs.h"

namespace vqas::cli {

/// The store's driver needs an application to find its plugins.
struct StoreApplication {
  int count = 1;
  char name[5] = "vqas";
  char* arguments[2] = {name, nullptr};
  QCoreApplication application{count, arguments};
};

/// --store and --archive: where a command looks for runs.
void add_store_options(CLI::App& command, StoreOptions& options);

/// Fails with bad_input, naming the option, unless `text` is empty or the beginning of a UTC time as the store has it:
/// 2026, 2026-11, 2026-11-20, 2026-11-20T06:00:00Z.
Status check_time(const char* option, const std::string& text);

/// Reports on standard error which recordings of the run in `folder` were left out of the archive, if any.
void tell_left_out(const std::string& folder, const Taken& taken);

}  // namespace vqas::cli
