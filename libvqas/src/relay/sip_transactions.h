#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "relay/sip_message.h"
#include "relay/source_share.h"
#include "vqas/relay/live_control.h"

namespace vqas {

/// A program on the relay's machine may be called at 127.0.0.1 and answer from the relay's address, or the reverse, as
/// the system chooses. So these two addresses count as one.
struct SipHosts {
  SocketAddress self;
  std::uint32_t known_as(std::uint32_t host) const { return host == 0x7F000001 ? self.host : host; }
  bool same(std::uint32_t one, std::uint32_t other) const { return known_as(one) == known_as(other); }
};

/// A request that the relay forwarded, and what its repetitions and responses must match (IETF RFC 3261, clause 17).
struct SipTransaction {
  std::string key;  ///< of the request as received
  std::string method;
  std::string call_id;
  std::string branch;      ///< of the relay's own Via
  std::uint32_t source{};  ///< the host it came from
  SocketAddress back;      ///< destination of its responses (clause 18.2.2, RFC 3581)
  SocketAddress to;        ///< destination of the request
  std::string sent;        ///< as sent; empty once an INVITE has its final response
  std::string call;        ///< key of the call it belongs to; empty: none
  End side = End::a;       ///< side of that call that sent it
  bool rang = false;       ///< a provisional response came
  bool closed = false;     ///< the relay answered it itself; later responses are absorbed
  double ends_s = 0;
};

/// The open transactions. Times are given by the caller; for one thread.
class SipTransactions {
 public:
  /// 64 * T1: when an INVITE without any response ends (timer B), other requests (timer F), and the repetitions after a
  /// final response.
  static constexpr double kEnds_s = 32;
  /// Timer C: more than three minutes after the last provisional response (clauses 16.6 and 16.7).
  static constexpr double kRings_s = 200;
  /// Limit on the size of kept requests, each with kOverhead.
  static constexpr std::size_t kMostOctets = std::size_t{64} << 20U;

  explicit SipTransactions(const SipHosts& hosts);

  std::string key_of(const SipMessage& request, const SocketAddress& from) const {
    return key_of(request, from, request.method());
  }
  SipTransaction* find(const std::string& key);
  /// The transaction that a CANCEL or the ACK of a refusal belongs to (clauses 9.2 and 17.2.3), or null.
  SipTransaction* invitation(const SipMessage& request, const SocketAddress& from);
  /// The transaction that a response belongs to, if it comes from where the request was sent (clause 17.1.3); else
  /// null.
  SipTransaction* answered_by(const SipMessage& response, const SocketAddress& from);
  /// True if the request carries the Via of a forwarded one: another proxy, such as the phones' registrar, sent it back
  /// (a spiral, clause 16.3).
  bool came_by_here(const SipMessage& request) const;

  std::string new_branch();
  bool has_room(const SipTransaction& made) const { return share_.has_room(made.source, cost(made)); }
  SipTransaction& begin(SipTransaction made, double now_s);
  /// A response was forwarded.
  static void note_response(SipTransaction& transaction, int status, double now_s);
  /// Calls `unanswered` for each INVITE that never got a final response. Then forgets ended transactions.
  void expire(double now_s, const std::function<void(SipTransaction&)>& unanswered);

 private:
  static constexpr std::size_t kOverhead = 1024;
  static std::size_t cost(const SipTransaction& one) { return one.sent.size() + kOverhead; }
  std::string key_of(const SipMessage& request, const SocketAddress& from, const std::string& method) const;

  struct Kept {
    SipTransaction transaction;
    std::size_t cost;
  };
  SipHosts hosts_;
  std::map<std::string, Kept> by_key_;
  std::map<std::string, std::string> key_by_branch_;
  SourceShare share_{kMostOctets};
  std::uint64_t random_;
  std::uint64_t begun_ = 0;
};

}  // namespace vqas
