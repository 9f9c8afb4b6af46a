#pragma once

#include <string>

#include "vqas/signal/result.h"

struct tls;

namespace vqas {

/// TLS towards one server. Its certificate must be the one with the SHA-256 `pin`, of any authority; or, where that is
/// empty, be of `host` and signed by an authority of the file `ca`, or of the system where that is empty too. libre
/// itself checks no certificate.
struct TlsTrust {
  std::string host;   ///< a name or an IPv4 address
  std::string pin;    ///< 64 hexadecimal digits in small letters
  std::string fault;  ///< why the last certificate was refused; empty: it was not
};

/// The settings for sip_transp_add(); released by mem_deref(). `trust` must outlive them. TLS 1.2 or later. Fails with
/// bad_input when the file cannot be used.
Result<tls*> tls_with_trust(TlsTrust& trust, const std::string& ca);

}  // namespace vqas
