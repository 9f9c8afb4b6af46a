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
#include "vqas/report/slot_words.h"
#include "vqas/signal/input_file.h"
#include "vqas/store/notes.h"
#include "vqas/store/slot_journal.h"

namespace vqas::trend {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSiteSchema = "vqas-site/2";
constexpr std::uint64_t kLargest = 1ULL << 30;

/// Changes whenever a file does that the run is read from, or the program that reads it.
std::string stamp_of(const fs::path& folder) {
  std::string stamp = current_provenance().software_version;
  for (const char* const name : {kJournalFile, kResultsFile, kNotesFile}) {
    std::error_code failed;
    const auto length = fs::file_size(folder / name, failed);
    if (failed) continue;
    stamp +=
        fmt::format(" {} {} {}", name, length, fs::last_write_time(folder / name, failed).time_since_epoch().count());
  }
  return stamp;
}

std::string stamp_of(const StoredRunInfo& run) {
  std::string stamp = fmt::format("{} {} {} {} {} {}", current_provenance().software_version, run.measurements,
                                  run.scored, run.score_version, run.finished_utc, run.ended_because);
  for (const auto& [name, value] : run.tags) stamp += fmt::format(" {}={}", name, value);
  return stamp;
}

std::string why_in_words(const SlotRecord& slot) {
  const std::string outcome = in_words(slot.outcome);
  if (slot.why.empty()) return outcome;
  // Of a slot that was left out the reason says it all.
  return slot.tries > 0 ? outcome + ": " + slot.why : slot.why;
}

/// The longest time from one slot to the next, by their pattern; 0 for a single slot.
double longest_step_s(const SlotTimes& times) {
  constexpr int kDay_min = 24 * 60;
  if (times.at_min.empty()) return times.every_s;
  int longest_min = times.at_min.front() + kDay_min - times.at_min.back();
  for (std::size_t i = 1; i < times.at_min.size(); ++i)
    longest_min = std::max(longest_min, times.at_min[i] - times.at_min[i - 1]);
  return 60.0 * longest_min;
}

/// What the slots.jsonl beside runs says; nothing is known of runs without one.
class Campaigns {
 public:
  /// The run in `folder` with what its campaign's slots say of it.
  void complete(const fs::path& folder, RunOfTrend& run) {
    Known& campaign = of(folder.parent_path());
    if (!campaign.log) return;
    run.in_slots = true;
    if (!campaign.log->times.empty()) run.slot_step_s = longest_step_s(campaign.log->times.back());
    campaign.circuit = circuit_of(run);
    const auto slot = std::ranges::find(campaign.log->records, folder.filename().string(), &SlotRecord::run);
    // A simulated line's runs are measured one after the other, whatever their slots' times.
    if (run.simulated && slot != campaign.log->records.end()) run.started_s = slot->began_s.value_or(slot->due_s);
  }
  void tell_missed(const RunFilter& filter, std::map<Circuit, std::vector<MissedStart>>& missed) const {
    for (const auto& [folder, campaign] : known_) {
      if (!campaign.log || !campaign.circuit) continue;
      for (const SlotRecord& slot : campaign.log->records) {
        if (!slot.run.empty() || !fits_time(slot.due_s, filter)) continue;
        const bool left_out = slot.outcome == SlotOutcome::overran || slot.outcome == SlotOutcome::stopped;
        missed[*campaign.circuit].push_back({slot.due_s, why_in_words(slot), slot.tries > 0, left_out});
      }
    }
  }

  static bool fits_time(double utc_s, const RunFilter& filter) {
    const std::string utc = utc_text(utc_s);
    return utc >= filter.since_utc && (filter.until_utc.empty() || utc <= filter.until_utc + "~");
  }

 private:
  struct Known {
    std::optional<SlotLog> log;
    std::optional<Circuit> circuit;  ///< of its runs
  };
  Known& of(const fs::path& folder) {
    const auto found = known_.find(folder);
    if (found != known_.end()) return found->second;
    auto log = read_slot_log(folder);
    return known_[folder] = {log ? *std::move(log) : std::nullopt, {}};
  }
  std::map<fs::path, Known> known_;
};

/// Runs in folders are chosen as the store chooses its own.
bool fits(const RunOfTrend& run, const RunFilter& filter) {
  if (!filter.campaign.empty() && run.campaign != filter.campaign) return false;
  if (!Campaigns::fits_time(run.started_s, filter)) return false;
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
  /// `folder`: of the run, empty in a store. `by_campaign`: it was found below the folder that was named, so the slots
  /// of its campaign are meant too.
  void add(const std::string& source, const std::string& stamp, const fs::path& folder, bool by_campaign, Read&& read) {
    auto run = record_.known(source, stamp);
    if (!run) {
      const Result<StoredRun> stored = read();
      if (!stored) return leave_out(stored.error().message);
      run = run_of_trend(*stored);
      if (!run) return leave_out(source + ": the start of the run is not known");
      ++collected_.read;
    }
    record_.keep(source, stamp, *run);
    if (by_campaign) campaigns_.complete(folder, *run);
    if (!fits(*run, filter_)) return;
    if (!run->uuid.empty() && !seen_.insert(run->uuid).second) return;
    std::error_code failed;
    if (!folder.empty() && fs::exists(folder / "report.html", failed)) run->report = (folder / "report.html").string();
    collected_.runs.push_back(*std::move(run));
  }

  CollectedRuns take() {
    campaigns_.tell_missed(filter_, collected_.missed);
    return std::move(collected_);
  }

 private:
  CollectedRuns collected_;
  void leave_out(const std::string& why) {
    if (collected_.left_out++ == 0) collected_.why_left_out = why;
  }

  SiteRecord& record_;
  const RunFilter& filter_;
  Campaigns campaigns_;
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
      const fs::path place = fs::weakly_canonical(folder, failed);
      collection.add("folder " + place.string(), stamp_of(folder), place, folder != named,
                     [&folder] { return load_run(folder); });
    }
  }
  if (sources.store != nullptr) {
    const auto listed = sources.store->list(sources.filter);
    if (!listed) return listed.error();
    for (const StoredRunInfo& one : *listed)
      collection.add("store " + one.uuid, stamp_of(one), {}, false, [&] { return sources.store->load(one.uuid); });
  }
  return collection.take();
}

}  // namespace vqas::trend

namespace vqas {

Result<CollectedRuns> collect_runs(const TrendSources& sources) {
  trend::SiteRecord nothing;
  return trend::collect_runs(sources, nothing);
}

}  // namespace vqas
