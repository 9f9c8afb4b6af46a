#include "relay/sip_body.h"

#include <algorithm>

namespace vqas {
namespace {

constexpr const char* kSdp = "application/sdp";

bool is_multipart(std::string_view type) {
  return type.starts_with("multipart/");
}

/// What the headers of a part say.
struct Part {
  int types = 0;
  std::string type;
  bool encoded = false;  // its content is not the description's own text
  bool readable = true;
};

void read_header(std::string_view line, Part& part) {
  const std::size_t colon = line.find(':');
  // A header that continues on this line could be any.
  if (colon == std::string_view::npos || line.starts_with(' ') || line.starts_with('\t') ||
      line.find('\0') != std::string_view::npos) {
    part.readable = false;
    return;
  }
  const std::string name = plain_word(line.substr(0, colon));
  const std::string_view content = line.substr(colon + 1);
  const std::string value = plain_word(content.substr(0, content.find(';')));
  if (name == "content-type" || name == "c") {
    ++part.types;
    part.type = value;
  } else if (name == "content-encoding" || name == "e") {
    part.encoded = true;
  } else if (name == "content-transfer-encoding") {
    part.encoded = part.encoded || value == "base64" || value == "quoted-printable";
  }
}

// `part`: headers, an empty line and the content. `begin`: its place in the body.
void take_part(std::string_view part, std::size_t begin, SdpInBody& found) {
  std::string_view rest = part;
  Part headers;
  bool ended = false;
  while (!rest.empty() && !ended) {
    const std::string_view line = next_line(rest);
    ended = line.empty();
    if (!ended) read_header(line, headers);
  }
  found.hides =
      found.hides || !ended || !headers.readable || headers.encoded || headers.types != 1 || is_multipart(headers.type);
  if (headers.type != kSdp) return;
  if (found.place) {
    found.hides = true;
  } else {
    found.place = SdpPlace{begin + part.size() - rest.size(), rest.size()};
  }
}

SdpInBody find_in_parts(const std::string& boundary, std::string_view body) {
  const std::string delimiter = "--" + boundary;
  SdpInBody found;
  std::optional<std::size_t> part;  // its begin
  bool closed = false;
  for (std::string_view rest = body; !rest.empty() && !closed;) {
    const std::size_t at = body.size() - rest.size();
    std::string_view line = next_line(rest);
    if (!line.starts_with(delimiter)) continue;
    line.remove_prefix(delimiter.size());
    while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
    closed = line == "--";
    // Another boundary may begin like this one.
    if (!line.empty() && !closed) continue;
    if (part) take_part(body.substr(*part, at - *part), *part, found);
    part = body.size() - rest.size();
  }
  found.hides = found.hides || boundary.empty() || !closed;
  return found;
}

}  // namespace

std::string plain_word(std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (c != ' ' && c != '\t') word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return word;
}

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  text.remove_prefix(text.starts_with("\r\n") ? 2 : text.empty() ? 0 : 1);
  return line;
}

SdpInBody find_sdp(const SipBodyType& type, std::string_view body) {
  if (body.empty()) return {};
  if (is_multipart(type.type)) return find_in_parts(type.boundary, body);
  SdpInBody found;
  if (type.type == kSdp) found.place = SdpPlace{0, body.size()};
  found.hides = type.type.empty();
  return found;
}

}  // namespace vqas
