#include "model/run_export.h"

#include <fmt/format.h>

#include <system_error>

#include "vqas/campaign/printed_report.h"
#include "vqas/campaign/renewed_report.h"
#include "vqas/campaign/stored_runs.h"
#include "vqas/report/heard.h"
#include "vqas/report/report.h"
#include "vqas/run/recording_name.h"

namespace vqas::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* kPage = "report.html";
constexpr const char* kPrint = "report.pdf";
constexpr const char* kFigures = "results.csv";

Result<fs::path> new_folder(const KeptRun& run, const fs::path& to) {
  const std::string name = as_file_name(run_name(run).remove(QChar(',')).toStdString());
  std::error_code fault;
  fs::create_directories(to, fault);
  for (int number = 1; !fault; ++number) {
    fs::path folder = to / (number == 1 ? name : fmt::format("{}-{}", name, number));
    if (fs::create_directory(folder, fault)) return folder;
  }
  return Error{ErrorCode::io, fmt::format("cannot write to the folder {}: {}; choose a folder that you may write to",
                                          to.string(), fault.message())};
}

Status copy_to(const fs::path& from, const fs::path& to) {
  std::error_code fault;
  fs::create_directories(to.parent_path(), fault);
  if (!fault) fs::copy_file(from, to, fault);
  if (!fault) return success();
  return Error{ErrorCode::io, fmt::format("cannot copy {} to {}: {}", from.string(), to.string(), fault.message())};
}

Status copy_recordings(const fs::path& run, ExportedRun& exported) {
  const auto stored = load_run(run);
  if (!stored) return stored.error();
  const RunRecordings kept(run);
  for (const DirectionRun& direction : stored->results.directions) {
    for (const Measurement* const one : measurements_of(direction)) {
      if (one->recording.empty()) continue;
      const auto file = kept.find(one->recording);
      if (!file) {
        ++exported.missing;
        continue;
      }
      if (Status copied = copy_to(*file, exported.folder / one->recording); !copied) return copied;
      ++exported.recordings;
    }
  }
  return success();
}

}  // namespace

Result<ExportedRun> export_run(const KeptRun& run, const fs::path& to, const ExportWish& wish) {
  std::error_code unknown;
  if (!fs::exists(run.folder / kPage, unknown) || !fs::exists(run.folder / kFigures, unknown)) {
    if (const auto renewed = renew_report(run.folder); !renewed) return renewed.error();
  }
  const auto folder = new_folder(run, to);
  if (!folder) return folder.error();
  ExportedRun exported{*folder};
  Status done = success();
  if (wish.page) done = copy_to(run.folder / kPage, *folder / kPage);
  if (done && wish.figures) done = copy_to(run.folder / kFigures, *folder / kFigures);
  if (done && wish.recordings) done = copy_recordings(run.folder, exported);
  // Last, because it takes longest and needs another program.
  if (done && wish.print) done = print_report(run.folder / kPage, *folder / kPrint);
  if (!done) return done.error();
  return exported;
}

}  // namespace vqas::app
