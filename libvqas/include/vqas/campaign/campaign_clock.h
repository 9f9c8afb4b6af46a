#pragma once

#include <functional>
#include <memory>
#include <string>

namespace vqas {

/// The time of a campaign, and how it waits. It comes from outside, so that weeks can be tested in seconds. For the
/// thread of the campaign.
class CampaignClock {
 public:
  virtual ~CampaignClock() = default;
  /// Seconds since 1970 in UTC by the system's clock, which may be set at any time.
  virtual double utc_s() const = 0;
  /// Seconds by a clock that is never set.
  virtual double steady_s() const = 0;
  /// Calls `then` after `seconds` by the steady clock, in the event loop; replaces an earlier wait.
  virtual void wait(double seconds, std::function<void()> then) = 0;
  /// Ends the wait without calling.
  virtual void stop_waiting() = 0;
  /// A run has used this line time, in s. Only a simulated clock passes it on.
  virtual void spend(double /*line_s*/) {}
  /// A text that differs after each start of the machine; empty if unknown.
  virtual std::string boot() const { return {}; }
};

/// The machine's own clocks, and a timer of Qt's.
std::unique_ptr<CampaignClock> system_clock();
/// A clock that begins at `utc_s`, stands still during a run, and passes a wait at once: for a simulated line, which
/// has no other time than that of its line.
std::unique_ptr<CampaignClock> simulated_clock(double utc_s);

/// Notices when the system's clock is set: it then differs from the steady one by more than before.
class ClockWatch {
 public:
  /// How far the system's clock was set since the last call, in s; 0 on the first call, and below 2 s, which is drift
  /// or the correction of a time service.
  double look(const CampaignClock& clock);

 private:
  bool seen_ = false;
  double offset_s_ = 0;
};

}  // namespace vqas
