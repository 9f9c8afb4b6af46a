#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// The suites of RFC 4568, 6.2. Both encrypt by AES-128 in counter mode; RTP has a tag of 80 or 32 bits, RTCP of 80.
enum class SrtpSuite : std::uint8_t { aes_cm_128_hmac_sha1_80, aes_cm_128_hmac_sha1_32 };

/// A master key and salt. A secret: it must not reach a log or a result.
struct SrtpKey {
  SrtpSuite suite = SrtpSuite::aes_cm_128_hmac_sha1_80;
  std::array<std::uint8_t, 30> octets{};
  bool operator==(const SrtpKey&) const = default;
};
/// Fails with io when the system has no random numbers.
Result<SrtpKey> draw_srtp_key(SrtpSuite suite);

/// The keys of a call: each end chooses that of what it sends.
struct SrtpKeys {
  SrtpKey ours, theirs;
  bool operator==(const SrtpKeys&) const = default;
};

/// Protects what is sent and checks what comes: RFC 3711 by libsrtp. For one thread.
class Srtp {
 public:
  /// Fails with unsupported when the library refuses.
  static Result<Srtp> create(const SrtpKeys& keys);

  /// Takes other keys. A direction whose key stays keeps its counters: with counters begun anew, packets would be
  /// encrypted as earlier ones were (RFC 3711, clause 9.1). Fails with unsupported when the library refuses.
  Status change(const SrtpKeys& keys);

  /// The packet, encrypted and with its tag; valid until the next call. Empty: the library refuses.
  std::span<const std::uint8_t> protect(std::span<const std::uint8_t> packet);
  std::span<const std::uint8_t> protect_rtcp(std::span<const std::uint8_t> packet);
  /// The packet, decrypted and without the tag; valid until the next call. Empty: it is not of the other end, was
  /// changed on the way, came before, or is no such packet. Accepts arbitrary octets.
  std::span<const std::uint8_t> unprotect(std::span<const std::uint8_t> packet);
  std::span<const std::uint8_t> unprotect_rtcp(std::span<const std::uint8_t> packet);

 private:
  struct Sessions;
  struct Release {
    void operator()(Sessions* sessions) const;
  };
  using Change = int (*)(Sessions&, void* packet, int* size);
  std::span<const std::uint8_t> changed(std::span<const std::uint8_t> packet, Change change);
  explicit Srtp(std::unique_ptr<Sessions, Release> sessions) : sessions_(std::move(sessions)) {}

  std::unique_ptr<Sessions, Release> sessions_;
  std::vector<std::uint8_t> room_;
};

}  // namespace vqas
