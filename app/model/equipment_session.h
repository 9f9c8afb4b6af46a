#pragma once

#include <QObject>
#include <QString>
#include <array>
#include <functional>
#include <memory>
#include <string>

#include "model/level_meter.h"
#include "model/worker_thread.h"
#include "vqas/line/line.h"
#include "vqas/signal/end.h"
#include "vqas/signal/signal.h"

namespace vqas::app {

/// What is sent while the equipment is looked at.
enum class TestSignal {
  silence,
  tone,    ///< 1020 Hz (ITU-T O.6) at the level of the stimuli
  speech,  ///< a stimulus, again and again
};

struct EquipmentReading {
  MeterReading sent, heard;
};

/// This laptop's own end of a line with meters in both ways, from start() to ended(). All signals come in the thread of
/// the session. Destroying a session ends it.
class EquipmentSession : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  virtual void start() = 0;
  virtual void send(vqas::app::TestSignal signal) = 0;
  /// ended() follows.
  virtual void stop() = 0;

 signals:
  /// The line is open; the devices in words, or nothing.
  void opened(QString equipment);
  /// Ten times a second.
  void metered(vqas::app::EquipmentReading reading);
  /// What should be known meanwhile, one sentence.
  void told(QString what);
  /// `why` is empty after stop(); else what went wrong, with the cure.
  void ended(QString why);
};

/// What an equipment session needs.
struct EquipmentTools {
  std::function<Result<std::unique_ptr<Line>>(const std::string& name)> open;
  std::function<Result<Signal>(int rate_hz)> speech;  ///< at the line's rate, 8 or 16 kHz
};

/// Sends and listens. Lives in one thread with an event loop; its functions wait for the line.
class EquipmentWorker : public EquipmentSession {
 public:
  EquipmentWorker(QString line, EquipmentTools tools) : name_(std::move(line)), tools_(std::move(tools)) {}

  void start() override;
  void send(TestSignal signal) override;
  void stop() override;

 private:
  void step();
  void take_signal();
  void fill(std::span<float> samples);
  void end(const QString& why);

  const QString name_;
  const EquipmentTools tools_;
  std::unique_ptr<Line> line_;
  TestSignal asked_ = TestSignal::silence;
  std::vector<float> signal_;  // repeated, at the line's rate; empty: silence
  std::size_t next_ = 0;
  std::uint64_t round_ = 0;
  LevelMeter sent_, heard_;
};

/// An EquipmentWorker on a thread of its own. No function blocks, but destroying it waits for the line: for a tenth of
/// a second, or as long as a device is silent before it counts as lost.
class ThreadedEquipment : public EquipmentSession {
 public:
  ThreadedEquipment(const QString& line, const EquipmentTools& tools);

  void start() override { worker_.call(&EquipmentWorker::start); }
  void send(TestSignal signal) override { worker_.call(&EquipmentWorker::send, signal); }
  void stop() override { worker_.call(&EquipmentWorker::stop); }

 private:
  WorkerThread<EquipmentWorker> worker_;
};

}  // namespace vqas::app
