#pragma once

#include <filesystem>
#include <optional>

#include "node/peer_options.h"
#include "vqas/campaign/kept_plan.h"
#include "vqas/signal/result.h"
#include "vqas/store/plan.h"

namespace vqas::cli {

struct CampaignCommand {
  std::filesystem::path folder;                          ///< with repeats, it holds a folder for each run
  bool json = false, json_lines = false, force = false;  ///< as of `vqas measure`
  bool resume = false;                                   ///< resumes the campaign in `folder`
  bool unattended = false;                               ///< begins it there or resumes it
  std::optional<PlanOnDisk> before;                      ///< the plan that the campaign began with, if known
  PeerOptions trust;                                     ///< for nodes at addresses other than loopback
  std::filesystem::path metrics_file;                    ///< figures for Prometheus; empty: none
};

/// Checks that the plan's corpus, stimuli and profile exist.
Status check_campaign(const CampaignPlan& plan);

/// Measures a plan with its repeats and prints the results. Gives the exit code of the worst verdict. A campaign is not
/// resumed (bad_input) with a plan that would measure something else.
int measure_campaign(const PlanOnDisk& plan, const CampaignCommand& command);

}  // namespace vqas::cli
