#include "node/trust/node_identity.h"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <QCryptographicHash>
#include <memory>
#include <system_error>

#include "signal/private_file.h"
#include "vqas/node/peers.h"
#include "vqas/signal/input_file.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

constexpr long kLifetime_s = 30L * 365 * 24 * 3600;
constexpr int kSerialBits = 127;

struct Free {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(BIGNUM* number) const { BN_free(number); }
  void operator()(X509_EXTENSION* extension) const { X509_EXTENSION_free(extension); }
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;

struct Pem {
  std::string key, certificate;
};

std::string text_of(BIO* bio) {
  char* data = nullptr;
  const long length = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(length)};
}

// Nothing if the library refuses, which happens only without memory or randomness.
std::optional<Pem> make_pem() {
  const Owned<EVP_PKEY> key(EVP_EC_gen("P-256"));
  const Owned<X509> certificate(X509_new());
  const Owned<BIGNUM> serial(BN_new());
  if (!key || !certificate || !serial) return std::nullopt;
  X509_set_version(certificate.get(), X509_VERSION_3);
  if (BN_rand(serial.get(), kSerialBits, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) != 1) return std::nullopt;
  BN_to_ASN1_INTEGER(serial.get(), X509_get_serialNumber(certificate.get()));
  // One day in the past: the peer's clock may differ.
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -24L * 3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kLifetime_s);
  X509_NAME* const name = X509_get_subject_name(certificate.get());
  const auto* const text = reinterpret_cast<const unsigned char*>("vqas node");
  if (X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0) != 1) return std::nullopt;
  // Programs that do not check fingerprints compare a name, and read it only from here (RFC 6125, 6.4.4).
  const Owned<X509_EXTENSION> names(X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "DNS:vqas-node"));
  if (!names || X509_add_ext(certificate.get(), names.get(), -1) != 1) return std::nullopt;
  if (X509_set_issuer_name(certificate.get(), name) != 1 || X509_set_pubkey(certificate.get(), key.get()) != 1 ||
      X509_sign(certificate.get(), key.get(), EVP_sha256()) == 0) {
    return std::nullopt;
  }
  const Owned<BIO> key_text(BIO_new(BIO_s_mem())), certificate_text(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1 ||
      PEM_write_bio_X509(certificate_text.get(), certificate.get()) != 1) {
    return std::nullopt;
  }
  return Pem{text_of(key_text.get()), text_of(certificate_text.get())};
}

constexpr FileKind kPem{"key or certificate", 1U << 20U,
                        "restore it, or remove tls-key.pem and tls-certificate.pem for a new identity, which every "
                        "peer must check again"};

}  // namespace

std::string fingerprint_of(const QSslCertificate& certificate) {
  return "sha256:" + certificate.digest(QCryptographicHash::Sha256).toHex().toStdString();
}

Result<NodeIdentity> node_identity(const fs::path& folder) {
  const fs::path key = folder / "tls-key.pem", certificate = folder / "tls-certificate.pem";
  std::error_code fault;
  // The certificate is written last: without it no peer has seen the key.
  if (!fs::exists(certificate, fault)) {
    fs::create_directories(folder, fault);
    if (fault) return Error{ErrorCode::io, fmt::format("cannot write {}: {}", folder.string(), fault.message())};
    const auto made = make_pem();
    if (!made)
      return Error{ErrorCode::io, "cannot make a key for TLS: the system's OpenSSL failed; check its installation"};
    if (const Status written = write_private_file(key, made->key); !written) return written.error();
    if (const Status written = write_private_file(certificate, made->certificate); !written) return written.error();
  }
  const auto key_text = read_private_file(key, kPem);
  if (!key_text) return key_text.error();
  const auto certificate_text = read_whole_file(certificate, kPem);
  if (!certificate_text) return certificate_text.error();
  NodeIdentity identity;
  identity.key = QSslKey(QByteArray::fromStdString(*key_text), QSsl::Ec);
  const auto certificates = QSslCertificate::fromData(QByteArray::fromStdString(*certificate_text));
  if (identity.key.isNull() || certificates.isEmpty()) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{} is damaged; {}", (identity.key.isNull() ? key : certificate).string(), kPem.cure)};
  }
  identity.certificate = certificates.front();
  identity.fingerprint = fingerprint_of(identity.certificate);
  return identity;
}

}  // namespace vqas
