#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "vqas/signal/result.h"
#include "vqas/store/slot_journal.h"

namespace vqas {

/// How far a campaign with repeats is.
struct CampaignStatus {
  std::string name;           ///< of the campaign
  bool measured_now = false;  ///< a process has its folder
  SlotLog log;                ///< what became of the slots that are over
  std::size_t slots_in_all = 0;
  std::optional<double> next_s;  ///< UTC: when the first slot without a record is due; nothing when all are over
};

/// The status of the campaign in `folder`, also while it is measured. Fails with bad_input if there is none, or one
/// without repeats. Re-entrant.
Result<CampaignStatus> campaign_status(const std::filesystem::path& folder);

/// The same as a JSON document; its members are in libvqas/doc/campaigns-unattended.md.
std::string campaign_status_json(const CampaignStatus& status);

}  // namespace vqas
