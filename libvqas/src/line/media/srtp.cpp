#include "line/media/srtp.h"

#include <openssl/rand.h>
#include <srtp2/srtp.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace vqas {
namespace {

// Packets, 20 s: what is behind the newest by less than this is told from what came before. RtpSources::kBehind.
constexpr unsigned long kWindow = 1024;

// libsrtp's own state is of the process.
bool starts() {
  static const bool works = srtp_init() == srtp_err_status_ok;
  return works;
}

srtp_t session(const SrtpKey& key, srtp_ssrc_type_t direction) {
  srtp_policy_t policy{};
  if (key.suite == SrtpSuite::aes_cm_128_hmac_sha1_32) {
    srtp_crypto_policy_set_aes_cm_128_hmac_sha1_32(&policy.rtp);
  } else {
    srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80(&policy.rtp);
  }
  srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80(&policy.rtcp);
  policy.ssrc.type = direction;
  std::array<std::uint8_t, 30> octets = key.octets;
  policy.key = octets.data();
  policy.window_size = kWindow;
  srtp_t made = nullptr;
  return srtp_create(&made, &policy) == srtp_err_status_ok ? made : nullptr;
}

}  // namespace

struct Srtp::Sessions {
  SrtpKeys keys;
  srtp_t sent = nullptr, heard = nullptr;
};

void Srtp::Release::operator()(Sessions* sessions) const {
  if (sessions->sent != nullptr) srtp_dealloc(sessions->sent);
  if (sessions->heard != nullptr) srtp_dealloc(sessions->heard);
  delete sessions;
}

Status Srtp::change(const SrtpKeys& keys) {
  const auto renew = [](srtp_t& one, const SrtpKey& key, SrtpKey& before, srtp_ssrc_type_t direction) {
    if (one != nullptr && key == before) return true;
    if (one != nullptr) srtp_dealloc(one);
    one = session(key, direction);
    before = key;
    return one != nullptr;
  };
  if (starts() && renew(sessions_->sent, keys.ours, sessions_->keys.ours, ssrc_any_outbound) &&
      renew(sessions_->heard, keys.theirs, sessions_->keys.theirs, ssrc_any_inbound))
    return success();
  return Error{ErrorCode::unsupported, "the SRTP library refuses its keys"};
}

Result<SrtpKey> draw_srtp_key(SrtpSuite suite) {
  SrtpKey key{suite};
  if (RAND_bytes(key.octets.data(), static_cast<int>(key.octets.size())) != 1)
    return Error{ErrorCode::io, "the system has no random numbers for a key"};
  return key;
}

Result<Srtp> Srtp::create(const SrtpKeys& keys) {
  Srtp made(std::unique_ptr<Sessions, Release>(new Sessions));
  if (const Status keyed = made.change(keys); !keyed) return keyed.error();
  return made;
}

// In memory of its own, which has room for the tag and the alignment that the library asks for.
std::span<const std::uint8_t> Srtp::changed(std::span<const std::uint8_t> packet, Change by) {
  constexpr std::size_t kIndex = 4;  // octets, behind RTCP
  room_.resize(packet.size() + SRTP_MAX_TRAILER_LEN + kIndex);
  std::ranges::copy(packet, room_.begin());
  auto size = static_cast<int>(packet.size());
  if (by(*sessions_, room_.data(), &size) != srtp_err_status_ok) return {};
  return std::span(room_).first(static_cast<std::size_t>(size));
}

std::span<const std::uint8_t> Srtp::protect(std::span<const std::uint8_t> packet) {
  return changed(packet,
                 [](Sessions& with, void* octets, int* size) -> int { return srtp_protect(with.sent, octets, size); });
}

std::span<const std::uint8_t> Srtp::protect_rtcp(std::span<const std::uint8_t> packet) {
  return changed(packet, [](Sessions& with, void* octets, int* size) -> int {
    return srtp_protect_rtcp(with.sent, octets, size);
  });
}

std::span<const std::uint8_t> Srtp::unprotect(std::span<const std::uint8_t> packet) {
  return changed(
      packet, [](Sessions& with, void* octets, int* size) -> int { return srtp_unprotect(with.heard, octets, size); });
}

std::span<const std::uint8_t> Srtp::unprotect_rtcp(std::span<const std::uint8_t> packet) {
  return changed(packet, [](Sessions& with, void* octets, int* size) -> int {
    return srtp_unprotect_rtcp(with.heard, octets, size);
  });
}

}  // namespace vqas
