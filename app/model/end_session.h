#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include "model/worker_thread.h"
#include "vqas/node/node.h"
#include "vqas/node/node_watch.h"

namespace vqas::app {

/// How this machine becomes one end of a line.
struct EndSettings {
  End end = End::b;
  QString line;                ///< as open_line() takes it, "audio:USB%20Audio?host=alsa"
  bool for_partner = true;     ///< reached over the network, with TLS and a code; else from this machine alone
  quint16 port = 7811;         ///< of its control socket; 0: a free one
  std::filesystem::path data;  ///< its recordings, certificate and tokens
  std::filesystem::path corpus;
  /// Of the line's own sound device, as a loop showed it, in ms; empty: not measured.
  std::optional<double> device_delay_ms = {};
  /// Locked while the line is opened: meanwhile the sound system must not be asked for its devices. Null: no lock.
  std::shared_ptr<std::mutex> sound_system = {};
};

/// An end that is ready.
struct EndReady {
  QString own_address;         ///< as this machine reaches it, "ws://127.0.0.1:40001"
  QStringList addresses;       ///< as a partner reaches it, "wss://192.0.2.7:7811"; empty unless it is for a partner
  QString fingerprint, words;  ///< of its certificate, and that to be read out; empty unless it is for a partner
  QString code;                ///< to be read out: it allows to command this end; empty likewise
};

/// This machine as one end of a line, from start() to ended(). All signals come in the thread of the session.
/// Destroying a session ends it.
class EndSession : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  virtual void start() = 0;
  /// ended() follows.
  virtual void stop() = 0;

 signals:
  void ready(vqas::app::EndReady end);
  /// Who measures with this end now; empty: it is free.
  void held(QString by);
  /// What the partner's controller, or the line itself, tells the person at this end, one sentence.
  void told(QString what);
  /// `why` is empty after stop(); else what went wrong, with the cure.
  void ended(QString why);
};

/// The node of this machine. Lives in one thread with an event loop, in which the node works; start() may wait for
/// sound devices and the disk.
class EndWorker : public EndSession {
 public:
  explicit EndWorker(EndSettings settings) : settings_(std::move(settings)) {}

  void start() override;
  void stop() override;

 private:
  const EndSettings settings_;
  std::unique_ptr<Node> node_;
  std::unique_ptr<NodeWatch> watch_;  // of the own node: it says who holds it
};

/// An EndWorker on a thread of its own. No function blocks, but destroying it waits for the node's end.
class ThreadedEnd : public EndSession {
 public:
  explicit ThreadedEnd(const EndSettings& settings);

  void start() override;
  void stop() override;

 private:
  WorkerThread<EndWorker> worker_;
};

}  // namespace vqas::app
