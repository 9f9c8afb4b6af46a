#pragma once

#include <QCoreApplication>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "vqas/campaign/campaign.h"

namespace vqas::test {

/// Virtual time, and what happens in it at planted instants. Tasks run in their order of time, one after the other.
class VirtualTime {
 public:
  explicit VirtualTime(double utc_s) : offset_s_(utc_s) {}
  double steady_s() const { return steady_s_; }
  double utc_s() const { return steady_s_ + offset_s_; }
  /// The system's clock is set; the steady one is not.
  void set_clock_by(double step_s) { offset_s_ += step_s; }
  /// Returns the number of the task, for drop().
  std::uint64_t at(double steady_s, std::function<void()> task) {
    tasks_.emplace(std::pair(std::max(steady_s, steady_s_), ++last_), std::move(task));
    return last_;
  }
  std::uint64_t in(double seconds, std::function<void()> task) { return at(steady_s_ + seconds, std::move(task)); }
  void drop(std::uint64_t number) {
    std::erase_if(tasks_, [number](const auto& one) { return one.first.second == number; });
  }
  /// Runs the next task, at its time; false without one.
  bool pass() {
    if (tasks_.empty()) return false;
    auto next = tasks_.extract(tasks_.begin());
    steady_s_ = next.key().first;
    next.mapped()();
    return true;
  }

 private:
  double steady_s_ = 0, offset_s_;
  std::uint64_t last_ = 0;
  std::map<std::pair<double, std::uint64_t>, std::function<void()>> tasks_;
};

/// A campaign's clock in virtual time.
class VirtualClock : public CampaignClock {
 public:
  VirtualClock(VirtualTime& time, std::string boot) : time_(time), boot_(std::move(boot)) {}
  ~VirtualClock() override { time_.drop(waiting_); }
  double utc_s() const override { return time_.utc_s(); }
  double steady_s() const override { return time_.steady_s(); }
  void wait(double seconds, std::function<void()> then) override {
    time_.drop(waiting_);
    waiting_ = time_.in(seconds, std::move(then));
  }
  void stop_waiting() override { time_.drop(waiting_); }
  std::string boot() const override { return boot_; }

 private:
  VirtualTime& time_;
  const std::string boot_;
  std::uint64_t waiting_ = 0;
};

/// The line of the virtual weeks, by UTC in s after the beginning.
struct VirtualLine {
  double began_s = 0;
  std::vector<std::pair<double, double>> away{}, degraded{}, slow{};
  double utc_s_of(const VirtualTime& time) const { return time.utc_s() - began_s; }
  static bool is_in(const std::vector<std::pair<double, double>>& times, double at_s) {
    return std::ranges::any_of(times, [at_s](const auto& one) { return at_s >= one.first && at_s < one.second; });
  }
};

/// The numbers of the measurements that were accepted for the disk, by the run's folder.
using Measured = std::map<std::string, std::set<std::uint32_t>>;

/// A run with made scores that takes virtual time: five measurements a minute apart, or an hour apart on a slow line.
/// It writes all that a real run writes.
class VirtualRun : public MeasuringRun {
 public:
  VirtualRun(VirtualTime& time, const VirtualLine& line, Measured& measured, RunPlan plan, RunRecorder& recorder,
             RunEvents events)
      : time_(time),
        line_(line),
        measured_(measured),
        plan_(std::move(plan)),
        recorder_(recorder),
        events_(std::move(events)) {}
  ~VirtualRun() override { time_.drop(next_); }
  void start() override { after(5, &VirtualRun::begin); }
  void cancel() override { end({ErrorCode::cancelled, "the run was cancelled; its measurements so far are kept"}); }
  double line_s() const override { return 0; }

 private:
  static constexpr std::size_t kMeasurements = 5;
  static constexpr double kPatience_s = 600;

  void after(double seconds, void (VirtualRun::*then)()) {
    next_ = time_.in(seconds, [this, then] { (this->*then)(); });
  }
  bool is_away() const { return VirtualLine::is_in(line_.away, line_.utc_s_of(time_)); }
  void lose() { end({ErrorCode::line_lost, "node b does not answer"}); }
  void begin();
  void measure();
  void end(const Error& why);
  void finish(std::optional<Error> why);
  std::vector<Measurement>& measurements() { return results_.directions[0].stimuli[0].measurements; }

  VirtualTime& time_;
  const VirtualLine& line_;
  Measured& measured_;
  RunPlan plan_;
  RunRecorder& recorder_;
  const RunEvents events_;
  RunResults results_;
  std::uint64_t next_ = 0;
};

}  // namespace vqas::test
