#include "model/channel_session.h"

#include <QTimer>
#include <utility>

namespace vqas::app {

namespace {

constexpr int kLookMs = 200;

}  // namespace

RelayChannel::RelayChannel(const QString& address)
    : watch_(address.trimmed().toStdString(),
             {[this](std::vector<RelayedFigures> calls) { emit seen(std::move(calls)); },
              [this](const std::string& why) { emit refused(QString::fromStdString(why)); },
              [this](const std::string& why) { emit ended(QString::fromStdString(why)); }}) {}

SimulatedChannel::~SimulatedChannel() = default;

void SimulatedChannel::start() {
  const auto fail = [this](const Error& why) { emit ended(QString::fromStdString(why.message)); };
  const auto speech = tools_.speech();
  if (!speech) return fail(speech.error());
  auto port = tools_.port(*speech, aloud_);
  if (!port) return fail(port.error());
  auto relay = AudioRelay::start({}, *std::move(port));
  if (!relay) return fail(relay.error());
  relay_ = *std::move(relay);
  control_ = std::make_unique<AudioControl>(*relay_);
  looks_ = std::make_unique<QTimer>();
  connect(looks_.get(), &QTimer::timeout, this, &SimulatedChannel::tell);
  looks_->start(kLookMs);
  tell();
}

void SimulatedChannel::tell() {
  std::vector<RelayedFigures> calls;
  for (const std::string& one : control_->calls_json())
    if (auto figures = relayed_figures(one)) calls.push_back(*std::move(figures));
  emit seen(std::move(calls));
}

void SimulatedChannel::change(const RelayChange& change) {
  if (!control_) return;
  if (const Status done = control_->set({}, conditions_json(change)); !done)
    emit refused(QString::fromStdString(done.error().message));
  tell();
}

void SimulatedChannel::burst(std::optional<End>, quint32 bits) {
  if (control_) (void)control_->inject({}, bits);
}

}  // namespace vqas::app
