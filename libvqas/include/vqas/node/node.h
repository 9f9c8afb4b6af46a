#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

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
  std::string line;                     ///< as open_line() takes it
  std::filesystem::path corpus;         ///< folder of the corpus
  std::filesystem::path data;           ///< recordings/ and node-journal.jsonl; made when missing
  std::string control = "127.0.0.1:0";  ///< HOST:PORT of the control socket, loopback only; port 0: a free one
  /// Delay of the line's own device, from its output to its input, as "vqas line calibrate" measures it; half of it is
  /// taken off each way.
  double device_delay_ms = 0;
  /// Takes what the controller has to say to whoever stands at this end: the call is gone (a sentence), or there again
  /// (empty). Called in the node's thread.
  std::function<void(const std::string& message)> tell_operator;
  /// Test aids. The sender waits before each transmission by a time that nobody else is told, uniform in 0..max.
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

  /// "ws://127.0.0.1:PORT"
  std::string address() const;

 private:
  struct Engine;
  explicit Node(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
