#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "vqas/campaign/campaign.h"
#include "vqas/campaign/folder_state.h"

namespace vqas::campaign {

/// The folder of a run; a single run uses the campaign's folder.
std::filesystem::path folder_of_run(const CampaignPlan& plan, const CampaignOptions& options, std::size_t number);
/// The numbers of the runs that have a folder, ascending, from one listing of the campaign's folder; 1 for a single
/// run.
std::vector<std::size_t> runs_with_folders(const CampaignPlan& plan, const CampaignOptions& options);
/// Whether one of the campaign's folders holds a run.
bool any_run_folder(const CampaignPlan& plan, const CampaignOptions& options);
/// Whether a campaign was begun there: a run, or slots of one.
bool any_run(const CampaignPlan& plan, const CampaignOptions& options);
/// Whether a kill before the first measurement left the campaign's folder: it is empty or holds locks and a copy of the
/// plan.
bool nothing_measured_yet(const CampaignPlan& plan, const CampaignOptions& options);
Error nothing_begun(const std::filesystem::path& folder);

/// Checks before line time is spent: several runs are not put beside another run, the store and its archive can be
/// written, and there is room for all runs of a campaign that begins. One that is resumed has room checked run by run,
/// so that it measures as long as it can.
Status check_places(const CampaignPlan& plan, const CampaignOptions& options);

std::size_t stimuli_of(const CampaignPlan& plan, const CampaignOptions& options);
/// Free bytes on the disk of `folder`, by the caller's own look or the system's.
std::optional<std::uint64_t> free_bytes(const CampaignOptions& options, const std::filesystem::path& folder);
/// Whether both are, or will be, on one file system.
bool on_one_file_system(const std::filesystem::path& one, const std::filesystem::path& other);

/// Claims the campaign's own folder, during its runs and the waits between them.
class CampaignClaim {
 public:
  /// Does nothing for a single run, which has only its own lock.
  static Result<std::unique_ptr<CampaignClaim>> take(const CampaignPlan& plan, const std::filesystem::path& folder);
  CampaignClaim(const CampaignClaim&) = delete;
  CampaignClaim& operator=(const CampaignClaim&) = delete;
  ~CampaignClaim();

 private:
  CampaignClaim(std::filesystem::path folder, std::shared_ptr<RunLock> lock, bool made);
  const std::filesystem::path folder_;
  const std::shared_ptr<RunLock> lock_;
  const bool made_;
};

}  // namespace vqas::campaign
