#pragma once

#include <QObject>
#include <QString>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "model/worker_thread.h"
#include "vqas/relay/audio_relay.h"
#include "vqas/relay/relay_watch.h"
#include "vqas/signal/signal.h"

class QTimer;

namespace vqas::app {

/// A line whose faults a person changes while it runs, from start() to ended(). All signals come in the thread of the
/// session. Destroying a session ends it; a relay of another program continues.
class ChannelSession : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  virtual void start() = 0;
  virtual void change(const vqas::RelayChange& change) = 0;
  /// The next bits, 1..1e6, of this direction are wrong; empty: of all directions.
  virtual void burst(std::optional<vqas::End> from, quint32 bits) = 0;

 signals:
  /// Several times a second.
  void seen(std::vector<vqas::RelayedFigures> calls);
  /// A change was refused; nothing was changed.
  void refused(QString why);
  /// What went wrong, with the cure.
  void ended(QString why);
};

/// A running relay of another program. Lives in one thread with an event loop.
class RelayChannel : public ChannelSession {
 public:
  explicit RelayChannel(const QString& address);

  void start() override { watch_.start(); }
  void change(const RelayChange& change) override { watch_.change(change); }
  void burst(std::optional<End> from, quint32 bits) override { watch_.inject(from, bits); }

 private:
  RelayWatch watch_;
};

/// What the simulated line of the window needs.
struct SimulatedChannelTools {
  std::function<Result<Signal>()> speech;  ///< goes in again and again; at 8 kHz
  /// Where it goes in and comes out; the speech, and whether it is to be heard.
  std::function<Result<std::unique_ptr<SoundPort>>(const Signal& speech, bool aloud)> port;
};

/// A simulated line in this program, one way, through which speech runs in real time. Lives in one thread with an event
/// loop; its functions may wait for sound devices and the disk.
class SimulatedChannel : public ChannelSession {
 public:
  SimulatedChannel(bool aloud, SimulatedChannelTools tools) : aloud_(aloud), tools_(std::move(tools)) {}
  ~SimulatedChannel() override;

  void start() override;
  void change(const RelayChange& change) override;
  void burst(std::optional<End> from, quint32 bits) override;

 private:
  void tell();

  const bool aloud_;
  const SimulatedChannelTools tools_;
  std::unique_ptr<AudioRelay> relay_;
  std::unique_ptr<AudioControl> control_;
  std::unique_ptr<QTimer> looks_;
};

/// A channel on a thread of its own. No function blocks, but destroying it waits for its end.
template <class Channel>
class ThreadedChannel : public ChannelSession {
 public:
  template <class... Arguments>
  explicit ThreadedChannel(Arguments&&... arguments)
      : worker_(QStringLiteral("channel"), new Channel(std::forward<Arguments>(arguments)...)) {
    worker_.pass_on(this, &ChannelSession::seen, &ChannelSession::refused, &ChannelSession::ended);
  }

  void start() override { worker_.call(&Channel::start); }
  void change(const RelayChange& change) override { worker_.call(&Channel::change, change); }
  void burst(std::optional<End> from, quint32 bits) override { worker_.call(&Channel::burst, from, bits); }

 private:
  WorkerThread<Channel> worker_;
};

}  // namespace vqas::app
