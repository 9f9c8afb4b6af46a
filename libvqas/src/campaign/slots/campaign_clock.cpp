#include "vqas/campaign/campaign_clock.h"

#include <QSysInfo>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace vqas {
namespace {

template <typename Clock>
double seconds_of() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

class SystemClock : public CampaignClock {
 public:
  SystemClock() {
    timer_.setSingleShot(true);
    timer_.setTimerType(Qt::PreciseTimer);
    QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] {
      if (const auto then = std::exchange(then_, nullptr)) then();
    });
  }
  double utc_s() const override { return seconds_of<std::chrono::system_clock>(); }
  double steady_s() const override { return seconds_of<std::chrono::steady_clock>(); }
  void wait(double seconds, std::function<void()> then) override {
    then_ = std::move(then);
    timer_.start(std::chrono::milliseconds(std::llround(std::ceil(1000 * std::max(0.0, seconds)))));
  }
  void stop_waiting() override {
    timer_.stop();
    then_ = nullptr;
  }
  std::string boot() const override { return QSysInfo::bootUniqueId().toStdString(); }

 private:
  QTimer timer_;
  std::function<void()> then_;
};

class SimulatedClock : public SystemClock {
 public:
  explicit SimulatedClock(double utc_s) : now_s_(utc_s) {}
  double utc_s() const override { return now_s_; }
  double steady_s() const override { return now_s_; }
  void wait(double seconds, std::function<void()> then) override {
    now_s_ += seconds;
    SystemClock::wait(0, std::move(then));
  }
  void spend(double line_s) override { now_s_ += line_s; }

 private:
  double now_s_;
};

}  // namespace

std::unique_ptr<CampaignClock> system_clock() {
  return std::make_unique<SystemClock>();
}

std::unique_ptr<CampaignClock> simulated_clock(double utc_s) {
  return std::make_unique<SimulatedClock>(utc_s);
}

double ClockWatch::look(const CampaignClock& clock) {
  constexpr double kSmallest_s = 2;
  const double offset_s = clock.utc_s() - clock.steady_s();
  const double step_s = std::exchange(seen_, true) ? offset_s - offset_s_ : 0;
  offset_s_ = offset_s;
  return std::abs(step_s) < kSmallest_s ? 0 : step_s;
}

}  // namespace vqas
