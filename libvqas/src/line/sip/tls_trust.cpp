#include "line/sip/tls_trust.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

#include <array>

#include "line/sip/libre.h"

// Its declaration in re_tls.h wants this.
#define USE_OPENSSL
// clang-format off
extern "C" {
#include <re_srtp.h>
#include <re_tls.h>
}
// clang-format on

namespace vqas {
namespace {

std::string fingerprint_of(const X509* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (certificate == nullptr || X509_digest(certificate, EVP_sha256(), digest.data(), &size) != 1) return {};
  std::string text;
  for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", digest.at(i));
  return text;
}

int verified(X509_STORE_CTX* chain, void* trust) {
  auto& told = *static_cast<TlsTrust*>(trust);
  if (!told.pin.empty()) {
    const std::string found = fingerprint_of(X509_STORE_CTX_get0_cert(chain));
    told.fault =
        found == told.pin
            ? std::string()
            : fmt::format(
                  "the certificate of {} is refused: it has the SHA-256 {}, not that of pin; pin it only if the "
                  "server's administrator gives the same one",
                  told.host, found);
    return found == told.pin ? 1 : 0;
  }
  const int well = X509_verify_cert(chain);
  told.fault = well == 1 ? std::string()
                         : fmt::format("the certificate of {} is refused: {}", told.host,
                                       X509_verify_cert_error_string(X509_STORE_CTX_get_error(chain)));
  return well == 1 ? 1 : 0;
}

bool expects(SSL_CTX* settings, const std::string& host) {
  X509_VERIFY_PARAM* const wanted = SSL_CTX_get0_param(settings);
  return X509_VERIFY_PARAM_set1_ip_asc(wanted, host.c_str()) == 1 ||
         X509_VERIFY_PARAM_set1_host(wanted, host.c_str(), host.size()) == 1;
}

}  // namespace

Result<tls*> tls_with_trust(TlsTrust& trust, const std::string& ca) {
  tls* made = nullptr;
  if (tls_alloc(&made, TLS_METHOD_SSLV23, nullptr, nullptr) != 0)
    return Error{ErrorCode::unsupported, "the SIP library has no TLS on this system"};
  libre::Owned<tls> owner(made);
  SSL_CTX* const settings = tls_openssl_context(made);
  const bool trusted = !trust.pin.empty() ? true
                       : ca.empty()       ? SSL_CTX_set_default_verify_paths(settings) == 1
                                          : SSL_CTX_load_verify_locations(settings, ca.c_str(), nullptr) == 1;
  if (!trusted) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: no certificates of authorities can be read; give a PEM file by ca=FILE",
                             ca.empty() ? "the system's store" : ca)};
  }
  if ((trust.pin.empty() && !expects(settings, trust.host)) ||
      SSL_CTX_set_min_proto_version(settings, TLS1_2_VERSION) != 1)
    return Error{ErrorCode::unsupported, "OpenSSL refuses the settings of TLS"};
  SSL_CTX_set_verify(settings, SSL_VERIFY_PEER, nullptr);
  SSL_CTX_set_cert_verify_callback(settings, &verified, &trust);
  return owner.release();
}

}  // namespace vqas
