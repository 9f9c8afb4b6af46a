#include "trend/site_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "run/json_members.h"
#include "trend/run_record.h"
#include "trend/utc.h"
#include "vqas/report/report.h"
#include "vqas/signal/input_file.h"

namespace vqas::trend {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSiteSchema = "vqas-site/1";
constexpr std::uint64_t kLargest = 1ULL << 30;

/// Changes whenever the run's journal does.
std::string stamp_of(const fs::path& folder) {
  std::error_code failed;
  const auto length = fs::file_size(folder / kJournalFile, failed);
  const auto changed = fs::last_write_time(folder / kJournalFile, failed).time_since_epoch().count();
  return fmt::format("{} {}", length, changed);
}

std::string stamp_of(const StoredRunInfo& run) {
  return fmt::format("{} {} {} {}", run.measurements, run.scored, run.finished_utc, run.ended_because);
}

/// Runs in folders are chosen as the store chooses its own.
bool fits(const RunOfTrend& run, const RunFilter& filter) {
  const std::string started = utc_text(run.started_s);
  if (!filter.campaign.empty() && run.campaign != filter.campaign) return false;
  if (started < filter.since_utc || (!filter.until_utc.empty() && started > filter.until_utc + "~")) return false;
  return std::ranges::all_of(filter.tags, [&run](const auto& tag) {
    const auto found = run.tags.find(tag.first);
    return found != run.tags.end() && found->second == tag.second;
  });
}

/// Adds what is read or known; a run counts once.
class Collection {
 public:
  Collection(SiteRecord& record, const RunFilter& filter) : record_(record), filter_(filter) {}

  template <typename Read>
  void add(const std::string& source, const std::string& stamp, const std::string& report, Read&& read) {
    auto run = record_.known(source, stamp);
    if (!run) {
      const Result<StoredRun> stored = read();
      if (!stored) return leave_out(stored.error().message);
      run = run_of_trend(*stored);
      if (!run) return leave_out(source + ": the start of the run is not known");
      ++collected.read;
    }
    record_.keep(source, stamp, *run);
    if (!fits(*run, filter_)) return;
    if (!run->uuid.empty() && !seen_.insert(run->uuid).second) return;
    run->report = report;
    collected.runs.push_back(*std::move(run));
  }

  CollectedRuns collected;

 private:
  void leave_out(const std::string& why) {
    if (collected.left_out++ == 0) collected.why_left_out = why;
  }

  SiteRecord& record_;
  const RunFilter& filter_;
  std::set<std::string> seen_;
};

}  // namespace

SiteRecord SiteRecord::read(const fs::path& folder) {
  SiteRecord record;
  const auto text = read_whole_file(folder / kSiteFile, {"record of a site", kLargest, "remove it"});
  const auto json = text ? parse_json_text(*text, kSiteFile) : Result<Json>(text.error());
  if (!json || !json->is_object() || text_at(*json, "schema") != kSiteSchema) return record;
  const Json runs = json->value("runs", Json()), pages = json->value("pages", Json());
  for (const Json& one : runs.is_array() ? runs : Json::array()) {
    if (one.is_object()) record.before_[text_at(one, "source")] = {text_at(one, "stamp"), one.value("run", Json())};
  }
  for (const Json& one : pages.is_array() ? pages : Json::array()) {
    if (one.is_string()) record.pages_.push_back(one.get<std::string>());
  }
  return record;
}

std::optional<RunOfTrend> SiteRecord::known(const std::string& source, const std::string& stamp) const {
  const auto found = before_.find(source);
  if (found == before_.end() || found->second.stamp != stamp || !found->second.run.is_object()) return std::nullopt;
  auto run = run_from_json(found->second.run, kSiteFile);
  if (!run) return std::nullopt;
  return *std::move(run);
}

void SiteRecord::keep(const std::string& source, const std::string& stamp, const RunOfTrend& run) {
  now_[source] = {stamp, to_json(run)};
}

std::string SiteRecord::text() const {
  Json runs = Json::array();
  for (const auto& [source, entry] : now_)
    runs.push_back({{"source", source}, {"stamp", entry.stamp}, {"run", entry.run}});
  const Json all = {{"schema", kSiteSchema}, {"pages", pages_}, {"runs", runs}};
  return all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<CollectedRuns> collect_runs(const TrendSources& sources, SiteRecord& record) {
  Collection collection(record, sources.filter);
  for (const fs::path& named : sources.folders) {
    const auto folders = run_folders(named);
    if (!folders) return folders.error();
    for (const fs::path& folder : *folders) {
      std::error_code failed;
      const fs::path place = fs::weakly_canonical(folder, failed), report = place / "report.html";
      collection.add("folder " + place.string(), stamp_of(folder), fs::exists(report, failed) ? report.string() : "",
                     [&folder] { return load_run(folder); });
    }
  }
  if (sources.store != nullptr) {
    const auto listed = sources.store->list(sources.filter);
    if (!listed) return listed.error();
    for (const StoredRunInfo& one : *listed)
      collection.add("store " + one.uuid, stamp_of(one), "", [&] { return sources.store->load(one.uuid); });
  }
  return std::move(collection.collected);
}

}  // namespace vqas::trend

namespace vqas {

Result<CollectedRuns> collect_runs(const TrendSources& sources) {
  trend::SiteRecord nothing;
  return trend::collect_runs(sources, nothing);
}

}  // namespace vqas
