#include "line/sip/call_end.h"

#include <fmt/format.h>

#include <cerrno>

#include "line/socket.h"
#include "vqas/signal/plain_text.h"

namespace vqas {
namespace {

constexpr std::size_t kLongestReason = 120;

// The phrase of a response comes from the network.
std::string reason_of(const SipReply& reply) {
  if (reply.code == 0 && reply.reason.empty()) return system_error_text(reply.error);
  const std::string plain = plain_text(reply.reason);
  if (reply.code == 0) return plain;
  return plain.substr(0, whole_characters(plain.substr(0, kLongestReason)));
}

bool asks_for_credentials(int code) {
  return code == 401 || code == 407;
}

CallEnd wrong_password(const SipReply& reply, bool has_password, CallEndKind otherwise) {
  // libre's error for a digest that it cannot compute.
  if (reply.error == ENOSYS) return {otherwise, reply.code, "the digest that is asked for is not MD5"};
  // RFC 3261, 22: 401 comes from a registrar or the end that is called, 407 from a proxy between.
  const char* const who = reply.code == 407 ? "the proxy" : "the registrar or the other end";
  return {CallEndKind::wrong_password, reply.code,
          has_password ? fmt::format("{} refused the account", who)
                       : fmt::format("{} asks for an account, and this line was given none", who)};
}

std::string after_rejection(int code) {
  switch (code) {
    case 403:
      return "the account may not make this call: ask its administrator";
    case 404:
    case 484:
    case 604:
      return "the user is not known there: check \"dial\", and whether the other end is registered";
    case 415:
    case 488:
    case 606:
      return "the ends have no codec in common, or not the same \"srtp\": give a \"codec\" that both have";
    default:
      break;
  }
  if (code >= 500) return "the other end or a proxy is at fault: look at its log";
  return "look at the log of the other end and of the proxy";
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

std::string next_step(const CallEnd& end) {
  switch (end.kind) {
    case CallEndKind::busy:
      return "the other end has another call: end it there, or wait";
    case CallEndKind::declined:
      return "the other end does not take this call: let it take calls from this user";
    case CallEndKind::no_answer:
      return "let the other end answer, or raise \"ring_s\"";
    case CallEndKind::rejected:
      return after_rejection(end.code);
    case CallEndKind::unreachable:
      return "check host, port and \"transport\", and whether a firewall lets SIP through";
    case CallEndKind::wrong_password:
      return "give the right user and password in the file of \"account\"";
    case CallEndKind::registrar_lost:
      return "check that the registrar runs, host and port, and that it knows this user";
    case CallEndKind::hung_up:
      return "look at the other end and the PBX for who ended it, and for a limit on the length of calls";
    case CallEndKind::no_audio:
      break;
  }
  return "look at the addresses, at a firewall, and at the codec of the other end";
}

Error error_of(const CallEnd& end, const std::string& line, std::optional<double> answered_s) {
  const bool repeats = end.kind != CallEndKind::wrong_password;
  // A registrar is lost without a call, too.
  const bool failed = !answered_s && end.kind != CallEndKind::hung_up && end.kind != CallEndKind::no_audio &&
                      end.kind != CallEndKind::registrar_lost;
  std::string words = fmt::format("{}: {}{}", line, failed ? "the call was not made: " : "", in_words(end));
  if (answered_s) words += fmt::format(", {:.1f} s after the answer", *answered_s);
  return {repeats ? ErrorCode::line_lost : ErrorCode::bad_input, words + "; " + next_step(end)};
}

}  // namespace vqas
