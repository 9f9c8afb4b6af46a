#pragma once

#include <functional>
#include <optional>
#include <string>

#include "node/wire/wire_json.h"

namespace vqas::rpc {

/// Version of the methods and notifications; both sides must have the same.
inline constexpr int kProtocolVersion = 3;
/// Longest message that a node accepts, in bytes.
inline constexpr std::size_t kLongestMessage = 256 * 1024;

/// Error codes: those of JSON-RPC 2.0, then our own.
enum Code : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kUnknownMethod = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
  kHeld = -32001,        ///< another client holds the node
  kNoSession = -32002,   ///< session.open is required first
  kBusy = -32003,        ///< a round is under way
  kLineIsLost = -32004,  ///< the line is gone
  kNotFound = -32005,    ///< no such recording
  kTakenBack = -32006,   ///< an operator released the node from this session
  kNoToken = -32007,     ///< auth.token is required first, or the token is not valid here
  kTryAgain = -32008,    ///< the system cannot do it now; the client may try again
};

/// Why a call failed.
struct Fault {
  int code = kInternalError;
  std::string message;
};

/// The result of a method, or a fault.
struct Answer {
  Json result;
  std::optional<Fault> fault;
  static Answer failed(int code, std::string message) { return {Json(), Fault{code, std::move(message)}}; }
};
using Methods = std::function<Answer(const std::string& method, const Json& params)>;

/// Answers one message by calling `methods` at most once. For any message, returns a JSON-RPC response, or an empty
/// string where none is due (a notification). Re-entrant.
std::string respond(const std::string& message, const Methods& methods);

std::string request(std::uint64_t id, const std::string& method, const Json& params);
std::string notification(const std::string& method, const Json& params);

/// A message from a node to its controller.
struct Incoming {
  std::optional<std::uint64_t> id;  ///< of a response; none: a notification
  std::string method;               ///< of a notification
  Json content;                     ///< params or result
  std::optional<Fault> fault;       ///< of a response
};
/// Fails with protocol.
Result<Incoming> read_incoming(const std::string& message);

}  // namespace vqas::rpc
