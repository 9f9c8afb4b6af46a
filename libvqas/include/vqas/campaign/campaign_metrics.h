#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "vqas/campaign/campaign.h"
#include "vqas/run/provenance.h"
#include "vqas/run/run.h"

namespace vqas {

/// A campaign's figures for Prometheus, in a file for the textfile collector of its node exporter: means, verdict,
/// runs, slots and measurements by outcome, outages. Means and verdict are those of the last slot that was not left
/// out: after a slot without a score they are absent, and only their time is told. For one thread.
class CampaignMetrics {
 public:
  /// `file` ends in ".prom"; it is replaced as a whole. `folder` is on the disk whose free space is told.
  CampaignMetrics(std::filesystem::path file, std::filesystem::path folder, const CampaignPlan& plan);
  /// Adds a run that ended; the last one that is added counts as the last one.
  void add(const RunResults& results, const Provenance& provenance);
  /// Adds a slot that is over, after its run.
  void add(const SlotRecord& slot);
  /// The only run could not be measured.
  void add_failure();
  /// When the next slot is due, in s since 1970; nothing: no slot is left.
  void expect(std::optional<double> due_s);
  /// The line or a node is away, or there again.
  void set_away(bool away);
  /// The figures in Prometheus' text format 0.0.4.
  std::string text() const;
  /// Writes the file. Fails with bad_input or io.
  Status write() const;

 private:
  struct Figures;
  std::filesystem::path file_, folder_;
  std::shared_ptr<Figures> figures_;
};

/// The same events, with `metrics` written when a slot begins or is over, when the line goes or comes, and at the end;
/// told to `failed` when they cannot be. `metrics` lives as long as the campaign.
CampaignEvents with_metrics(CampaignEvents events, std::shared_ptr<CampaignMetrics> metrics);

}  // namespace vqas
