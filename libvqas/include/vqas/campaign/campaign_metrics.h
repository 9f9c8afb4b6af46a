#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "vqas/campaign/campaign.h"
#include "vqas/run/provenance.h"
#include "vqas/run/run.h"

namespace vqas {

/// A campaign's figures for Prometheus, in a file for the textfile collector of its node exporter: the last means, the
/// verdict, runs and measurements by outcome, outages. For one thread.
class CampaignMetrics {
 public:
  /// `file` ends in ".prom"; it is replaced as a whole. `folder` is on the disk whose free space is told.
  CampaignMetrics(std::filesystem::path file, std::filesystem::path folder);
  /// Adds a run that ended; the newest start counts as the last one.
  void add(const RunResults& results, const Provenance& provenance, RunVerdict verdict);
  /// The figures in Prometheus' text format 0.0.4.
  std::string text() const;
  /// Writes the file. Fails with bad_input or io.
  Status write() const;

 private:
  struct Figures;
  std::filesystem::path file_, folder_;
  std::shared_ptr<Figures> figures_;
};

/// The same events, with `metrics` written after each run and told to `failed` when they cannot be; `metrics` lives as
/// long as the campaign.
CampaignEvents with_metrics(CampaignEvents events, std::shared_ptr<CampaignMetrics> metrics);

}  // namespace vqas
