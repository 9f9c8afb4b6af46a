#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vqas/line/address.h"
#include "vqas/line/line.h"

namespace vqas {

/// An entry of a trace of the signalling, and the Call-ID of its message.
struct SipTraced {
  std::string call_id, text;
  bool invited = false;    ///< an INVITE that was received
  bool registers = false;  ///< a REGISTER that was sent
};

/// A SIP message as an entry of a trace: a line with the time (UTC), the direction, the transport and the other end's
/// address; then the message, each line indented by four blanks, so that no message can pretend to be an entry. The
/// values of Authorization, Proxy-Authorization, Authentication-Info and Proxy-Authentication-Info, also as parameters
/// of an address, keys of SRTP (a=crypto, a=key-mgmt, k=), a=ice-pwd, passwords in addresses of any scheme, and bodies
/// other than SDP are blanked. Control characters become blanks. Re-entrant.
SipTraced sip_trace_entry(double utc_s, bool sent, const char* transport, const SocketAddress& other,
                          std::string_view message);

/// How much a trace may grow: so much at once, and then slowly. A far end decides how many messages come, and must not
/// fill memories and disks of three programs with them.
class TraceBudget {
 public:
  static constexpr double kAtOnce = 128 * 1024;  ///< octets: some hundred messages
  static constexpr double kPerSecond = 256;      ///< octets: keep-alives of a PBX, and renewals of registrations

  /// What is written for an entry of one message at this time, by any clock: the entry; or nothing, where it does not
  /// fit; and a line that counts those left out, at the first, second, fourth, eighth, … and before the next entry.
  std::string admit(std::int64_t now_ns, const std::string& entry);
  /// Moves what was admitted for these octets to the budget `to`.
  void hand_over(std::size_t octets, TraceBudget& to);

 private:
  double room_ = kAtOnce;
  std::int64_t last_ns_ = 0;
  std::uint64_t left_out_ = 0;  // since an entry fitted
};

/// Sorts the entries of a trace by call, and limits them: each call has a budget of its own, and the messages of no
/// call share one, so that strangers do not hide a call. Calls that came in and are not confirmed share one too: anyone
/// can begin such calls. The registration has its own. For one thread.
class TraceByCall {
 public:
  using Keep = std::function<void(std::uint32_t call, const std::string& text)>;
  /// `keep` gets what is to be written, in the order of the messages; call 0: of no call, such as registrations.
  explicit TraceByCall(Keep keep) : keep_(std::move(keep)) {}

  /// Messages with this Call-ID belong to the call, which this end has begun. A Call-ID of more than 256 octets is of
  /// no call.
  void name(const std::string& call_id, std::uint32_t call);
  /// The same of a call that came in and is being answered. A later one with the Call-ID of one that was never
  /// confirmed takes its place.
  void accept(const std::string& call_id, std::uint32_t call);
  /// The call is up.
  void confirm(const std::string& call_id);
  /// The call is over; its last messages may still come. A call that is not over keeps its name, and of those that are
  /// over the last 2000 do.
  void over(std::uint32_t call);
  /// While this is not 0, the next message is of this call, which has no Call-ID yet.
  void dialling(std::uint32_t call) { dialling_ = call; }
  void add(std::int64_t now_ns, const SipTraced& entry);

 private:
  struct Named {
    std::uint32_t call = 0;
    std::optional<TraceBudget> budget;  // nothing: not confirmed
    std::size_t drawn = 0;              // octets, of the budget of those
  };
  Named* remember(const std::string& call_id, std::uint32_t call);
  std::string admitted(Named* named, std::int64_t now_ns, const SipTraced& entry);
  void keep(std::int64_t now_ns, const SipTraced& entry);

  const Keep keep_;
  std::map<std::string, Named> names_;
  std::map<std::uint32_t, std::string> live_;               // Call-IDs of calls that are not over
  std::deque<std::pair<std::uint32_t, std::string>> over_;  // of those that are, in the order of their ends
  TraceBudget of_no_call_, of_unconfirmed_, of_registration_;
  std::string registration_;  // its Call-ID
  std::uint32_t dialling_ = 0;
  std::optional<SipTraced> waiting_;  // an INVITE that came: it gets its number after it is told
};

/// Entries that wait to be fetched, up to a bound in octets. What comes beyond it is left out, and a line of no call
/// says so. For one thread.
class TraceQueue {
 public:
  static constexpr std::size_t kMost = 8 * 1024 * 1024;

  void add(std::uint32_t call, const std::string& text);
  std::vector<LineTrace> take();

 private:
  std::vector<LineTrace> waiting_;
  std::size_t octets_ = 0;
};

}  // namespace vqas
