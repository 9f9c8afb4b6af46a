#pragma once

#include <functional>
#include <optional>
#include <string>

#include "line/sip/sip_name.h"

namespace vqas {

/// Who a registrar or a proxy is told this end to be, by digest (RFC 3261, 22). The password is never written to a log,
/// a message or a result, and is no part of SipLineOptions, which are.
struct SipAccount {
  std::string user, password;
};

using ReadVariable = std::function<const char*(const char* name)>;

/// The account of a line: from the file that its name gives, else from VQAS_SIP_USER and VQAS_SIP_PASSWORD, else none.
/// Without a user the line's own is taken. The file has the lines "user = NAME" and "password = TEXT" ("#" begins a
/// comment line) and must be readable for its owner alone. Fails with bad_input or io; no message repeats a line of the
/// file.
Result<std::optional<SipAccount>> sip_account(const SipLineOptions& line, const ReadVariable& variable);

}  // namespace vqas
