#include "vqas/campaign/disk_forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>

namespace vqas {
namespace {

namespace fs = std::filesystem;

// Size of a recording of the longest stimulus as FLAC, with the sound before and after it.
constexpr std::uint64_t kRecordingBytes = 150'000;
// Of journal, session, results.json, results.csv and page, for each measurement; 2.9 and 3.2 kB in runs of 525 and 257.
constexpr std::uint64_t kNumbersBytes = 5'000;

RunBytes usual(const DiskOutlook& outlook) {
  if (outlook.measured.empty()) return outlook.planned;
  RunBytes sum;
  for (const RunBytes& one : outlook.measured) {
    sum.most = std::max(sum.most, one.most);
    sum.recordings += one.recordings;
    sum.others += one.others;
  }
  const std::uint64_t count = outlook.measured.size();
  return {sum.most, (sum.recordings + count - 1) / count, (sum.others + count - 1) / count};
}

}  // namespace

DiskForecast foresee_disk(const DiskOutlook& outlook) {
  const RunBytes run = usual(outlook);
  DiskForecast forecast{outlook.free_bytes, run.most, true, {}};
  // The plan's figure is already the most that a run can need.
  if (!outlook.measured.empty())
    forecast.run_bytes += static_cast<std::uint64_t>(std::ceil(kSpareShare * static_cast<double>(run.most)));
  forecast.fits = outlook.free_bytes >= forecast.run_bytes;
  if (outlook.begins_s.size() < 2) return forecast;
  const std::uint64_t held = outlook.recordings_held;
  for (std::size_t begun = 0; begun < outlook.begins_s.size(); ++begun) {
    const double begins_s = outlook.begins_s[begun];
    if (begins_s > kForeseen_s) break;
    std::uint64_t recordings = begun * run.recordings;
    if (outlook.recordings_cap) {
      const std::uint64_t most = *outlook.recordings_cap > held ? *outlook.recordings_cap - held : 0;
      recordings = std::min(recordings, most);
    }
    if (outlook.free_bytes >= begun * run.others + recordings + forecast.run_bytes) continue;
    forecast.full_in_s = begins_s;
    break;
  }
  return forecast;
}

RunBytes planned_bytes(const CampaignPlan& plan, std::size_t stimuli) {
  const std::uint64_t directions = (plan.a_to_b ? 1U : 0U) + (plan.b_to_a ? 1U : 0U);
  const std::uint64_t count = stimuli * directions * plan.sampling.cap_count;
  const std::uint64_t recordings = kRecordingBytes * count, others = kNumbersBytes * count;
  const std::uint64_t chosen = plan.keep.worst + plan.keep.sample;
  // Of a plan nothing says how many measurements will have no score; those of runs do.
  const std::uint64_t kept = plan.keep.chosen ? kRecordingBytes * std::min(chosen, count) : recordings;
  return {recordings + others, kept, others};
}

std::uint64_t bytes_needed(const RunBytes& run, std::size_t runs, std::optional<std::uint64_t> recordings_cap) {
  if (runs == 0) return 0;
  const std::uint64_t before = runs - 1;
  std::uint64_t recordings = before * run.recordings;
  if (recordings_cap) recordings = std::min(recordings, *recordings_cap);
  return before * run.others + recordings + run.most;
}

std::optional<std::uint64_t> recordings_cap(const CampaignPlan& plan, std::uint64_t recordings) {
  std::optional<std::uint64_t> cap;
  if (plan.keep.cap_bytes > 0) cap = plan.keep.cap_bytes;
  if (plan.keep.days > 0 && (plan.every_s > 0 || !plan.at_min.empty())) {
    // Times of day may lie close together, so each part of a day counts whole.
    const double runs = plan.every_s > 0 ? std::ceil(plan.keep.days * 86400 / plan.every_s)
                                         : std::ceil(plan.keep.days) * static_cast<double>(plan.at_min.size());
    const auto by_age = static_cast<std::uint64_t>(runs) * recordings;
    cap = cap ? std::min(*cap, by_age) : by_age;
  }
  return cap;
}

std::string disk_full_in_words(const DiskForecast& forecast, const fs::path& folder) {
  constexpr double kMega = 1e6;
  return fmt::format("the run may need {:.1f} MB, and the disk of {} has {:.1f} MB free; make room",
                     static_cast<double>(forecast.run_bytes) / kMega, folder.string(),
                     static_cast<double>(forecast.free_bytes) / kMega);
}

std::optional<std::uint64_t> free_bytes_of(const fs::path& folder) {
  std::error_code failed;
  fs::path there = fs::absolute(folder, failed);
  while (!fs::exists(there, failed) && there.has_parent_path() && there != there.parent_path())
    there = there.parent_path();
  const fs::space_info space = fs::space(there, failed);
  return failed ? std::nullopt : std::optional<std::uint64_t>(space.available);
}

std::uint64_t bytes_below(const fs::path& folder) {
  std::error_code failed;
  std::uint64_t sum = 0;
  for (fs::recursive_directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    std::error_code gone;
    if (entry->is_symlink(gone) || !entry->is_regular_file(gone)) continue;
    const std::uintmax_t size = entry->file_size(gone);
    if (!gone) sum += size;
  }
  return sum;
}

}  // namespace vqas
