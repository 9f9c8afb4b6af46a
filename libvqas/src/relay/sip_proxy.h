#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "vqas/relay/rtp_relay.h"
#include "vqas/relay/sip.h"

namespace vqas {

/// What the proxy asks for when calls come and go.
struct SipMedia {
  /// Makes ports for a call: gives the number of the call and both `listen` addresses. Fails when there are none.
  std::function<Result<RelayedCallState>()> open;
  std::function<void(std::uint64_t call, End side, const SocketAddress& peer)> set_peer;
  std::function<void(std::uint64_t call)> close;
  /// How long no packet of RTP or RTCP has come from either side, in s.
  std::function<double(std::uint64_t call)> silent_s;
  /// Told what was refused or abandoned and why, one sentence without its dot, for people.
  std::function<void(const std::string& what)> say;
};

/// A SIP proxy between ordinary phones that puts the relay into the path of their voice: it forwards requests and
/// responses by IETF RFC 3261, clause 16, stays in the path of a call by Record-Route, and points the audio of each
/// session description (RFC 8866, RFC 3264) at the relay. It knows the transactions that it forwarded, so that only
/// what belongs to them or to a call's dialogue has an effect (relay-sip.md); it repeats
/// nothing by itself, that is left to the phones. It also takes registrations, without passwords: a laboratory's means
/// to let two phones find each other. Times come from outside; for one thread. Any octets whatever may come in.
class SipProxy {
 public:
  /// Of one address at most four fifths. While all are taken, an unanswered call of the address with most of them gives
  /// way to one of an address with fewer.
  static constexpr std::size_t kMostCalls = 500;
  static constexpr std::size_t kMostRegistrations = 1000;

  SipProxy(SipOptions options, SipMedia media);
  ~SipProxy();
  SipProxy(const SipProxy&) = delete;
  SipProxy& operator=(const SipProxy&) = delete;

  struct Outgoing {
    std::string text;
    SocketAddress to;
  };
  /// A datagram that came `from` there at `now_s`; gives what is to be sent.
  std::vector<Outgoing> take(std::string_view datagram, const SocketAddress& from, double now_s);
  /// Ends calls whose time has come: a while after BYE, CANCEL or a refusal; 32 s after an INVITE without any response
  /// (timer B) and 200 s after the last provisional one (timer C); or when nothing more is heard of them. Forgets
  /// registrations that are over. Gives what is to be sent. To be called about twice a second.
  std::vector<Outgoing> expire(double now_s);

  SipCounters counters() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vqas
