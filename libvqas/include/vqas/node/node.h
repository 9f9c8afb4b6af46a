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

/// A signal that a node sends instead of the requested one: a test aid for the receiver.
struct Substitution {
  enum class Part { none, speech, all };
  Part part = Part::none;  ///< nothing, the speech between good marks, or the whole transmission with its marks
  Signal signal;           ///< at 8 kHz; cut or padded with silence to the length of the replaced part
};

struct NodeOptions {
  End end = End::a;
  std::string line;              ///< as open_line() takes it
  std::filesystem::path corpus;  ///< folder of the corpus
  std::filesystem::path data;    ///< recordings/ and node-journal.jsonl; created when missing
  /// How long another node may still hold `data` when this one starts, in s: the nodes of a killed program end a moment
  /// after it.
  double data_patience_s = 0;
  /// HOST:PORT of the control socket; port 0: a free one. Addresses other than loopback require TLS and a token of
  /// `data` (NodeTokens).
  std::string control = "127.0.0.1:0";
  bool tls = false;  ///< TLS and tokens on loopback too
  /// Origins of web pages that may connect to the control socket, "https://bench.example:8443"; no others may.
  std::vector<std::string> allowed_origins;
  /// HOST:PORT for HTTP metrics for Prometheus; empty: none. Open on loopback; at any other address, and with `tls`,
  /// over TLS and with a token of `data` ("Authorization: Bearer TOKEN").
  std::string metrics;
  /// Messages for people at the node: refused clients, expired leases. Called from the node's thread.
  std::function<void(const std::string&)> log;
  /// Delay of the line's own device, from its output to its input, as measured by "vqas line calibrate"; half of it is
  /// subtracted each way. Nothing: not measured, and a sound device's delay is reported as part of the line's.
  std::optional<double> device_delay_ms;
  /// Set if the machine's real-time clock follows a common one. If both ends' clocks do, a one-way delay is the
  /// difference of the two.
  std::optional<ClockState> clock;
  /// Receives the controller's messages for the operator at this end, one sentence: the call is lost, is back, or has a
  /// different level. Called in the node's thread.
  std::function<void(const std::string& message)> tell_operator;
  /// Test aids. Opens the line instead of `line`'s name.
  std::function<Result<std::unique_ptr<Line>>(End)> open_line;
  /// The sender waits before each transmission for a time unknown to others, uniform in 0..max.
  double max_send_delay_s = 0;
  std::uint64_t seed = 1;  ///< of these waits
  Substitution substitution;
};

/// One end of a line as a service: plays and listens on one thread, scores on another, and takes commands on a control
/// socket (protocol.md). Lives in one thread with a Qt event loop.
class Node : public QObject {
  Q_OBJECT
 public:
  /// Reads the corpus, opens the line, listens. Fails with bad_input, unsupported, line_lost or io; the message names
  /// the option.
  static Result<std::unique_ptr<Node>> start(const NodeOptions& options);
  ~Node() override;

  /// "ws://127.0.0.1:PORT", "wss://…" with TLS
  std::string address() const;
  /// "http://127.0.0.1:PORT/metrics", "https://…" with TLS; empty without metrics.
  std::string metrics_address() const;
  /// Of the certificate, "sha256:…"; empty without TLS.
  std::string fingerprint() const;
  /// Ends the holder's session; false if there is none.
  bool release();

 private:
  struct Engine;
  explicit Node(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
