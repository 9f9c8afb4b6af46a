#include "relay/sip_message.h"

#include <fmt/format.h>
#include <osipparser2/osip_parser.h>
#include <osipparser2/osip_port.h>

#include <algorithm>
#include <charconv>
#include <mutex>
#include <vector>

namespace vqas {
namespace {

constexpr std::uint16_t kDefaultPort = 5060;

// The library allocates the texts it returns.
std::string take(char* text) {
  std::string copy = text == nullptr ? std::string() : std::string(text);
  osip_free(text);
  return copy;
}

std::string or_empty(const char* text) {
  return text == nullptr ? std::string() : std::string(text);
}

template <typename Number>
std::optional<Number> number(const char* text) {
  if (text == nullptr) return std::nullopt;
  const std::string_view view(text);
  Number value{};
  const auto read = std::from_chars(view.data(), view.data() + view.size(), value);
  if (read.ec != std::errc() || read.ptr != view.data() + view.size()) return std::nullopt;
  return value;
}

SipMessage::Target target_of(const osip_uri_t* uri) {
  if (uri == nullptr) return {};
  return {or_empty(uri->username), or_empty(uri->host), number<std::uint16_t>(uri->port).value_or(kDefaultPort)};
}

const char* parameter(const osip_list_t& list, const char* name, bool* there = nullptr) {
  osip_uri_param_t* found = nullptr;
  osip_uri_param_get_byname(const_cast<osip_list_t*>(&list), const_cast<char*>(name), &found);
  if (there != nullptr) *there = found != nullptr;
  return found == nullptr ? nullptr : found->gvalue;
}

void set_parameter(osip_list_t& list, const char* name, const std::string& value) {
  osip_uri_param_t* found = nullptr;
  osip_uri_param_get_byname(&list, const_cast<char*>(name), &found);
  if (found == nullptr) {
    osip_uri_param_add(&list, osip_strdup(name), osip_strdup(value.c_str()));
    return;
  }
  osip_free(found->gvalue);
  found->gvalue = osip_strdup(value.c_str());
}

// The library reports each bad message on stdout; here they are counted.
void say_nothing(const char*, int, osip_trace_level_t, const char*, va_list) {}

/// A message cut at the empty line behind its headers.
struct CutMessage {
  std::string headers;  // without Content-Length, which the library would look for in vain
  std::string_view body;
};

// Clause 18.3: what follows the body is no part of the message, and a message that was cut is none. Nothing for those,
// and for one with two lengths.
std::optional<CutMessage> cut_message(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));  // clause 7.5
  CutMessage cut;
  std::optional<std::size_t> length;
  bool ended = false, leaves_out = false;
  while (!text.empty() && !ended) {
    const std::size_t before = text.size();
    const std::string_view whole = text;
    const std::string_view line = next_line(text);
    const std::size_t colon = line.find(':');
    const std::string name = colon == std::string_view::npos ? std::string() : plain_word(line.substr(0, colon));
    ended = line.empty();
    const bool continues = line.starts_with(' ') || line.starts_with('\t');
    if (continues && leaves_out) return std::nullopt;
    leaves_out = !continues && (name == "content-length" || name == "l");
    if (!leaves_out) {
      cut.headers += whole.substr(0, before - text.size());
      continue;
    }
    const auto said = number<std::size_t>(plain_word(line.substr(colon + 1)).c_str());
    if (!said || (length && *length != *said)) return std::nullopt;
    length = said;
  }
  // The library ends header texts at the first zero octet, so it would see other headers than the next hop.
  if (cut.headers.find('\0') != std::string::npos || length.value_or(0) > text.size()) return std::nullopt;
  cut.body = text.substr(0, length.value_or(text.size()));
  return cut;
}

// The library walks its lists of headers, values and parameters from the beginning for each entry, so its time grows
// with the square of their number: a datagram full of them would block the relay for seconds. Phones send about a
// hundred.
bool has_too_many_parts(std::string_view text) {
  constexpr std::ptrdiff_t kMostParts = 1024;
  constexpr std::string_view kBetween = "\r\n,;&";
  return std::ranges::count_if(text, [&](char c) { return kBetween.find(c) != std::string_view::npos; }) > kMostParts;
}

bool is_complete(const osip_message_t& message) {
  return message.call_id != nullptr && message.from != nullptr && message.to != nullptr && message.cseq != nullptr &&
         message.cseq->number != nullptr && message.cseq->method != nullptr && osip_list_size(&message.vias) > 0 &&
         (MSG_IS_RESPONSE(&message) || (message.sip_method != nullptr && message.req_uri != nullptr));
}

}  // namespace

void SipMessage::Free::operator()(osip_message* message) const {
  osip_message_free(message);
}

SipMessage::~SipMessage() = default;
SipMessage::SipMessage(SipMessage&&) noexcept = default;
SipMessage& SipMessage::operator=(SipMessage&&) noexcept = default;

std::optional<SipMessage> SipMessage::parse(std::string_view text) {
  static std::once_flag prepared;  // the library's table of headers, constant after initialisation
  std::call_once(prepared, [] {
    osip_trace_initialize_func(END_TRACE_LEVEL, say_nothing);
    parser_init();
  });
  if (has_too_many_parts(text)) return std::nullopt;
  auto message = read(text);
  if (!message) return std::nullopt;
  // The library also accepts headers that it prints in a form that no machine reads, or that it reads as others, for
  // example a host with "<" in it. The next hop would get another message than the one that was looked at. So what is
  // printed must be read, and be printed the same again.
  const std::string printed = message->text();
  const auto again = read(printed);
  if (!again || again->text() != printed) return std::nullopt;
  return message;
}

std::optional<SipMessage> SipMessage::read(std::string_view text) {
  const auto cut = cut_message(text);
  osip_message_t* raw = nullptr;
  if (!cut || osip_message_init(&raw) != OSIP_SUCCESS) return std::nullopt;
  SipMessage message(raw);
  if (osip_message_parse(raw, cut->headers.c_str(), cut->headers.size()) != OSIP_SUCCESS || !is_complete(*raw))
    return std::nullopt;
  message.body_ = cut->body;
  return message;
}

std::string SipMessage::text() const {
  osip_message_force_update(message_.get());
  char* text = nullptr;
  std::size_t size = 0;
  if (osip_message_to_str(message_.get(), &text, &size) != OSIP_SUCCESS) return {};
  std::string copy(text, size);
  osip_free(text);
  // The library, which has no body, ends its text so.
  constexpr std::string_view kNoBody = "Content-Length: 0\r\n\r\n";
  if (body_.empty() || !copy.ends_with(kNoBody)) return copy;
  copy.resize(copy.size() - kNoBody.size());
  return copy + fmt::format("Content-Length: {}\r\n\r\n", body_.size()) + body_;
}

bool SipMessage::is_request() const {
  return MSG_IS_REQUEST(message_.get());
}
std::string SipMessage::method() const {
  return or_empty(is_request() ? message_->sip_method : message_->cseq->method);
}
int SipMessage::status() const {
  return message_->status_code;
}
std::string SipMessage::call_id() const {
  const std::string host = or_empty(message_->call_id->host);
  return or_empty(message_->call_id->number) + (host.empty() ? "" : "@" + host);
}
std::string SipMessage::cseq_number() const {
  return or_empty(message_->cseq->number);
}
std::string SipMessage::from_tag() const {
  return or_empty(parameter(message_->from->gen_params, "tag"));
}
std::string SipMessage::to_tag() const {
  return or_empty(parameter(message_->to->gen_params, "tag"));
}
std::string SipMessage::to_user() const {
  return message_->to->url == nullptr ? std::string() : or_empty(message_->to->url->username);
}

SipMessage::Target SipMessage::request_target() const {
  return target_of(message_->req_uri);
}

void SipMessage::set_request_target(const SocketAddress& target) {
  osip_free(message_->req_uri->host);
  osip_free(message_->req_uri->port);
  message_->req_uri->host = osip_strdup(host_text(target).c_str());
  message_->req_uri->port = osip_strdup(std::to_string(target.port).c_str());
}

bool SipMessage::set_request_uri(const std::string& uri) {
  osip_uri_t* parsed = nullptr;
  if (osip_uri_init(&parsed) != OSIP_SUCCESS) return false;
  if (osip_uri_parse(parsed, uri.c_str()) != OSIP_SUCCESS || parsed->host == nullptr) {
    osip_uri_free(parsed);
    return false;
  }
  osip_uri_free(message_->req_uri);
  message_->req_uri = parsed;
  return true;
}

std::optional<SipMessage::Target> SipMessage::top_route() const {
  const auto* const route = static_cast<osip_route_t*>(osip_list_get(&message_->routes, 0));
  if (route == nullptr || route->url == nullptr) return std::nullopt;
  return target_of(route->url);
}

void SipMessage::remove_top_route() {
  auto* const route = static_cast<osip_route_t*>(osip_list_get(&message_->routes, 0));
  if (route == nullptr) return;
  osip_list_remove(&message_->routes, 0);
  osip_route_free(route);
}

std::string SipMessage::request_uri() const {
  char* text = nullptr;
  if (message_->req_uri == nullptr || osip_uri_to_str(message_->req_uri, &text) != OSIP_SUCCESS) return {};
  return take(text);
}

std::optional<SipMessage::Via> SipMessage::via(int place) const {
  const auto* const via = static_cast<osip_via_t*>(osip_list_get(&message_->vias, place));
  if (via == nullptr || via->host == nullptr) return std::nullopt;
  Via out;
  out.branch = or_empty(parameter(via->via_params, "branch"));
  out.sent_by = {"", or_empty(via->host), number<std::uint16_t>(via->port).value_or(kDefaultPort)};
  out.received = or_empty(parameter(via->via_params, "received"));
  out.rport = number<std::uint16_t>(parameter(via->via_params, "rport", &out.wants_rport));
  return out;
}

std::optional<SipMessage::Via> SipMessage::top_via() const {
  return via(0);
}

std::vector<SipMessage::Via> SipMessage::vias() const {
  std::vector<Via> all;
  for (int i = 0; i < osip_list_size(&message_->vias); ++i) {
    if (const auto one = via(i)) all.push_back(*one);
  }
  return all;
}

void SipMessage::remove_top_via() {
  auto* const via = static_cast<osip_via_t*>(osip_list_get(&message_->vias, 0));
  if (via == nullptr) return;
  osip_list_remove(&message_->vias, 0);
  osip_via_free(via);
}

void SipMessage::mark_top_via(const SocketAddress& from) {
  const auto via = top_via();
  if (!via) return;
  auto* const raw = static_cast<osip_via_t*>(osip_list_get(&message_->vias, 0));
  if (via->wants_rport) set_parameter(raw->via_params, "rport", std::to_string(from.port));
  if (via->wants_rport || via->sent_by.host != host_text(from)) {
    set_parameter(raw->via_params, "received", host_text(from));
  }
}

bool SipMessage::push_via(const std::string& value) {
  osip_via_t* via = nullptr;
  if (osip_via_init(&via) != OSIP_SUCCESS) return false;
  if (osip_via_parse(via, value.c_str()) != OSIP_SUCCESS) {
    osip_via_free(via);
    return false;
  }
  osip_list_add(&message_->vias, via, 0);
  return true;
}

bool SipMessage::push_record_route(const std::string& value) {
  osip_record_route_t* route = nullptr;
  if (osip_record_route_init(&route) != OSIP_SUCCESS) return false;
  if (osip_record_route_parse(route, value.c_str()) != OSIP_SUCCESS) {
    osip_record_route_free(route);
    return false;
  }
  osip_list_add(&message_->record_routes, route, 0);
  return true;
}

std::vector<SipMessage::Target> SipMessage::record_routes() const {
  std::vector<Target> all;
  for (int i = 0; i < osip_list_size(&message_->record_routes); ++i) {
    const auto* const route = static_cast<osip_record_route_t*>(osip_list_get(&message_->record_routes, i));
    if (route->url != nullptr) all.push_back(target_of(route->url));
  }
  return all;
}

bool SipMessage::count_forward() {
  constexpr int kMostForwards = 70;  // clause 8.1.1.6
  osip_header_t* header = nullptr;
  osip_message_get_max_forwards(message_.get(), 0, &header);
  const int left = header == nullptr ? kMostForwards : number<int>(header->hvalue).value_or(0);
  if (left <= 0) return false;
  osip_message_replace_header(message_.get(), "Max-Forwards", std::to_string(left - 1).c_str());
  return true;
}

std::string SipMessage::contact_uri() const {
  const auto* const contact = static_cast<osip_contact_t*>(osip_list_get(&message_->contacts, 0));
  if (contact == nullptr) return {};
  if (contact->url == nullptr) return "*";
  char* text = nullptr;
  if (osip_uri_to_str(contact->url, &text) != OSIP_SUCCESS) return {};
  return take(text);
}

std::optional<SipMessage::Target> SipMessage::contact_target() const {
  const auto* const contact = static_cast<osip_contact_t*>(osip_list_get(&message_->contacts, 0));
  if (contact == nullptr || contact->url == nullptr) return std::nullopt;
  return target_of(contact->url);
}

std::optional<int> SipMessage::expires() const {
  const auto* const contact = static_cast<osip_contact_t*>(osip_list_get(&message_->contacts, 0));
  if (contact != nullptr) {
    if (const auto told = number<int>(parameter(contact->gen_params, "expires"))) return told;
  }
  osip_header_t* header = nullptr;
  osip_message_get_expires(message_.get(), 0, &header);
  return header == nullptr ? std::nullopt : number<int>(header->hvalue);
}

SdpInBody SipMessage::look_for_sdp() const {
  const osip_content_type_t* const said = message_->content_type;
  SipBodyType type;
  if (said != nullptr && said->type != nullptr) {
    type.type = plain_word(or_empty(said->type) + "/" + or_empty(said->subtype));
    type.boundary = or_empty(parameter(said->gen_params, "boundary"));
    if (type.boundary.size() >= 2 && type.boundary.front() == '"' && type.boundary.back() == '"')
      type.boundary = type.boundary.substr(1, type.boundary.size() - 2);
  }
  return find_sdp(type, body_);
}

std::string SipMessage::sdp() const {
  const auto place = look_for_sdp().place;
  return place ? body_.substr(place->begin, place->size) : std::string();
}

bool SipMessage::set_sdp(const std::string& sdp) {
  const auto place = look_for_sdp().place;
  if (!place) return false;
  body_.replace(place->begin, place->size, sdp);
  return true;
}

bool SipMessage::hides_sdp() const {
  if (body_.empty()) return false;
  for (int i = 0; i < osip_list_size(&message_->content_encodings); ++i) {
    const auto* const encoding = static_cast<osip_content_encoding_t*>(osip_list_get(&message_->content_encodings, i));
    if (osip_strcasecmp(or_empty(encoding->value).c_str(), "identity") != 0) return true;
  }
  return look_for_sdp().hides;
}

void SipMessage::remove_bodies() {
  body_.clear();
  osip_content_type_free(message_->content_type);
  message_->content_type = nullptr;
}

std::string sip_response(const SipMessage& request, int status, const std::string& reason, const std::string& extra) {
  // Copies only what a response must repeat, unchanged.
  const std::string text = request.text();
  std::string response = fmt::format("SIP/2.0 {} {}\r\n", status, reason);
  std::size_t begin = text.find("\r\n");
  while (begin != std::string::npos) {
    begin += 2;
    const std::size_t end = text.find("\r\n", begin);
    if (end == std::string::npos || end == begin) break;
    const std::string line = text.substr(begin, end - begin);
    for (const char* name : {"Via:", "From:", "Call-ID:", "CSeq:"}) {
      if (line.starts_with(name)) response += line + "\r\n";
    }
    if (line.starts_with("To:")) {
      response += line + (line.find(";tag=") == std::string::npos ? std::string(";tag=") + kSipOwnTag : "") + "\r\n";
    }
    begin = end;
  }
  return response + extra + "Content-Length: 0\r\n\r\n";
}

std::string sip_cancel(const SipMessage& invitation) {
  const std::string text = invitation.text();
  std::string cancel = "CANCEL " + invitation.request_uri() + " SIP/2.0\r\n";
  bool has_via = false;
  for (std::size_t begin = text.find("\r\n"); begin != std::string::npos; begin = text.find("\r\n", begin)) {
    begin += 2;
    const std::string line = text.substr(begin, text.find("\r\n", begin) - begin);
    if (line.empty()) break;
    if (line.starts_with("Via:")) {
      if (!has_via) cancel += line + "\r\n";
      has_via = true;
    }
    for (const char* name : {"Route:", "From:", "To:", "Call-ID:"}) {
      if (line.starts_with(name)) cancel += line + "\r\n";
    }
  }
  return cancel + "CSeq: " + invitation.cseq_number() + " CANCEL\r\nMax-Forwards: 70\r\nContent-Length: 0\r\n\r\n";
}

}  // namespace vqas
