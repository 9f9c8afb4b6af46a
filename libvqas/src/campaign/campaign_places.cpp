#include "campaign/campaign_places.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "vqas/campaign/check_stimuli.h"
#include "vqas/campaign/disk_forecast.h"

namespace vqas::campaign {
namespace {

namespace fs = std::filesystem;

bool is_vacant(FolderState state) {
  return state == FolderState::empty || state == FolderState::begun;
}

Status check_free(const CampaignOptions& options, const fs::path& folder, std::uint64_t bytes) {
  if (Status writable = check_room(folder, 0); !writable) return writable;
  const auto free = free_bytes(options, folder);
  if (!free || *free >= bytes) return success();
  return Error{ErrorCode::io,
               fmt::format("{} has {} MB free, and {} MB may be needed; make room or name another folder",
                           folder.string(), *free / 1'000'000, bytes / 1'000'000)};
}

}  // namespace

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

std::size_t stimuli_of(const CampaignPlan& plan, const CampaignOptions& options) {
  return plan.stimuli.empty() ? count_of_stimuli(options.corpus) : plan.stimuli.size();
}

std::optional<std::uint64_t> free_bytes(const CampaignOptions& options, const fs::path& folder) {
  return options.free_bytes ? options.free_bytes(folder) : free_bytes_of(folder);
}

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

bool any_run_folder(const CampaignPlan& plan, const CampaignOptions& options) {
  return std::ranges::any_of(runs_with_folders(plan, options), [&](std::size_t number) {
    return holds_a_run(survey_folder(folder_of_run(plan, options, number)).state);
  });
}

bool any_run(const CampaignPlan& plan, const CampaignOptions& options) {
  std::error_code failed;
  const bool has_slots = count_of_runs(plan) > 1 && fs::exists(options.folder / kSlotsFile, failed);
  return has_slots || any_run_folder(plan, options);
}

bool nothing_measured_yet(const CampaignPlan& plan, const CampaignOptions& options) {
  const fs::path first = folder_of_run(plan, options, 1);
  if (!is_vacant(survey_folder(first).state)) return false;
  return count_of_runs(plan) == 1 || is_vacant(survey_folder(options.folder, first.filename()).state);
}

Error nothing_begun(const fs::path& folder) {
  return {ErrorCode::bad_input,
          fmt::format("no run of a campaign was begun in {}; begin it: vqas measure PLAN --out {}", folder.string(),
                      folder.string())};
}

Status check_places(const CampaignPlan& plan, const CampaignOptions& options) {
  if (count_of_runs(plan) > 1 && holds_a_run(survey_folder(options.folder).state)) {
    return Error{
        ErrorCode::bad_input,
        fmt::format("the folder {} holds a run of its own, and the plan has {} runs, each in a folder below it; "
                    "name another folder",
                    options.folder.string(), count_of_runs(plan))};
  }
  // The copy of the plan would be written over a file of others.
  if (const auto kept = kept_plan(options.folder); !kept && !options.resume) return kept.error();
  const std::size_t runs = options.resume ? 0 : count_of_runs(plan);
  const RunBytes run = planned_bytes(plan, stimuli_of(plan, options));
  const std::uint64_t bytes = bytes_needed(run, runs, recordings_cap(plan, run.recordings));
  if (Status room = check_free(options, options.folder, bytes); !room) return room;
  if (plan.store.empty()) return success();
  if (const auto store = RunStore::open(plan.store); !store) return store.error();
  if (const auto archive = RecordingArchive::open(options.archive, plan.archive); !archive) return archive.error();
  if (plan.archive.keep == KeepRecordings::none) return success();
  const std::uint64_t all = runs * (run.most - run.others);
  const std::uint64_t copies = plan.archive.cap_bytes > 0 ? std::min(all, plan.archive.cap_bytes) : all;
  return check_free(options, options.archive,
                    on_one_file_system(options.folder, options.archive) ? bytes + copies : copies);
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
