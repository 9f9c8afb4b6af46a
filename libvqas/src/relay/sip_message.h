#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "relay/sip_body.h"
#include "vqas/line/address.h"

struct osip_message;
struct osip_uri;

namespace vqas {

/// A SIP message (IETF RFC 3261) that can be changed as a proxy must. libosip2 parses and prints its headers. It never
/// sees a body: it would parse the parts of one too, and it loses memory where their headers are malformed (found by
/// fuzzing libosip2 5.3), so that any phone could fill the memory. For one thread.
class SipMessage {
 public:
  /// Nothing if the text is not a SIP message with the required headers (clause 8.1.1), or has more than 1024 line
  /// ends, commas, semicolons and ampersands, far more than phones send; or if what text() gives could not be read, or
  /// would be printed otherwise. A body is as long as Content-Length says, else all that follows the headers.
  static std::optional<SipMessage> parse(std::string_view text);
  ~SipMessage();
  SipMessage(SipMessage&&) noexcept;
  SipMessage& operator=(SipMessage&&) noexcept;
  SipMessage(const SipMessage&) = delete;
  SipMessage& operator=(const SipMessage&) = delete;

  /// Empty if the library refuses.
  std::string text() const;

  bool is_request() const;
  std::string method() const;  ///< of a response: the method of its request
  int status() const;          ///< of a response
  std::string call_id() const;
  std::string cseq_number() const;
  std::string from_tag() const;
  std::string to_tag() const;
  std::string to_user() const;

  /// Destination by the request URI; host is text, the default port is 5060.
  struct Target {
    std::string user;
    std::string host;
    std::uint16_t port = 5060;
  };
  Target request_target() const;
  std::string request_uri() const;
  void set_request_target(const SocketAddress& target);
  /// Replaces the URI, for example by a registered contact. Returns false and changes nothing if it is not a URI.
  bool set_request_uri(const std::string& uri);

  // The topmost entry of each list.
  std::optional<Target> top_route() const;
  void remove_top_route();
  struct Via {
    std::string branch;
    Target sent_by;
    std::string received;  ///< empty: missing
    std::optional<std::uint16_t> rport;
    bool wants_rport = false;
  };
  std::optional<Via> top_via() const;
  std::vector<Via> vias() const;  ///< the topmost first
  void remove_top_via();
  /// Records the real source of the request: clause 18.2.1 and RFC 3581.
  void mark_top_via(const SocketAddress& from);
  bool push_via(const std::string& value);
  bool push_record_route(const std::string& value);
  std::vector<Target> record_routes() const;  ///< the topmost first

  /// Decrements Max-Forwards, 70 if missing; false if it was 0.
  bool count_forward();

  /// URI of the first contact without brackets and parameters; empty: none. "*" for all.
  std::string contact_uri() const;
  std::optional<Target> contact_target() const;
  /// Of the first contact, or of the message, in s; nothing if missing.
  std::optional<int> expires() const;

  /// The session description: the body, or one part of several; empty: none.
  std::string sdp() const;
  /// Replaces it. False if there is none.
  bool set_sdp(const std::string& sdp);
  /// True if the body may hold a session description that sdp() does not find (SdpInBody::hides, Content-Encoding).
  bool hides_sdp() const;
  void remove_bodies();

 private:
  struct Free {
    void operator()(osip_message* message) const;
  };
  static std::optional<SipMessage> read(std::string_view text);
  SdpInBody look_for_sdp() const;
  std::optional<Via> via(int place) const;
  explicit SipMessage(osip_message* message) : message_(message) {}
  std::unique_ptr<osip_message, Free> message_;  // without its body
  std::string body_;
};

/// The relay's own tag for To.
inline constexpr const char* kSipOwnTag = "vqas-relay";
/// The relay's own response to a request (clause 8.2.6). `extra` holds whole header lines.
std::string sip_response(const SipMessage& request, int status, const std::string& reason,
                         const std::string& extra = {});
/// The CANCEL of an invitation as sent: the same URI, Route, From, To, Call-ID and number, and only its topmost Via
/// (clause 9.1).
std::string sip_cancel(const SipMessage& invitation);

}  // namespace vqas
