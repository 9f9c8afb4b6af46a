#include "vqas/campaign/stored_runs.h"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

#include "vqas/campaign/shell_words.h"
#include "vqas/report/report.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): commands start with one thread
  return value == nullptr ? std::string() : std::string(value);
}

fs::path data_folder() {
  const std::string data = environment("XDG_DATA_HOME");
  return data.empty() ? fs::path(environment("HOME")) / ".local" / "share" / "vqas" : fs::path(data) / "vqas";
}

bool is_server(const std::string& url) {
  return url.find("://") != std::string::npos;
}

std::string file_of(const std::string& url) {
  return url.starts_with("sqlite:") ? url.substr(7) : url;
}

}  // namespace

std::string store_url(const StoreOptions& options) {
  if (!options.url.empty()) return options.url;
  const std::string named = environment("VQAS_STORE");
  return named.empty() ? (data_folder() / "store.sqlite").string() : named;
}

Result<RunStore> open_store_to_read(const StoreOptions& options) {
  const std::string url = store_url(options);
  const bool named = !options.url.empty() || !environment("VQAS_STORE").empty();
  std::error_code failed;
  const bool missing = !is_server(url) && !fs::exists(file_of(url), failed);
  if (named && missing)
    return Error{ErrorCode::bad_input,
                 fmt::format("there is no store {}; check its name, or make it: vqas results take DIR --store {}", url,
                             as_word(url))};
  // A new user's own store is empty.
  return open_store(options, missing ? RunStore::Access::write : RunStore::Access::read);
}

Result<RunStore> open_store(const StoreOptions& options, RunStore::Access access) {
  const std::string url = store_url(options);
  if (options.url.empty() && environment("VQAS_STORE").empty()) {
    std::error_code failed;
    fs::create_directories(data_folder(), failed);
    if (failed)
      return Error{ErrorCode::io, fmt::format("cannot make the folder {}: {}; name a store with --store",
                                              data_folder().string(), failed.message())};
  }
  return RunStore::open(url, access);
}

fs::path archive_folder(const StoreOptions& options) {
  if (!options.archive.empty()) return options.archive;
  const std::string url = store_url(options);
  if (is_server(url)) return data_folder() / "recordings";
  return file_of(url) + ".recordings";
}

Result<StoredRun> find_run(const std::string& name, const StoreOptions& options) {
  std::error_code failed;
  if (fs::is_directory(name, failed)) return load_run(name);
  auto store = open_store_to_read(options);
  if (!store) return store.error();
  auto run = store->load(name);
  if (!run && run.error().code == ErrorCode::bad_input)
    return Error{ErrorCode::bad_input,
                 fmt::format("\"{}\" is not a folder of a run, and {}", name, run.error().message)};
  return run;
}

Result<std::vector<StoredRun>> find_runs(const std::vector<std::string>& names, const StoreOptions& options) {
  std::vector<StoredRun> runs;
  for (const std::string& name : names) {
    auto run = find_run(name, options);
    if (!run) return run.error();
    runs.push_back(*std::move(run));
  }
  return runs;
}

RunRecordings::RunRecordings(fs::path folder) : folder_(std::move(folder)) {
  if (auto kept = read_kept_recordings(folder_)) kept_ = *std::move(kept);
}

bool RunRecordings::was_removed(const std::string& recording) const {
  return kept_.was_removed(recording);
}

Result<RunRecordings> RunRecordings::of(const std::string& run, const StoreOptions& options) {
  std::error_code failed;
  if (fs::is_directory(run, failed)) return RunRecordings(fs::path(run));
  auto archive = RecordingArchive::open(archive_folder(options), {});
  if (!archive) return archive.error();
  return RunRecordings(*std::move(archive));
}

Result<fs::path> RunRecordings::find(const std::string& recording) const {
  if (archive_) return archive_->find(recording);
  if (was_removed(recording))
    return Error{ErrorCode::bad_input,
                 fmt::format("{} was removed by the rules of the campaign's plan on recordings; its numbers stay",
                             (folder_ / recording).string())};
  return folder_ / recording;
}

Status add_tag(const std::string& text, RunFilter& filter) {
  const std::size_t place = text.find('=');
  if (place == std::string::npos || place == 0)
    return Error{ErrorCode::bad_input, fmt::format("--tag: \"{}\" is not a tag; write it like site=north", text)};
  filter.tags[text.substr(0, place)] = text.substr(place + 1);
  return success();
}

}  // namespace vqas
