#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "vqas/campaign/hook_watch.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Where and how a campaign runs its hooks.
struct HookDeskOptions {
  PlannedHooks hooks;
  HookCampaign campaign;
  bool resume = false;  ///< takes up state and documents that an earlier process left in the folder
  /// Seconds since 1970; empty: the system's clock.
  std::function<double()> utc_s;
  /// What an operator should know, one sentence without its full stop. May be empty.
  std::function<void(const std::string&)> noticed;
};

/// Tells a campaign's hooks what happens. Each event becomes a document in hooks.json in the campaign's folder before a
/// program is started, and leaves it when a program took it, so that it is sent at least once, also after a kill. One
/// program runs at a time; one that fails is run again after a minute, then twice as long each time, up to an hour.
/// Nothing here waits for a program. Lives in one thread with a Qt event loop; destroying it ends a program that runs,
/// and its document stays.
class HookDesk {
 public:
  explicit HookDesk(HookDeskOptions options);
  ~HookDesk();
  HookDesk(const HookDesk&) = delete;
  HookDesk& operator=(const HookDesk&) = delete;

  /// The campaign's first measurement is about to be made: from here on a kill loses no end of a run.
  void begin();
  /// As in HookWatch.
  void run_ended(const RunEnd& end, bool anew);
  /// The end of a run that an earlier process measured: it is told if a kill prevented that. Runs from before the hooks
  /// were planned are not told.
  void run_had_ended(const RunEnd& end);
  /// The line or a node has been away since `since_s` (s since 1970); it is told as dead if line_there() does not
  /// follow within the plan's dead_after_s.
  void line_away(const std::string& why, double since_s);
  void line_there();
  void disk(const DiskForecast& forecast);

  /// Starts what is due; only needed where `utc_s` is not the system's clock.
  void look();
  /// Every document that this process has not tried yet is tried, then `done` is called, after twice the plan's time
  /// limit at the latest. What failed stays in the folder.
  void finish(std::function<void()> done);
  /// Documents that wait, or are being sent.
  std::size_t waiting() const;

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

/// Fails with bad_input if a program is missing or may not be executed.
Status check_hooks(const PlannedHooks& hooks);

/// One example document, sent to its program.
struct HookTrial {
  HookEvent event = HookEvent::run_ended;
  std::vector<std::string> program;
  bool delivered = false;
  std::string why;     ///< it failed: in words, without a full stop
  std::string output;  ///< what it printed, at most 16 KiB
};
/// Sends an example of each event for which the plan names a program, one after the other, and waits for it. Needs a
/// QCoreApplication; changes no file.
std::vector<HookTrial> try_hooks(const CampaignPlan& plan);

}  // namespace vqas
