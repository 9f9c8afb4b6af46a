#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <string>

#include "vqas/node/controller.h"
#include "vqas/signal/end.h"

namespace vqas {

/// What a node says of itself, and how far away it is.
struct NodeSighting {
  End end = End::a;
  std::string line;              ///< its line's name, as its operator gave it
  std::string equipment;         ///< what is connected, in words; may be empty
  std::string software_version;  ///< of VQAS there
  std::string held_by;           ///< the controller that uses it now; empty: it is free
  double round_trip_ms = 0;      ///< of the last question and its answer, over the control link
};

/// Why a node cannot be watched. A closed list.
enum class NodeFault {
  unreachable,        ///< nothing answers at the address
  wrong_certificate,  ///< another one than the trusted one: another program may answer in its place
  token_refused,      ///< it requires a token, and got none or a wrong one
  no_node,            ///< something else than a node of this release answers
  gone,               ///< it was there, and does not answer any more
};

/// Asks a node every second who holds it, without holding it itself. Lives in one thread with a Qt event loop; the
/// node's own thread will do.
class NodeWatch : public QObject {
  Q_OBJECT
 public:
  /// `address` is "ws://…", or "wss://…" with the access that belongs to it.
  NodeWatch(const std::string& address, NodeAccess access, QObject* parent = nullptr);
  ~NodeWatch() override;

  /// Once; seen() or lost() follow.
  void start();

 signals:
  void seen(vqas::NodeSighting node);
  /// The last one: `why` says what happened and what to do, without a full stop.
  void lost(vqas::NodeFault fault, QString why);

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
