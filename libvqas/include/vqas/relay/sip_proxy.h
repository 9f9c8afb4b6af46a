#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "vqas/relay/rtp_relay.h"

namespace vqas {

/// What the proxy asks for when calls come and go.
struct SipMedia {
  /// Makes ports for a call: gives the number of the call and both `listen` addresses. Fails when there are none.
  std::function<Result<RelayedCallState>()> open;
  std::function<void(std::uint64_t call, Side side, const SocketAddress& peer)> set_peer;
  std::function<void(std::uint64_t call)> close;
  /// How long no packet of RTP or RTCP has come from either side, in s.
  std::function<double(std::uint64_t call)> silent_s;
  /// Told what was refused or given up and why, one sentence without its dot, for people.
  std::function<void(const std::string& what)> say;
};

struct SipOptions {
  SocketAddress self;  ///< where phones reach the relay
  /// Phones that do not register, by the user's name.
  std::map<std::string, SocketAddress> phones;
  /// A call whose BYE never comes ends after so long without a packet and without a message of SIP, 10..86400.
  double call_timeout_s = 300;
};

/// A SIP proxy between ordinary phones that puts the relay into the path of their voice: it forwards requests and
/// responses by IETF RFC 3261, clause 16, without transactions of its own (16.11), stays in the path of a call by
/// Record-Route, and points the audio of each session description (RFC 8866, RFC 3264) at the relay. It also takes
/// registrations, without passwords: a laboratory's means to let two phones find each other. Times come from outside;
/// for one thread. Any octets whatever may come in: what is no SIP is counted and dropped.
class SipProxy {
 public:
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
  /// Ends calls whose time has come: a while after BYE, CANCEL or a refusal, when never answered, or when nothing more
  /// is heard of them. Forgets registrations that are over. To be called about twice a second.
  void expire(double now_s);

  std::uint64_t dropped() const;  ///< datagrams that made no sense
  std::size_t calls() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vqas
