#pragma once

#include <filesystem>

#include "model/kept_run.h"

namespace vqas::app {

/// What of a run is exported.
struct ExportWish {
  bool page = true;         ///< report.html
  bool print = false;       ///< report.pdf; needs the program weasyprint
  bool figures = true;      ///< results.csv
  bool recordings = false;  ///< recordings/
  bool operator==(const ExportWish&) const = default;
};

/// What was exported.
struct ExportedRun {
  std::filesystem::path folder;  ///< the new one
  std::size_t recordings = 0;    ///< copied
  std::size_t missing = 0;       ///< recordings that were not kept, or are gone
};

/// Copies what is wished of a run into a new folder in `to`, which is named after the run; a folder of that name stays,
/// and the new one gets a number. A report that the run does not have yet is written first, as by `vqas report`. Waits
/// for the disk and the printing program. Fails with bad_input, io or unsupported; the folder may hold a part then.
Result<ExportedRun> export_run(const KeptRun& run, const std::filesystem::path& to, const ExportWish& wish);

}  // namespace vqas::app
