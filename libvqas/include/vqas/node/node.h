#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vqas/line/line.h"
#include "vqas/run/run.h"
#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"
#include "vqas/sync/mark.h"

namespace vqas {

/// What a node sends in place of what it was asked for: a test aid that shows what the receiver makes of it.
struct Substitution {
  enum class Part { none, speech, all };
  Part part = Part::none;  ///< nothing, the speech between good marks, or the whole transmission with its marks
  Signal signal;           ///< at 8 kHz; cut or filled with silence to the length of what it replaces
};

struct NodeOptions {
  End end = End::a;
  std::string line;              ///< as open_line() takes it
  std::filesystem::path corpus;  ///< folder of the corpus
  std::filesystem::path data;    ///< recordings/ and node-journal.jsonl; made when missing
  /// HOST:PORT of the control socket; port 0: a free one. Other addresses than loopback are served by TLS alone, and
  /// ask for a token of `data` (NodeTokens).
  std::string control = "127.0.0.1:0";
  bool tls = false;  ///< TLS and tokens on loopback too
  /// Web pages that may connect to the control socket, by their origin, "https://bench.example:8443"; no others may.
  std::vector<std::string> allowed_origins;
  /// HOST:PORT at which HTTP gives figures for Prometheus; empty: nowhere. To whoever asks on loopback; at any other
  /// address, and with `tls`, over TLS and for a token of `data` ("Authorization: Bearer TOKEN").
  std::string metrics;
  /// What people at the node should know: who was refused, whose lease expired. Called from the node's thread.
  std::function<void(const std::string&)> log;
  /// Delay of the line's own device, from its output to its input, as "vqas line calibrate" measures it; half of it is
  /// taken off each way. Nothing: it was not measured, and a sound device's delay is told as part of the line's.
  std::optional<double> device_delay_ms;
  /// Set where the machine's real-time clock follows a common one. Where both ends' do, a one-way delay is the
  /// difference of the two clocks.
  std::optional<ClockState> clock;
  /// Takes what the controller has to say to whoever stands at this end, a sentence: the call is gone, is there again,
  /// or has another level than before. Called in the node's thread.
  std::function<void(const std::string& message)> tell_operator;
  /// Test aids. Opens the line in place of `line`'s name.
  std::function<Result<std::unique_ptr<Line>>(End)> open_line;
  /// The sender waits before each transmission by a time that nobody else is told, uniform in 0..max.
  double max_send_delay_s = 0;
  std::uint64_t seed = 1;  ///< of these waits
  Substitution substitution;
};

/// One end of a line as a service: plays and hears on a thread of its own, scores on another, and takes commands on a
/// control socket (protocol.md). Lives in one thread with a Qt event loop.
class Node : public QObject {
  Q_OBJECT
 public:
  /// Reads the corpus, opens the line, listens. Fails with bad_input, unsupported, line_lost or io; the message names
  /// the option.
  static Result<std::unique_ptr<Node>> start(const NodeOptions& options);
  ~Node() override;

  /// "ws://127.0.0.1:PORT", "wss://…" where it speaks TLS
  std::string address() const;
  /// "http://127.0.0.1:PORT/metrics", "https://…" where it speaks TLS; empty without metrics.
  std::string metrics_address() const;
  /// Of the certificate, "sha256:…"; empty without TLS.
  std::string fingerprint() const;
  /// Takes the node back from whoever holds it; false when nobody does.
  bool release();

 private:
  struct Engine;
  explicit Node(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
