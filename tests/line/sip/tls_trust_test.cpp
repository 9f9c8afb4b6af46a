#include "line/sip/tls_trust.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <array>
#include <memory>

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

using ::testing::HasSubstr;

struct Free {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(SSL_CTX* settings) const { SSL_CTX_free(settings); }
  void operator()(SSL* end) const { SSL_free(end); }
};

/// A server with a certificate that it signed itself.
class Server {
 public:
  Server() : key_(EVP_EC_gen("P-256")), certificate_(X509_new()), settings_(SSL_CTX_new(TLS_server_method())) {
    X509_set_version(certificate_.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate_.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate_.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate_.get()), 3600);
    X509_set_pubkey(certificate_.get(), key_.get());
    X509_sign(certificate_.get(), key_.get(), EVP_sha256());
    SSL_CTX_use_certificate(settings_.get(), certificate_.get());
    SSL_CTX_use_PrivateKey(settings_.get(), key_.get());
  }
  std::string fingerprint() const {
    std::array<unsigned char, 32> digest{};
    X509_digest(certificate_.get(), EVP_sha256(), digest.data(), nullptr);
    std::string text;
    for (const unsigned char one : digest) {
      for (const int digit : {one >> 4, one & 15}) text += "0123456789abcdef"[digit];
    }
    return text;
  }
  /// Whether a client with this trust completes the handshake, in memory.
  bool meets(TlsTrust& trust) const {
    const auto made = tls_with_trust(trust, "");
    EXPECT_TRUE(made) << made.error().message;
    if (!made) return false;
    const libre::Owned<tls> owner(*made);
    const std::unique_ptr<SSL, Free> client(SSL_new(tls_openssl_context(*made))), server(SSL_new(settings_.get()));
    BIO *near = nullptr, *far = nullptr;
    BIO_new_bio_pair(&near, 0, &far, 0);
    SSL_set_bio(client.get(), near, near);
    SSL_set_bio(server.get(), far, far);
    SSL_set_connect_state(client.get());
    SSL_set_accept_state(server.get());
    for (int turn = 0; turn < 10; ++turn) {
      SSL_do_handshake(client.get());
      SSL_do_handshake(server.get());
    }
    return SSL_is_init_finished(client.get()) == 1;
  }

 private:
  std::unique_ptr<EVP_PKEY, Free> key_;
  std::unique_ptr<X509, Free> certificate_;
  std::unique_ptr<SSL_CTX, Free> settings_;
};

TEST(TlsTrust, ACertificateThatIsPinnedNeedsNoAuthority) {
  const Server server;
  TlsTrust trust{"pbx.example", server.fingerprint(), ""};
  EXPECT_TRUE(server.meets(trust));
  EXPECT_EQ(trust.fault, "");
}

TEST(TlsTrust, AnotherCertificateThanThePinnedOneIsRefusedAndItsDigestIsTold) {
  const Server server, other;
  TlsTrust trust{"pbx.example", other.fingerprint(), ""};
  EXPECT_FALSE(server.meets(trust));
  EXPECT_THAT(trust.fault,
              HasSubstr("the certificate of pbx.example is refused: it has the SHA-256 " + server.fingerprint()));
}

TEST(TlsTrust, WithoutAPinACertificateOfNoAuthorityIsRefused) {
  const Server server;
  TlsTrust trust{"pbx.example", "", ""};
  EXPECT_FALSE(server.meets(trust));
  EXPECT_THAT(trust.fault, HasSubstr("the certificate of pbx.example is refused: "));
}

}  // namespace
}  // namespace vqas
