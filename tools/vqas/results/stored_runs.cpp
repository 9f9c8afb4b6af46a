#include "results/stored_runs.h"

#include <fmt/format.h>

#include <iostream>

namespace vqas::cli {

void add_store_options(CLI::App& command, StoreOptions& options) {
  command.add_option(
      "--store", options.url,
      "store of runs: a file or postgresql://USER@HOST/DATABASE; default: VQAS_STORE, else the user's own");
  command.add_option("--archive", options.archive, "folder of the store's recordings; default: beside the store");
}

void tell_left_out(const std::string& folder, const Taken& taken) {
  if (taken.left_out == 0) return;
  std::cerr << fmt::format("vqas: {}: {} recording{} left out of the archive; {} measurement{} taken. The first: {}\n",
                           folder, taken.left_out, taken.left_out == 1 ? " was" : "s were",
                           taken.left_out == 1 ? "its" : "their", taken.left_out == 1 ? " is" : "s are",
                           taken.why_left_out);
}

}  // namespace vqas::cli
