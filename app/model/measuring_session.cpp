#include "model/measuring_session.h"

namespace vqas::app {

MeasuringSession::MeasuringSession(const RunSettings& settings, const MeasuringTools& tools)
    : worker_(QStringLiteral("run"), new RunWorker(settings, tools)) {
  worker_.pass_on(this, &RunSession::phase_changed, &RunSession::updated, &RunSession::progressed, &RunSession::held,
                  &RunSession::noted, &RunSession::noticed, &RunSession::waiting, &RunSession::silent,
                  &RunSession::asked_to_trust, &RunSession::finished);
}

void MeasuringSession::start() {
  worker_.call(&RunWorker::start);
}

void MeasuringSession::cancel() {
  worker_.call(&RunWorker::cancel);
}

void MeasuringSession::hold(bool yes) {
  worker_.call(&RunWorker::hold, yes);
}

void MeasuringSession::note(const OperatorNote& note) {
  worker_.call(&RunWorker::note, note);
}

void MeasuringSession::trust(bool yes) {
  worker_.call(&RunWorker::trust, yes);
}

}  // namespace vqas::app
