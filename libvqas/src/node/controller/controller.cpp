#include "vqas/node/controller.h"

#include "node/controller/run_engine.h"

namespace vqas {

struct Controller::Engine : RunEngine {
  using RunEngine::RunEngine;
};

Controller::Controller(RunPlan plan, QObject* parent)
    : QObject(parent), engine_(std::make_unique<Engine>(*this, std::move(plan))) {}
Controller::~Controller() = default;

void Controller::start() {
  engine_->start_later();
}

void Controller::cancel() {
  engine_->stop({ErrorCode::cancelled, "the run was cancelled; its measurements so far are kept"});
}

void Controller::stop(const Error& why) {
  engine_->stop(why);
}

void Controller::hold() {
  engine_->hold();
}

void Controller::carry_on() {
  engine_->carry_on();
}

void Controller::measure_more(End from, std::uint32_t sequence) {
  engine_->measure_more(from, sequence);
}

const RunResults& Controller::results() const {
  return engine_->results();
}

std::optional<std::uint32_t> Controller::run_id() const {
  return engine_->run_id();
}

}  // namespace vqas
