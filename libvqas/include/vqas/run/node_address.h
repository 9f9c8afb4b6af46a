#pragma once

#include <string>

#include "vqas/signal/result.h"

namespace vqas {

/// Whether `address` has the form of a node's address, "ws://HOST:PORT" or "wss://HOST:PORT", with or without a "/" at
/// its end. Fails with bad_input; `end`, "a" or "b", is for the message. Does not connect. Re-entrant.
Status check_node_address(const std::string& end, const std::string& address);

}  // namespace vqas
