#include "vqas/campaign/bench_run.h"

#include <utility>

#include "vqas/campaign/earlier_run.h"
#include "vqas/node/simulated_bench.h"

namespace vqas {

BenchRun::BenchRun(const std::filesystem::path& program, const SimulatedLine& line, RunPlan plan, RunRecorder& recorder,
                   RunEvents events, std::function<void(const Error&)> failed)
    : plan_(std::move(plan)),
      recorder_(recorder),
      events_(std::move(events)),
      failed_(std::move(failed)),
      bench_(
          std::make_unique<SimulatedBench>(BenchOptions{program, plan_.corpus, recorder.node_data(), line, {}, {}})) {
  plan_.holder = kOwnLine;
  events_.finished = [this, finished = std::move(events_.finished)](const EndOfRun& end) {
    fetched_ = end.fetched;
    if (finished) finished(end);
  };
  QObject::connect(bench_.get(), &SimulatedBench::ready, bench_.get(), [this] { begin(); });
  QObject::connect(bench_.get(), &SimulatedBench::failed, bench_.get(), [this](const QString& message) {
    if (run_) return run_->line_lost_because(message.toStdString());
    fail({ErrorCode::line_lost, message.toStdString()});
  });
}

BenchRun::~BenchRun() = default;

void BenchRun::start() {
  bench_->start();
}

void BenchRun::begin() {
  if (!failed_) return;
  plan_.node_a = bench_->node_a();
  plan_.node_b = bench_->node_b();
  run_.emplace(plan_, recorder_, events_);
  run_->start();
}

void BenchRun::cancel() {
  if (run_) return run_->cancel();
  fail({ErrorCode::cancelled, "cancelled before anything was measured"});
}

void BenchRun::fail(const Error& error) {
  // A second failure has nothing left to report.
  if (const auto failed = std::exchange(failed_, nullptr)) failed(error);
}

void BenchRun::leave() {
  bench_->stop();
  recorder_.leave(fetched_);
}

}  // namespace vqas
