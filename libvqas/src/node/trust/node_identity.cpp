#include "node/trust/node_identity.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QCryptographicHash>
#include <cerrno>
#include <memory>
#include <system_error>

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

// Nothing when the library refuses, which it does only without memory or randomness.
std::optional<Pem> make_pem() {
  const Owned<EVP_PKEY> key(EVP_EC_gen("P-256"));
  const Owned<X509> certificate(X509_new());
  const Owned<BIGNUM> serial(BN_new());
  if (!key || !certificate || !serial) return std::nullopt;
  X509_set_version(certificate.get(), X509_VERSION_3);
  if (BN_rand(serial.get(), kSerialBits, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) != 1) return std::nullopt;
  BN_to_ASN1_INTEGER(serial.get(), X509_get_serialNumber(certificate.get()));
  // A day ago: the peer's clock need not agree.
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -24L * 3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kLifetime_s);
  X509_NAME* const name = X509_get_subject_name(certificate.get());
  const auto* const text = reinterpret_cast<const unsigned char*>("vqas node");
  if (X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0) != 1) return std::nullopt;
  // Programs that know no fingerprints compare a name, and take it from here alone (RFC 6125, 6.4.4).
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

Error cannot_write(const fs::path& path, int number) {
  return {ErrorCode::io, fmt::format("cannot write {}: {}", path.string(), std::generic_category().message(number))};
}

// Empty where it cannot be read, which is no key and no certificate.
QByteArray bytes_of(const fs::path& path) {
  constexpr std::uint64_t kMostBytes = 1U << 20U;
  const auto bytes = read_whole_file(path, {"key or certificate", kMostBytes, "restore it"});
  return bytes ? QByteArray::fromStdString(*bytes) : QByteArray();
}

}  // namespace

std::string fingerprint_of(const QSslCertificate& certificate) {
  return "sha256:" + certificate.digest(QCryptographicHash::Sha256).toHex().toStdString();
}

Status write_private_file(const fs::path& path, const std::string& content) {
  fs::path fresh = path;
  fresh += ".new";
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return cannot_write(path, errno);
  const auto failed = [&] {
    const int number = errno;
    ::close(file);
    ::unlink(fresh.c_str());
    return cannot_write(path, number);
  };
  // One that was left by a kill may have other rights.
  if (::fchmod(file, 0600) != 0) return failed();
  for (std::size_t written = 0; written < content.size();) {
    const ssize_t count = ::write(file, content.data() + written, content.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return failed();
    written += static_cast<std::size_t>(count);
  }
  if (::fsync(file) != 0) return failed();
  if (::rename(fresh.c_str(), path.c_str()) != 0) return failed();
  ::close(file);
  return success();
}

Status check_private_file(const fs::path& path) {
  constexpr mode_t kOfOthers = S_IRWXG | S_IRWXO;
  struct stat status {};
  // What is no file is refused by its reader, with another cure.
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || (status.st_mode & kOfOthers) == 0)
    return success();
  return Error{
      ErrorCode::bad_input,
      fmt::format("{} holds a secret, and its rights ({:04o}) let others use it; see who had it, then: chmod 600 "
                  "{}",
                  path.string(), status.st_mode & 07777U, path.string())};
}

Result<NodeIdentity> node_identity(const fs::path& folder) {
  const fs::path key = folder / "tls-key.pem", certificate = folder / "tls-certificate.pem";
  std::error_code fault;
  // The certificate is written last: without it nobody has seen the key.
  if (!fs::exists(certificate, fault)) {
    fs::create_directories(folder, fault);
    if (fault) return cannot_write(folder, fault.value());
    const auto made = make_pem();
    if (!made) return Error{ErrorCode::io, "cannot make a key for TLS: the system's OpenSSL refuses"};
    if (const Status written = write_private_file(key, made->key); !written) return written.error();
    if (const Status written = write_private_file(certificate, made->certificate); !written) return written.error();
  }
  if (const Status secret = check_private_file(key); !secret) return secret.error();
  NodeIdentity identity;
  identity.key = QSslKey(bytes_of(key), QSsl::Ec);
  const auto certificates = QSslCertificate::fromData(bytes_of(certificate));
  if (identity.key.isNull() || certificates.isEmpty()) {
    return Error{
        ErrorCode::bad_input,
        fmt::format("{} or {} is missing or damaged; restore it, or remove both for a new identity, which every "
                    "peer has to check again",
                    key.string(), certificate.string())};
  }
  identity.certificate = certificates.front();
  identity.fingerprint = fingerprint_of(identity.certificate);
  return identity;
}

}  // namespace vqas
