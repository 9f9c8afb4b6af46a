#pragma once

#include <QTimer>
#include <memory>
#include <optional>

#include "model/node_access.h"
#include "model/run_session.h"
#include "model/run_worker.h"
#include "model/worker_thread.h"
#include "vqas/campaign/campaign.h"

namespace vqas::app {

/// Measures by the clock: the runs of a campaign, one after another, each in its folder, as "vqas measure" does with
/// the plan that these settings make; or resumes the campaign in the settings' folder with the plan that it keeps
/// there. Lives in one thread with an event loop; its functions may wait for the disk. A campaign cannot be paused.
class CampaignWorker : public RunSession {
 public:
  CampaignWorker(RunSettings settings, MeasuringTools tools);
  ~CampaignWorker() override;

  void start() override;
  void cancel() override;
  void hold(bool yes) override;
  void note(const OperatorNote& note) override;
  void trust(bool yes) override;

 private:
  Status open_access(RunPlan& plan);
  void begin();
  CampaignEvents events();
  RunEvents run_events();
  void publish();
  void end(RunPhase phase, const std::optional<Error>& why, const EndOfCampaign& campaign = {});

  const RunSettings settings_;
  const MeasuringTools tools_;
  PlanOnDisk plan_;
  std::optional<NodeAccessControl> access_;
  bool asking_ = false;
  std::unique_ptr<Campaign> campaign_;
  std::filesystem::path run_folder_;  // of the run in progress, or of the last one
  SharedResults last_ = std::make_shared<const RunResults>();
  const RunResults* current_ = nullptr;  // of the run in progress
  QTimer told_;                          // while it runs, new results are told at its end
  std::optional<Error> fault_;
  bool cancelled_ = false, over_ = false;
};

/// A CampaignWorker on a thread of its own. No function blocks, but destroying it waits as that of a MeasuringSession.
class CampaignSession : public RunSession {
 public:
  CampaignSession(const RunSettings& settings, const MeasuringTools& tools);

  void start() override { worker_.call(&CampaignWorker::start); }
  void cancel() override { worker_.call(&CampaignWorker::cancel); }
  void hold(bool yes) override { worker_.call(&CampaignWorker::hold, yes); }
  void note(const OperatorNote& note) override { worker_.call(&CampaignWorker::note, note); }
  void trust(bool yes) override { worker_.call(&CampaignWorker::trust, yes); }

 private:
  WorkerThread<CampaignWorker> worker_;
};

}  // namespace vqas::app
