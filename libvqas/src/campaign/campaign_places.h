#pragma once

#include <filesystem>
#include <memory>

#include "vqas/campaign/campaign.h"

namespace vqas::campaign {

/// Of a run; one that is the only one has the campaign's.
std::filesystem::path folder_of_run(const CampaignPlan& plan, const CampaignOptions& options, std::size_t number);
/// Whether a journal or a report shows that a run was begun.
bool left_something(const std::filesystem::path& folder);
/// A kill before the first measurement leaves folders with locks, a copy of the plan, or nothing at all in them.
bool nothing_measured_yet(const CampaignPlan& plan, const CampaignOptions& options);
Error nothing_begun(const std::filesystem::path& folder);

/// What is known before line time is spent: the store and its archive can be written, and there is room for what may
/// come of all runs.
Status check_places(const CampaignPlan& plan, const CampaignOptions& options);

/// The campaign's own folder, for all of its runs and the waits between them.
class CampaignClaim {
 public:
  /// Nothing for a single run, which has its lock alone.
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
