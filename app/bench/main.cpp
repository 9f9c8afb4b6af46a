// How fast the window is: its start, its frames while it measures, and its memory over a simulated run of eight hours.
// usage: QT_QPA_PLATFORM=offscreen vqas-window-bench [HOURS]
#include <fmt/format.h>
#include <malloc.h>

#include <QApplication>
#include <QDateTime>
#include <QElapsedTimer>
#include <QTabWidget>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "app/fake_results.h"
#include "view/main_window.h"

namespace vqas::app {
namespace {

// A sentence each way takes some 8 s of a line. The window is told several times a second at most; here after each
// pair, as on a real line.
constexpr int kPairsOfAnHour = 450;
constexpr double kFrame_ms = 1000.0 / 60;

/// A run that the bench moves by hand.
class BenchSession : public RunSession {
 public:
  void start() override {}
  void cancel() override {}
  void hold(bool) override {}
  void note(const OperatorNote&) override {}
  void trust(bool) override {}
};

double at(std::vector<double> sorted, double share) {
  std::ranges::sort(sorted);
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

// Of this thread: other programs on the machine do not count.
double processor_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

double heap_mb() {
  return static_cast<double>(mallinfo2().uordblks) * 1e-6;
}

int run(int hours) {
  QElapsedTimer clock;
  clock.start();
  const QTemporaryDir home;
  BenchSession* session = nullptr;
  WindowServices services;
  services.make_session = [&session](const RunSettings&) {
    auto made = std::make_unique<BenchSession>();
    session = made.get();
    return made;
  };
  services.now = [] { return QDateTime::currentDateTime(); };
  services.home = home.path();
  MainWindow window(services);
  window.show();
  QApplication::processEvents();
  fmt::print("window made, shown and painted: {} ms\n", clock.elapsed());

  window.start();
  RunResults results = test::empty_results({"M1", "M2", "M3", "M4", "M5", "M6", "F1", "F2", "F3", "F4", "F5", "F6"});
  emit session->phase_changed(RunPhase::measuring);
  auto& tabs = *window.findChild<QTabWidget*>(QStringLiteral("tabs"));
  for (int hour = 0; hour < hours; ++hour) {
    std::vector<double> frames;
    tabs.setCurrentIndex(hour % tabs.count());
    for (int pair = 0; pair < kPairsOfAnHour; ++pair) {
      const auto stimulus = static_cast<std::size_t>(pair) % results.directions[0].stimuli.size();
      for (std::size_t direction : {0U, 1U}) test::add_score(results, direction, stimulus, 3.9 + 0.01 * (pair % 20));
      const auto snapshot = std::make_shared<const RunResults>(results);  // made in the worker's thread
      const double before_ms = processor_ms();
      emit session->updated(snapshot);
      emit session->progressed({static_cast<std::size_t>(pair), 100000, 3600.0}, QStringLiteral("M1, A to B"));
      QApplication::processEvents();
      frames.push_back(processor_ms() - before_ms);
    }
    const auto late = std::ranges::count_if(frames, [](double ms) { return ms > kFrame_ms; });
    fmt::print(
        "hour {}, tab {}: an update takes {:.1f} ms of processor time (median), {:.1f} (99 %), {:.1f} (worst); {} of "
        "{} above a "
        "frame of 60 a second; heap {:.1f} MB\n",
        hour + 1, hour % tabs.count(), at(frames, 0.5), at(frames, 0.99), at(frames, 1), late, frames.size(),
        heap_mb());
  }
  return 0;
}

}  // namespace
}  // namespace vqas::app

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  return vqas::app::run(argc > 1 ? std::max(1, std::atoi(argv[1])) : 8);
}
