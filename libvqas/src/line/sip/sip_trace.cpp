#include "line/sip/sip_trace.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <ctime>
#include <utility>

#include "vqas/signal/plain_text.h"

namespace vqas {
namespace {

constexpr std::size_t kMostWaiting = 256 * 1024;  // some fifty calls, or a day of registrations
constexpr const char* kBlank = "(blanked)";
constexpr std::array<std::string_view, 3> kSecretHeaders{"authorization", "proxy-authorization", "authentication-info"};

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// The name of the header in this line, in small letters; empty: none.
std::string header_of(std::string_view line) {
  std::string name = lower(line.substr(0, std::min(line.find(':'), line.size())));
  while (!name.empty() && (name.back() == ' ' || name.back() == '\t')) name.pop_back();
  return name.size() < line.size() ? name : std::string();
}

// "sip:user:password@host": RFC 3261, 19.1.1.
std::string without_passwords(std::string_view line) {
  std::string out;
  while (true) {
    const std::size_t scheme = lower(line).find("sip");
    const std::size_t colon = scheme == std::string_view::npos ? scheme : line.find(':', scheme);
    const bool is_address = colon == scheme + 3 || (colon == scheme + 4 && std::tolower(line[scheme + 3]) == 's');
    if (scheme == std::string_view::npos) return out += line;
    if (!is_address) {
      out += line.substr(0, scheme + 3);
      line.remove_prefix(scheme + 3);
      continue;
    }
    out += line.substr(0, colon + 1);
    line.remove_prefix(colon + 1);
    const std::string_view address = line.substr(0, line.find_first_of("<> \t\""));
    const std::size_t at = address.find('@'), secret = address.find(':');
    if (at == std::string_view::npos || secret > at) continue;
    out += address.substr(0, secret + 1);
    out += kBlank;
    line.remove_prefix(at);
  }
}

std::string without_key(std::string_view line) {
  const std::string small = lower(line);
  if (small.starts_with("a=key-mgmt") || small.starts_with("k="))
    return fmt::format("{} {}", line.substr(0, 2), kBlank);
  const std::size_t key = small.find("inline:");
  if (key == std::string::npos) return std::string(line);
  return fmt::format("{}{}", line.substr(0, key + 7), kBlank);
}

std::string time_of(double utc_s) {
  const auto ms = static_cast<std::int64_t>(std::llround(utc_s * 1000));
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(static_cast<std::time_t>(ms / 1000)), ms % 1000);
}

}  // namespace

SipTraced sip_trace_entry(double utc_s, bool sent, const char* transport, const SocketAddress& other,
                          std::string_view message) {
  SipTraced traced;
  traced.text = fmt::format("{} {} {} by {}, {} octets\n", time_of(utc_s), sent ? "sent to" : "received from",
                            to_string(other), transport, message.size());
  bool secret = false;
  while (!message.empty()) {
    const std::size_t end = message.find_first_of("\r\n");
    const std::string_view line = message.substr(0, end);
    std::size_t next = end == std::string_view::npos ? message.size() : end + 1;
    if (end != std::string_view::npos && message[end] == '\r' && next < message.size() && message[next] == '\n') ++next;
    message.remove_prefix(next);
    // A header continues on lines that begin with a blank (RFC 3261, 7.3.1).
    const bool continues = line.starts_with(' ') || line.starts_with('\t');
    const std::string name = continues ? std::string() : header_of(line);
    if (!continues) secret = std::ranges::find(kSecretHeaders, name) != kSecretHeaders.end();
    if (secret && continues) continue;
    if ((name == "call-id" || name == "i") && traced.call_id.empty()) {
      traced.call_id = line.substr(line.find(':') + 1);
      traced.call_id.erase(0, traced.call_id.find_first_not_of(" \t"));
    }
    const std::string shown =
        secret ? fmt::format("{}: {}", line.substr(0, line.find(':')), kBlank) : without_passwords(without_key(line));
    traced.text += shown.empty() ? "\n" : "    " + plain_text(shown) + "\n";
  }
  return traced;
}

void SipTrace::add(const std::string& entry) {
  if (full_) return;
  full_ = text_.size() + entry.size() > kMostWaiting;
  text_ += full_ ? "(what followed was left out, because the trace was not fetched)\n" : entry;
}

std::string SipTrace::take() {
  full_ = false;
  return std::exchange(text_, {});
}

}  // namespace vqas
