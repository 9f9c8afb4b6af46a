#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "line/media/rtp_terms.h"
#include "line/sip/digits.h"
#include "vqas/line/address.h"
#include "vqas/signal/result.h"

namespace vqas {

enum class SipTransport { udp, tcp, tls };
/// "udp", "tcp", "tls"
const char* word_of(SipTransport transport);

/// USER@HOST:PORT. A value.
struct SipParty {
  std::string user;        ///< empty for a proxy
  std::string host;        ///< a name or an IPv4 address
  std::uint16_t port = 0;  ///< 0: not given; the usual one is 5060, or what DNS says
  bool operator==(const SipParty&) const = default;
};
/// "sip:USER@HOST:PORT;transport=tcp", without what is usual.
std::string sip_uri(const SipParty& party, SipTransport transport);

/// Options of "sip:USER@HOST:PORT;…". They hold no secret.
struct SipLineOptions {
  std::string name;              ///< the whole name
  SipParty own;                  ///< who this end is: its address of record
  std::optional<SipParty> dial;  ///< whom it calls; none: it answers
  std::optional<SipParty> proxy;
  std::optional<SocketAddress> listen;  ///< port 0: chosen by the system
  SipTransport transport = SipTransport::udp;
  std::string ca;                 ///< TLS: file of the authorities to trust; empty: the system's
  std::string pin;                ///< TLS: SHA-256 of the server's certificate, 64 digits; empty: `ca` decides
  std::string account;            ///< file with user and password; empty: the environment, or none
  std::optional<bool> registers;  ///< none: where there is a password
  std::string from;               ///< an answering end takes only calls of this user; empty: of any
  MediaTerms media;
  std::vector<DigitStep> digits;  ///< dialled after the answer
  bool digits_in_band = false;    ///< even if the other end takes telephone events
  int buffer_ms = 60;
  int ring_s = 60;   ///< how long it lets the other end ring
  int redial_s = 3;  ///< from a call's end until an end that dials reports it, and so until it dials again
  // No parameters of the name:
  int first_packet_s = 10;   ///< from the answer until audio must have come
  int confirm_s = 5;         ///< from this end's answer until a call that was not confirmed gives way to another one
  int silence_s = 5;         ///< from an INVITE without any response until the operator is told that it waits
  int least_session_s = 90;  ///< shortest interval of a session timer (RFC 4028, 4)
};

/// Whether the line registers at the host of `own`.
bool registers(const SipLineOptions& line, bool has_account);
/// The first machine that a request of this end goes to; null: it only answers, directly.
const SipParty* first_hop(const SipLineOptions& line, bool has_account);

/// Reads a name, without opening anything; resolving the name in "listen" may take seconds. Fails with bad_input. A
/// name with a password is refused, by a message that does not repeat it. Re-entrant.
Result<SipLineOptions> parse_sip_line(const std::string& name);

}  // namespace vqas
