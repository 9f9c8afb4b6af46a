#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "store/read_file.h"
#include "vqas/report/report.h"
#include "vqas/store/notes.h"

namespace vqas {
namespace {

Error refused(const std::filesystem::path& path, int code) {
  return {ErrorCode::io, fmt::format("cannot write {}: {}; check the disk's space and rights", path.string(),
                                     std::generic_category().message(code))};
}

Status replace_file(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::path part = path;
  part += fmt::format(".{}.part", ::getpid());  // another process may write the same report
  const int descriptor = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) return refused(part, errno);
  int fault = 0;
  for (std::size_t written = 0; written < text.size() && fault == 0;) {
    const ssize_t now = ::write(descriptor, text.data() + written, text.size() - written);
    if (now >= 0) {
      written += static_cast<std::size_t>(now);
    } else if (errno != EINTR) {
      fault = errno;
    }
  }
  if (fault == 0 && ::fsync(descriptor) != 0) fault = errno;
  if (::close(descriptor) != 0 && fault == 0) fault = errno;
  std::error_code failed;
  if (fault == 0) {
    std::filesystem::rename(part, path, failed);
    if (!failed) return success();
    fault = failed.value();
  }
  std::filesystem::remove(part, failed);
  return refused(path, fault);
}

}  // namespace

Status write_report(const std::filesystem::path& folder, const RunResults& results, const Provenance& provenance,
                    const std::string& command) {
  if (Status done = replace_file(folder / "results.json", results_json(results, provenance)); !done) return done;
  if (Status done = replace_file(folder / "results.csv", results_csv(results)); !done) return done;
  return replace_file(folder / "report.html", report_html(results, provenance, command));
}

Result<StoredRun> load_run(const std::filesystem::path& folder) {
  std::error_code failed;
  const std::filesystem::path path = folder / "results.json";
  const bool has_results = std::filesystem::exists(path, failed);
  // The first truth: what is beside it may be from before the run was gone on with.
  if (std::filesystem::exists(folder / kJournalFile, failed)) {
    auto run = read_stored_run(folder);
    if (!run && has_results)
      return Error{run.error().code, run.error().message + "; move it away to take the run from results.json"};
    return run;
  }
  if (!has_results)
    return Error{ErrorCode::bad_input, fmt::format("{} holds neither results.json nor {}; name the folder of a run",
                                                   folder.string(), kJournalFile)};
  const auto text = store::read_file(path);
  if (!text) return text.error();
  auto run = parse_results(*text, path.string());
  // Notes may have been written after the results were.
  if (run && std::filesystem::exists(folder / kNotesFile, failed)) run->results.notes = read_notes(folder);
  return run;
}

Status write_campaign_page(const std::filesystem::path& file, std::span<const StoredRun> runs,
                           std::span<const std::string> names, bool unlike_too) {
  return replace_file(file, campaign_html(runs, names, unlike_too));
}

}  // namespace vqas
