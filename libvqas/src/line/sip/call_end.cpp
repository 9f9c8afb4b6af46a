#include "line/sip/call_end.h"

#include <fmt/format.h>

#include <cerrno>

#include "line/socket.h"
#include "vqas/signal/plain_text.h"

namespace vqas {
namespace {

constexpr std::size_t kLongestReason = 120;

// The phrase comes from the network.
std::string reason_of(const SipReply& reply) {
  if (reply.code == 0 && reply.reason.empty()) return system_error_text(reply.error);
  const std::string plain = plain_text(reply.reason);
  return plain.substr(0, whole_characters(plain.substr(0, kLongestReason)));
}

bool asks_for_credentials(int code) {
  return code == 401 || code == 407;
}

CallEnd wrong_password(const SipReply& reply, bool has_password, CallEndKind otherwise) {
  // libre's error for a digest that it cannot compute.
  if (reply.error == ENOSYS) return {otherwise, reply.code, "the digest that is asked for is not MD5"};
  return {CallEndKind::wrong_password, reply.code,
          has_password ? "the account was refused: check user and password"
                       : "an account is asked for, and the line has none: give account=FILE"};
}

}  // namespace

const char* name_of(CallEndKind kind) {
  switch (kind) {
    case CallEndKind::busy:
      return "busy";
    case CallEndKind::declined:
      return "declined";
    case CallEndKind::no_answer:
      return "no answer";
    case CallEndKind::rejected:
      return "rejected";
    case CallEndKind::unreachable:
      return "unreachable";
    case CallEndKind::wrong_password:
      return "wrong password";
    case CallEndKind::registrar_lost:
      return "registrar lost";
    case CallEndKind::hung_up:
      return "hung up";
    case CallEndKind::no_audio:
      break;
  }
  return "no audio";
}

CallEnd end_of_invite(const SipReply& reply, bool rang, bool has_password) {
  const auto as = [&](CallEndKind kind) { return CallEnd{kind, reply.code, reason_of(reply)}; };
  if (asks_for_credentials(reply.code)) return wrong_password(reply, has_password, CallEndKind::rejected);
  switch (reply.code) {
    case 0:
      return as(CallEndKind::unreachable);
    case 486:
    case 600:
      return as(CallEndKind::busy);
    case 603:
      return as(CallEndKind::declined);
    case 408:
    case 480:
    case 487:
      return as(rang ? CallEndKind::no_answer : CallEndKind::rejected);
    default:
      return as(CallEndKind::rejected);
  }
}

CallEnd end_of_registration(const SipReply& reply, bool has_password) {
  if (asks_for_credentials(reply.code)) return wrong_password(reply, has_password, CallEndKind::registrar_lost);
  return {CallEndKind::registrar_lost, reply.code, reason_of(reply)};
}

std::string in_words(const CallEnd& end) {
  std::string words = name_of(end.kind);
  if (end.code != 0) return words + fmt::format(" ({}{}{})", end.code, end.reason.empty() ? "" : " ", end.reason);
  return end.reason.empty() ? words : words + fmt::format(" ({})", end.reason);
}

Error error_of(const CallEnd& end, const std::string& line) {
  const bool repeats = end.kind != CallEndKind::wrong_password;
  return {repeats ? ErrorCode::line_lost : ErrorCode::bad_input, fmt::format("{}: {}", line, in_words(end))};
}

}  // namespace vqas
