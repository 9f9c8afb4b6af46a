#include "model/equipment_session.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "vqas/signal/level.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int kBlocksOfAStep = 5;  // 0.1 s
constexpr double kTone_hz = 1020;  // ITU-T O.6: not a divisor of the rate, so that a codec gets many values

/// A second, in which the tone has whole periods.
std::vector<float> tone(int rate_hz) {
  const double amplitude = std::numbers::sqrt2 * db_to_amplitude(kNominalSpeechLevelDbov);
  std::vector<float> samples(static_cast<std::size_t>(rate_hz));
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] =
        static_cast<float>(amplitude * std::sin(2 * std::numbers::pi * kTone_hz * static_cast<double>(i) / rate_hz));
  return samples;
}

}  // namespace

void EquipmentWorker::start() {
  auto line = tools_.open(name_.toStdString());
  if (!line) return end(QString::fromStdString(line.error().message));
  if ((*line)->description().virtual_time)
    return end(u"a simulated line has no equipment; choose a sound device, RTP or SIP"_s);
  line_ = *std::move(line);
  sent_ = heard_ = LevelMeter(line_->description().rate_hz);
  take_signal();
  emit opened(QString::fromStdString(line_->description().equipment));
  step();
}

void EquipmentWorker::send(TestSignal signal) {
  asked_ = signal;
  if (line_) take_signal();
}

void EquipmentWorker::take_signal() {
  const int rate_hz = line_->description().rate_hz;
  next_ = 0;
  signal_.clear();
  if (asked_ == TestSignal::tone) signal_ = tone(rate_hz);
  if (asked_ != TestSignal::speech) return;
  auto speech = tools_.speech(rate_hz);
  if (speech)
    signal_ = std::move(speech->samples);
  else
    emit told(QString::fromStdString(speech.error().message));
}

void EquipmentWorker::stop() {
  end({});
}

void EquipmentWorker::end(const QString& why) {
  line_.reset();
  emit ended(why);
}

void EquipmentWorker::fill(std::span<float> samples) {
  std::ranges::fill(samples, 0.0F);
  if (signal_.empty()) return;
  for (float& one : samples) {
    one = signal_[next_];
    next_ = (next_ + 1) % signal_.size();
  }
}

// One at a time, so that what the window asks for comes between.
void EquipmentWorker::step() {
  if (!line_) return;
  std::vector<float> sent(line_block(line_->description().rate_hz)), heard(sent.size());
  for (int i = 0; i < kBlocksOfAStep; ++i) {
    fill(sent);
    const auto exchanged = line_->exchange(sent, heard, {.number = round_++, .busy = true});
    if (!exchanged) return end(QString::fromStdString(exchanged.error().message));
    sent_.add(sent);
    heard_.add(heard);
  }
  emit metered({sent_.reading(), heard_.reading()});
  if (const std::string warning = line_->take_warning(); !warning.empty()) emit told(QString::fromStdString(warning));
  QMetaObject::invokeMethod(this, &EquipmentWorker::step, Qt::QueuedConnection);
}

ThreadedEquipment::ThreadedEquipment(const QString& line, const EquipmentTools& tools)
    : worker_(u"equipment"_s, new EquipmentWorker(line, tools)) {
  worker_.pass_on(this, &EquipmentSession::opened, &EquipmentSession::metered, &EquipmentSession::told,
                  &EquipmentSession::ended);
}

}  // namespace vqas::app
