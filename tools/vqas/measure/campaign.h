#pragma once

#include <filesystem>
#include <optional>

#include "node/peer_options.h"
#include "vqas/campaign/kept_plan.h"
#include "vqas/signal/result.h"
#include "vqas/store/plan.h"

namespace vqas::cli {

struct CampaignCommand {
  std::filesystem::path folder;                          ///< a folder of its own for each run where there are repeats
  bool json = false, json_lines = false, force = false;  ///< as of `vqas measure`
  bool resume = false;                                   ///< goes on with the campaign that was begun in `folder`
  std::optional<PlanOnDisk> before;                      ///< what the campaign was begun by, where that is known
  PeerOptions trust;                                     ///< of nodes at other addresses than loopback
};

/// Whether the plan's corpus, stimuli and profile are there.
Status check_campaign(const CampaignPlan& plan);

/// Measures a plan with its repeats and prints what comes; gives the exit code: that of the first run that failed, else
/// fail before undecided before pass (0). A campaign that is gone on with is refused (bad_input) where its plan would
/// not measure the same.
int measure_campaign(const PlanOnDisk& plan, const CampaignCommand& command);

}  // namespace vqas::cli
