#pragma once

#include <functional>
#include <memory>
#include <string>

#include "node/rpc.h"

namespace vqas {

/// Carries JSON-RPC over WebSocket for whoever has methods: the server's side of protocol.md. Lives in one thread with
/// a Qt event loop, where all calls come.
class ControlServer {
 public:
  struct Events {
    std::function<rpc::Answer(int connection, const std::string& method, const Json& params)> call;
    std::function<void(int connection)> disconnected;  ///< may be empty
  };
  /// `address` is HOST:PORT, loopback only; port 0: a free one. `name` tells people whose socket it is. Fails with
  /// bad_input or io; the message names the option --control.
  static Result<std::unique_ptr<ControlServer>> listen(const std::string& address, const std::string& name,
                                                       Events events);
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  /// To one connection; nothing happens if it is gone or the message is empty.
  void send(int connection, const std::string& message);
  /// "ws://127.0.0.1:PORT"
  std::string address() const;

 private:
  struct Engine;
  explicit ControlServer(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
