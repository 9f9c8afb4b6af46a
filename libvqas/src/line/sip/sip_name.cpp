#include "line/sip/sip_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "line/line_name.h"

namespace vqas {
namespace {

constexpr int kPacket_ms = 20;

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// The signs go into headers as they are, so none may have a meaning there (RFC 3261, 25.1: user without escapes).
bool is_plain(std::string_view text, std::string_view besides) {
  return !text.empty() && text.size() <= 128 && std::ranges::all_of(text, [besides](char c) {
    return is_letter_or_digit(c) || besides.find(c) != std::string_view::npos;
  });
}

// HOST or HOST:PORT.
bool read_host(const std::string& text, SipParty& party) {
  const std::size_t colon = text.find(':');
  party.host = text.substr(0, colon);
  if (!is_plain(party.host, ".-")) return false;
  if (colon == std::string::npos) return true;
  const char* const last = text.data() + text.size();
  const auto [stopped, fault] = std::from_chars(text.data() + colon + 1, last, party.port);
  return fault == std::errc() && stopped == last && party.port != 0;
}

std::optional<SipParty> read_party(const std::string& text) {
  const std::size_t at = text.rfind('@');
  if (at == std::string::npos) return std::nullopt;
  SipParty party;
  party.user = text.substr(0, at);
  if (!is_plain(party.user, "-_.!~*+#") || !read_host(text.substr(at + 1), party)) return std::nullopt;
  return party;
}

// In the user's part of an address ("4711:secret@host"), or as a parameter.
bool holds_password(const std::string& name) {
  const std::string body = name.substr(0, name.find(';'));
  const std::size_t at = body.rfind('@');
  const std::size_t first = body.find(':');
  if (at != std::string::npos && body.find(':', first + 1) < at) return true;
  const std::size_t dial = name.find("dial=");
  if (dial != std::string::npos) {
    const std::string called = name.substr(dial, name.find(';', dial) - dial);
    if (called.find('@') != std::string::npos && called.find(':') < called.rfind('@')) return true;
  }
  return std::ranges::any_of(std::initializer_list<const char*>{";password=", ";pass=", ";passwd=", ";secret=", ";pw="},
                             [&name](const char* key) { return name.find(key) != std::string::npos; });
}

Error wrong(const std::string& name, const std::string& what) {
  return {ErrorCode::bad_input, fmt::format("the line \"{}\": {}", name, what)};
}

Status read_parties(const LineName& parsed, SipLineOptions& options) {
  const auto own = read_party(parsed.body());
  if (!own) return wrong(options.name, "it is not of the form sip:USER@HOST:PORT;dial=USER@HOST:PORT");
  options.own = *own;
  if (const std::string dial = parsed.text("dial"); !dial.empty()) {
    options.dial = read_party(dial);
    if (!options.dial) return wrong(options.name, "dial must be USER@HOST or USER@HOST:PORT");
  }
  if (const std::string proxy = parsed.text("proxy"); !proxy.empty()) {
    options.proxy.emplace();
    if (!read_host(proxy, *options.proxy)) return wrong(options.name, "proxy must be HOST or HOST:PORT");
  }
  options.from = parsed.text("from");
  if (!options.from.empty() && !is_plain(options.from, "-_.!~*+#"))
    return wrong(options.name, "from must be the user of the calls to be taken");
  if (const std::string listen = parsed.text("listen"); !listen.empty()) {
    const auto address =
        parse_address(listen.find(':') == std::string::npos ? listen + ":0" : listen, "the line's listen");
    if (!address) return address.error();
    // It goes into session descriptions, so it must be one address that the other end can reach.
    if (!is_unicast(*address)) return wrong(options.name, "listen must be one address of this machine");
    options.listen = *address;
  }
  return success();
}

Status read_numbers(const LineName& parsed, SipLineOptions& options) {
  const auto buffer = parsed.number("buffer_ms", 20, 500, options.buffer_ms);
  if (!buffer) return buffer.error();
  options.buffer_ms = (*buffer + kPacket_ms - 1) / kPacket_ms * kPacket_ms;
  const auto ring = parsed.number("ring_s", 1, 3600, options.ring_s);
  if (!ring) return ring.error();
  options.ring_s = *ring;
  const auto redial = parsed.number("redial_s", 1, 3600, options.redial_s);
  if (!redial) return redial.error();
  options.redial_s = *redial;
  return success();
}

// As "vqas node" and openssl print it: "sha256:" before it and colons between are allowed.
std::optional<std::string> read_pin(std::string text) {
  constexpr std::string_view kAlgorithm = "sha256:";
  constexpr std::size_t kDigits = 64;
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (text.starts_with(kAlgorithm)) text.erase(0, kAlgorithm.size());
  std::erase(text, ':');
  const bool is_one = text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return is_one ? std::optional(text) : std::nullopt;
}

Status read_words(const LineName& parsed, SipLineOptions& options) {
  const auto transport = parsed.word("transport", {"udp", "tcp", "tls"}, "udp");
  if (!transport) return transport.error();
  options.transport = *transport == "udp"   ? SipTransport::udp
                      : *transport == "tcp" ? SipTransport::tcp
                                            : SipTransport::tls;
  options.ca = parsed.text("ca");
  if (!options.ca.empty() && options.transport != SipTransport::tls)
    return wrong(options.name, "ca is for transport=tls");
  if (const std::string text = parsed.text("pin"); !text.empty()) {
    const auto pin = read_pin(text);
    if (!pin) return wrong(options.name, "pin must be the SHA-256 of the server's certificate, 64 hexadecimal digits");
    if (options.transport != SipTransport::tls) return wrong(options.name, "pin is for transport=tls");
    if (!options.ca.empty()) return wrong(options.name, "give ca or pin, not both");
    options.pin = *pin;
  }
  const auto registers = parsed.word("register", {"yes", "no"}, "");
  if (!registers) return registers.error();
  if (!registers->empty()) options.registers = *registers == "yes";
  options.account = parsed.text("account");
  return success();
}

Status read_media(const LineName& parsed, SipLineOptions& options) {
  const auto codecs = codecs_of(parsed, true);
  if (!codecs) return codecs.error();
  options.media.codecs = *codecs;
  const auto rate_hz = rate_of(parsed, *codecs);
  if (!rate_hz) return rate_hz.error();
  options.media.rate_hz = *rate_hz;
  const auto srtp = parsed.word("srtp", {"yes", "no"}, "no");
  if (!srtp) return srtp.error();
  options.media.srtp = *srtp == "yes";
  if (options.media.srtp && options.transport != SipTransport::tls) {
    return wrong(options.name,
                 "srtp=yes needs transport=tls, because the keys are in the signalling, where others could read them");
  }
  const auto by = parsed.word("digits_by", {"events", "inband"}, "");
  if (!by) return by.error();
  options.digits_in_band = *by == "inband";
  const std::string digits = parsed.text("digits");
  if (digits.empty()) {
    return by->empty() ? success() : wrong(options.name, "digits_by needs digits");
  }
  const auto steps = parse_digits(digits);
  if (!steps) {
    return wrong(options.name,
                 "digits must be parts with commas between, as in \"wait 2, 1234#\": a pause in seconds, up to 60, or "
                 "digits of 0-9, *, #, A-D; up to 64 digits and 10 pauses");
  }
  options.digits = *steps;
  return success();
}

}  // namespace

const char* word_of(SipTransport transport) {
  return transport == SipTransport::udp ? "udp" : transport == SipTransport::tcp ? "tcp" : "tls";
}

bool registers(const SipLineOptions& line, bool has_account) {
  return line.registers.value_or(has_account);
}

const SipParty* first_hop(const SipLineOptions& line, bool has_account) {
  if (line.proxy) return &*line.proxy;
  if (registers(line, has_account)) return &line.own;
  return line.dial ? &*line.dial : nullptr;
}

std::string sip_uri(const SipParty& party, SipTransport transport) {
  std::string uri = "sip:";
  if (!party.user.empty()) uri += party.user + "@";
  uri += party.host;
  if (party.port != 0) uri += fmt::format(":{}", party.port);
  if (transport != SipTransport::udp) uri += fmt::format(";transport={}", word_of(transport));
  return uri;
}

Result<SipLineOptions> parse_sip_line(const std::string& name) {
  if (holds_password(name)) {
    return Error{ErrorCode::bad_input,
                 "the name of a sip: line must not hold a password, because other users of this machine can read it; "
                 "give a file by account=FILE, or set VQAS_SIP_PASSWORD. Change the password that was shown"};
  }
  const auto parsed =
      LineName::parse(name,
                      {"account", "buffer_ms", "ca", "codec", "dial", "digits", "digits_by", "from", "hd", "law",
                       "listen", "pin", "proxy", "redial_s", "register", "ring_s", "srtp", "transport"},
                      {';', ';'});
  if (!parsed) return parsed.error();
  SipLineOptions options;
  options.name = name;
  if (const Status read = read_parties(*parsed, options); !read) return read.error();
  if (const Status read = read_numbers(*parsed, options); !read) return read.error();
  if (const Status read = read_words(*parsed, options); !read) return read.error();
  if (const Status read = read_media(*parsed, options); !read) return read.error();
  return options;
}

}  // namespace vqas
