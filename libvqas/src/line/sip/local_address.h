#pragma once

#include "line/sip/sip_name.h"

namespace vqas {

/// Address and port at which a line takes SIP: "listen", else the address by which this machine reaches the proxy, the
/// registrar or the other end, with a port chosen by the system. An end that answers calls directly listens at its own
/// address, at port 5060 if it names none. Resolving names may take seconds. Fails with bad_input.
Result<SocketAddress> local_address(const SipLineOptions& line, bool has_account);

}  // namespace vqas
