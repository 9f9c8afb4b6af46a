#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vqas/line/address.h"

struct osip_body;
struct osip_message;
struct osip_uri;

namespace vqas {

/// A SIP message (IETF RFC 3261) that can be changed where a proxy has to: a thin skin over libosip2's parser. For one
/// thread.
class SipMessage {
 public:
  /// Nothing where the text is no SIP message with the headers that each must have (clause 8.1.1), or has more than
  /// 1024 line ends, commas, semicolons and ampersands, far more than a phone sends.
  static std::optional<SipMessage> parse(std::string_view text);
  ~SipMessage();
  SipMessage(SipMessage&&) noexcept;
  SipMessage& operator=(SipMessage&&) noexcept;
  SipMessage(const SipMessage&) = delete;
  SipMessage& operator=(const SipMessage&) = delete;

  /// Empty where the library refuses.
  std::string text() const;

  bool is_request() const;
  std::string method() const;  ///< of a response: of the request that it answers
  int status() const;          ///< of a response
  std::string call_id() const;
  std::string cseq_number() const;
  std::string from_tag() const;
  std::string to_tag() const;
  std::string to_user() const;

  /// Where the request goes to by its request URI; host is text, port 5060 where none is given.
  struct Target {
    std::string user;
    std::string host;
    std::uint16_t port = 5060;
  };
  Target request_target() const;
  std::string request_uri() const;
  void set_request_target(const SocketAddress& target);
  /// Puts a whole URI there, say a registered contact. False where it is no URI; nothing is changed then.
  bool set_request_uri(const std::string& uri);

  // The topmost of each list.
  std::optional<Target> top_route() const;
  void remove_top_route();
  struct Via {
    std::string branch;
    Target sent_by;
    std::string received;  ///< empty: not there
    std::optional<std::uint16_t> rport;
    bool wants_rport = false;
  };
  std::optional<Via> top_via() const;
  std::vector<Via> vias() const;  ///< the topmost first
  void remove_top_via();
  /// Notes where the request really came from: clause 18.2.1 and RFC 3581.
  void mark_top_via(const SocketAddress& from);
  bool push_via(const std::string& value);
  bool push_record_route(const std::string& value);
  std::vector<Target> record_routes() const;  ///< the topmost first

  /// Counts Max-Forwards down, 70 where it is missing; false where it was 0 already.
  bool count_forward();

  /// The first contact's URI without its brackets and parameters; empty: none. "*" for all.
  std::string contact_uri() const;
  std::optional<Target> contact_target() const;
  /// Of the first contact, or of the message, in s; nothing: not told.
  std::optional<int> expires() const;

  /// The session description, be it the body or one part of several; empty: none.
  std::string sdp() const;
  /// Puts another in its place. False where there is none.
  bool set_sdp(const std::string& sdp);
  /// True if the bodies may hold a session description that sdp() does not find: in an encoding, without its type, in
  /// parts within parts, or more than one.
  bool hides_sdp() const;
  void remove_bodies();

 private:
  struct Free {
    void operator()(osip_message* message) const;
  };
  osip_body* sdp_body() const;
  std::optional<Via> via(int place) const;
  explicit SipMessage(osip_message* message) : message_(message) {}
  std::unique_ptr<osip_message, Free> message_;
};

/// The relay's own tag in To.
inline constexpr const char* kSipOwnTag = "vqas-relay";
/// A response to a request by the relay itself (clause 8.2.6). `extra` are whole header lines.
std::string sip_response(const SipMessage& request, int status, const std::string& reason,
                         const std::string& extra = {});
/// The CANCEL of an invitation as it was sent: the same URI, Route, From, To, Call-ID and number, and its topmost Via
/// alone (clause 9.1).
std::string sip_cancel(const SipMessage& invitation);

}  // namespace vqas
