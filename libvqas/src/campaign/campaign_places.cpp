#include "campaign/campaign_places.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "vqas/campaign/check_stimuli.h"
#include "vqas/campaign/earlier_run.h"
#include "vqas/campaign/run_folder.h"
#include "vqas/report/report.h"

namespace vqas::campaign {
namespace {

namespace fs = std::filesystem;

// Size of a recording of the longest stimulus as FLAC, with the sound before and after it.
constexpr std::uint64_t kRecordingBytes = 150'000;

/// Runs whose recordings are not on the disk yet.
std::size_t runs_to_come(const CampaignPlan& plan, const CampaignOptions& options) {
  if (!options.resume) return count_of_runs(plan);
  const auto begun = std::ranges::count_if(runs_with_folders(plan, options), [&](std::size_t number) {
    return was_begun(folder_of_run(plan, options, number));
  });
  return count_of_runs(plan) - static_cast<std::size_t>(begun);
}

bool on_one_file_system(const fs::path& one, const fs::path& other) {
  const auto device_of = [](fs::path path) {
    std::error_code failed;
    path = fs::absolute(path, failed);
    while (!fs::exists(path, failed) && path != path.parent_path()) path = path.parent_path();
    struct stat found {};
    return ::stat(path.c_str(), &found) == 0 ? found.st_dev : dev_t{};
  };
  return device_of(one) == device_of(other);
}

}  // namespace

fs::path folder_of_run(const CampaignPlan& plan, const CampaignOptions& options, std::size_t number) {
  return count_of_runs(plan) == 1 ? options.folder : options.folder / fmt::format("run-{:04}", number);
}

std::vector<std::size_t> runs_with_folders(const CampaignPlan& plan, const CampaignOptions& options) {
  const std::size_t runs = count_of_runs(plan);
  if (runs == 1) return {1};
  std::vector<std::size_t> found;
  std::error_code fault;
  for (const fs::directory_entry& entry : fs::directory_iterator(options.folder, fault)) {
    const std::string name = entry.path().filename().string();
    const std::size_t digits = name.find_first_of("0123456789");
    std::size_t number = 0;
    if (digits == std::string::npos) continue;
    std::from_chars(name.data() + digits, name.data() + name.size(), number);
    if (number < 1 || number > runs || folder_of_run(plan, options, number).filename() != name) continue;
    found.push_back(number);
  }
  std::ranges::sort(found);
  return found;
}

bool left_something(const fs::path& folder) {
  std::error_code fault;
  return was_begun(folder) || fs::exists(folder / kResultsFile, fault);
}

bool nothing_measured_yet(const CampaignPlan& plan, const CampaignOptions& options) {
  if (count_of_runs(plan) == 1) return came_to_nothing(options.folder);
  std::error_code fault;
  const fs::path first = folder_of_run(plan, options, 1);
  return came_to_nothing(options.folder, first.filename()) && (!fs::exists(first, fault) || came_to_nothing(first));
}

Error nothing_begun(const fs::path& folder) {
  return {ErrorCode::bad_input,
          fmt::format("no run of a campaign was begun in {}; begin it: vqas measure PLAN --out {}", folder.string(),
                      folder.string())};
}

Status check_places(const CampaignPlan& plan, const CampaignOptions& options) {
  const std::size_t stimuli = plan.stimuli.empty() ? count_of_stimuli(options.corpus) : plan.stimuli.size();
  const std::size_t directions = (plan.a_to_b ? 1 : 0) + (plan.b_to_a ? 1 : 0);
  const std::uint64_t bytes =
      kRecordingBytes * stimuli * directions * plan.sampling.cap_count * runs_to_come(plan, options);
  if (Status room = check_room(options.folder, bytes); !room) return room;
  if (plan.store.empty()) return success();
  if (const auto store = RunStore::open(plan.store); !store) return store.error();
  if (const auto archive = RecordingArchive::open(options.archive, plan.archive); !archive) return archive.error();
  if (plan.archive.keep == KeepRecordings::none) return success();
  const std::uint64_t copies = plan.archive.cap_bytes > 0 ? std::min(bytes, plan.archive.cap_bytes) : bytes;
  return check_room(options.archive, on_one_file_system(options.folder, options.archive) ? bytes + copies : copies);
}

CampaignClaim::CampaignClaim(fs::path folder, std::shared_ptr<RunLock> lock, bool made)
    : folder_(std::move(folder)), lock_(std::move(lock)), made_(made) {}

Result<std::unique_ptr<CampaignClaim>> CampaignClaim::take(const CampaignPlan& plan, const fs::path& folder) {
  if (const Status named = check_folder_name(folder); !named) return named.error();
  if (count_of_runs(plan) == 1) return std::unique_ptr<CampaignClaim>();
  std::error_code fault;
  const bool made = !fs::exists(folder, fault);
  auto lock = RunLock::take(folder);
  if (!lock) return lock.error();
  return std::unique_ptr<CampaignClaim>(new CampaignClaim(folder, *std::move(lock), made));
}

CampaignClaim::~CampaignClaim() {
  lock_->release();
  std::error_code fault;
  if (made_) fs::remove(folder_, fault);  // only if it is still empty
}

}  // namespace vqas::campaign
