#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "relay/sip_message.h"
#include "relay/source_share.h"
#include "vqas/relay/live_control.h"

namespace vqas {

/// A program on the relay's own machine may be called by 127.0.0.1 and answer from the relay's address, or the other
/// way round: the system chooses. So these two count as one.
struct SipHosts {
  SocketAddress self;
  std::uint32_t known_as(std::uint32_t host) const { return host == 0x7F000001 ? self.host : host; }
  bool same(std::uint32_t one, std::uint32_t other) const { return known_as(one) == known_as(other); }
};

/// A request that the relay passed on, and what its repetitions and responses must match (IETF RFC 3261, clause 17).
struct SipTransaction {
  std::string key;  ///< of the request as it came
  std::string method;
  std::string call_id;
  std::string branch;      ///< of the relay's own Via
  std::uint32_t source{};  ///< the host that it came from
  SocketAddress back;      ///< where its responses go (clause 18.2.2, RFC 3581)
  SocketAddress to;        ///< where it was sent
  std::string sent;        ///< as it was sent; empty once an INVITE has its final response
  std::string call;        ///< key of the call in which it acts; empty: in none
  End side = End::a;       ///< of that call, who sent it
  bool rang = false;       ///< a provisional response came
  bool closed = false;     ///< the relay answered it in the end; what still comes is absorbed
  double ends_s = 0;
};

/// The transactions under way. Times come from outside; for one thread.
class SipTransactions {
 public:
  /// 64 * T1: an INVITE without any response is over (timer B), other requests too (timer F), and so are repetitions
  /// after the final response.
  static constexpr double kEnds_s = 32;
  /// Timer C, more than three minutes after the last provisional response (clauses 16.6 and 16.7).
  static constexpr double kRings_s = 200;
  /// Of requests kept, each with kOverhead.
  static constexpr std::size_t kMostOctets = std::size_t{64} << 20U;

  explicit SipTransactions(const SipHosts& hosts);

  std::string key_of(const SipMessage& request, const SocketAddress& from) const {
    return key_of(request, from, request.method());
  }
  SipTransaction* find(const std::string& key);
  /// What a CANCEL or the ACK of a refusal belongs to (clauses 9.2 and 17.2.3); null: nothing.
  SipTransaction* invitation(const SipMessage& request, const SocketAddress& from);
  /// What a response answers, if it comes from where the request was sent (clause 17.1.3); null: nothing.
  SipTransaction* answered_by(const SipMessage& response, const SocketAddress& from);
  /// True if the request carries the Via of one that the relay passed on: it comes back by another proxy, say the
  /// phones' registrar (a spiral, clause 16.3).
  bool came_by_here(const SipMessage& request) const;

  std::string new_branch();
  bool has_room(const SipTransaction& made) const { return share_.has_room(made.source, cost(made)); }
  SipTransaction& begin(SipTransaction made, double now_s);
  /// A response was passed on.
  static void note_response(SipTransaction& transaction, int status, double now_s);
  /// `unanswered` is told of each INVITE that never got a final response. Then forgets what is over.
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
