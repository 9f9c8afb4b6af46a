#include "vqas/run/node_address.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "run/measurement_limits.h"

namespace vqas {
namespace {

bool is_port(std::string_view text) {
  if (text.empty() || text.size() > 5 || text.find_first_not_of("0123456789") != std::string_view::npos) return false;
  std::uint32_t port = 0;
  for (const char digit : text) port = port * 10 + static_cast<std::uint32_t>(digit - '0');
  return port > 0 && port <= 65535;
}

// An IPv6 address in brackets, or a name or IPv4 address without characters that separate the parts of a URL (RFC 3986
// clause 2.2).
bool is_host(std::string_view text) {
  if (text.empty()) return false;
  if (text.front() == '[') {
    return text.size() > 3 && text.back() == ']' &&
           text.substr(1, text.size() - 2).find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
  }
  return text.find_first_of(":/?#[]@!$&'()*+,;=%\"<>\\^`{|} ") == std::string_view::npos &&
         std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

bool is_node_address(std::string_view address) {
  std::string_view rest = address;
  for (const std::string_view scheme : {"ws://", "wss://"}) {
    if (!rest.starts_with(scheme)) continue;
    rest.remove_prefix(scheme.size());
    if (rest.ends_with('/')) rest.remove_suffix(1);
    const std::size_t colon = rest.rfind(':');
    return colon != std::string_view::npos && is_host(rest.substr(0, colon)) && is_port(rest.substr(colon + 1));
  }
  return false;
}

}  // namespace

Status check_node_address(const std::string& end, const std::string& address) {
  if (is_node_address(address)) return success();
  const std::string meant = is_node_address("ws://" + address) ? "ws://" + address : "ws://127.0.0.1:7811";
  return Error{ErrorCode::bad_input,
               fmt::format("the address of node {} is \"{}\"; write {}{}, as the node printed it when it started", end,
                           as_plain_text(address), meant == "ws://" + address ? "" : "it like ", meant)};
}

}  // namespace vqas
