#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "vqas/relay/rtp_relay.h"
#include "vqas/relay/sip.h"

namespace vqas {

/// What the proxy needs from the relay of voice.
struct SipMedia {
  /// Opens the ports of a call: returns its number and both `listen` addresses. Fails when there are no ports.
  std::function<Result<RelayedCallState>()> open;
  std::function<void(std::uint64_t call, End side, const SocketAddress& peer)> set_peer;
  std::function<void(std::uint64_t call)> close;
  /// Time since the last RTP or RTCP packet of either side, in s.
  std::function<double(std::uint64_t call)> silent_s;
  /// Reports to people what was refused or ended and why, in one sentence without a full stop.
  std::function<void(const std::string& what)> say;
};

/// A SIP proxy between ordinary phones that puts the relay into the path of their voice. It forwards requests and
/// responses by IETF RFC 3261, clause 16, stays in the path of a call by Record-Route, and points the audio of each
/// session description (RFC 8866, RFC 3264) at the relay. It remembers forwarded transactions: only messages that
/// belong to them or to a call's dialogue have an effect (relay-sip.md). It repeats
/// nothing itself; phones do that. It accepts registrations without passwords, so that two phones in a laboratory can
/// find each other. Times are given by the caller; for one thread. Input may be any octets.
class SipProxy {
 public:
  /// One address gets at most four fifths. When all places are taken, an unanswered call of the address with the most
  /// calls makes room for a call from an address with fewer.
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
  /// Handles a datagram that came `from` there at `now_s`; returns what to send.
  std::vector<Outgoing> take(std::string_view datagram, const SocketAddress& from, double now_s);
  /// Ends calls when due: shortly after BYE, CANCEL or a refusal; 32 s after an INVITE without any response (timer B);
  /// 200 s after the last provisional response (timer C); or when neither packets nor messages arrive. Removes expired
  /// registrations. Returns what to send. Call it about twice a second.
  std::vector<Outgoing> expire(double now_s);

  SipCounters counters() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vqas
