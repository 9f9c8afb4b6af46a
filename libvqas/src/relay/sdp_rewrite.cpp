#include "relay/sdp_rewrite.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace vqas {
namespace {

constexpr std::string_view kNoneInALine("\0\r", 2);

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    if (end > 0) words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

std::optional<std::uint32_t> numeric_host(std::string_view text) {
  in_addr address{};
  if (::inet_pton(AF_INET, std::string(text).c_str(), &address) != 1) return std::nullopt;
  return ntohl(address.s_addr);
}

bool names_an_address(std::string_view line) {
  constexpr std::array<std::string_view, 4> kAttributes = {"a=rtcp:", "a=candidate:", "a=ice-", "a=remote-candidates:"};
  for (const std::string_view one : kAttributes) {
    if (line.starts_with(one)) return true;
  }
  return false;
}

// State while the lines of a description are read.
struct Rewriting {
  const SocketAddress& relay;
  SdpRewrite result;
  std::optional<std::uint32_t> session_host;
  std::optional<std::uint32_t> stream_host;
  std::optional<std::uint16_t> port;  // of the audio stream
  bool in_stream = false;
  bool in_audio = false;
  bool session_foreign = false;  // its connection is not IPv4
  std::optional<bool> stream_foreign;

  void put(std::string_view line, std::string_view ending) { result.text.append(line).append(ending); }

  // "c=IN IP4 192.0.2.1", optionally with "/ttl"
  void connection(std::string_view line, std::string_view ending) {
    const auto words = words_of(line.substr(2));
    const bool is_ipv4 = words.size() == 3 && words[0] == "IN" && words[1] == "IP4";
    if (in_audio) stream_foreign = !is_ipv4;
    if (!in_stream) session_foreign = !is_ipv4;
    const auto host = is_ipv4 ? numeric_host(words[2]) : std::nullopt;
    if (in_audio) stream_host = host;
    if (!in_stream) session_host = host;
    // 0.0.0.0 puts the stream on hold, the older way (RFC 3264, clause 8.4).
    if (host == 0U) return put(line, ending);
    put("c=IN IP4 " + host_text(relay), ending);
  }

  // "m=audio 20000 RTP/AVP 0 8"
  void stream(std::string_view line, std::string_view ending) {
    in_stream = true;
    in_audio = false;
    const auto words = words_of(line.substr(2));
    if (words.size() < 3) return put(line, ending);
    std::uint16_t announced = 0;
    std::from_chars(words[1].data(), words[1].data() + words[1].size(), announced);
    const bool is_plain_audio = words[0] == "audio" && words[2] == "RTP/AVP";
    in_audio = !result.audio && is_plain_audio && announced != 0;
    result.audio_off = result.audio_off || (is_plain_audio && announced == 0);
    if (in_audio) {
      result.audio = true;
      port = announced;
    }
    const std::size_t rest = static_cast<std::size_t>(words[1].data() - line.data()) + words[1].size();
    put(std::string("m=").append(words[0]) + " " + std::to_string(in_audio ? relay.port : 0), line.substr(rest));
    result.text.append(ending);
  }

  void line(std::string_view line, std::string_view ending) {
    if (line.starts_with("c=")) return connection(line, ending);
    if (line.starts_with("m=")) return stream(line, ending);
    if (!names_an_address(line)) put(line, ending);
  }
};

}  // namespace

bool has_ambiguous_line(std::string_view sdp) {
  for (std::size_t at = sdp.find_first_of(kNoneInALine); at != std::string_view::npos;
       at = sdp.find_first_of(kNoneInALine, at + 1)) {
    if (sdp[at] == '\0' || (at + 1 < sdp.size() && sdp[at + 1] != '\n')) return true;
  }
  return false;
}

SdpRewrite rewrite_sdp(std::string_view sdp, const SocketAddress& relay) {
  Rewriting rewriting{relay, {}, {}, {}, {}, false, false, false, {}};
  while (!sdp.empty()) {
    const std::size_t end = std::min(sdp.find('\n'), sdp.size());
    const std::size_t next = std::min(end + 1, sdp.size());
    const std::size_t length = end > 0 && sdp[end - 1] == '\r' && end < sdp.size() ? end - 1 : end;
    rewriting.line(sdp.substr(0, length), sdp.substr(length, next - length));
    sdp.remove_prefix(next);
  }
  const auto host = rewriting.stream_host ? rewriting.stream_host : rewriting.session_host;
  if (rewriting.port && host) {
    const SocketAddress named{*host, *rewriting.port};
    rewriting.result.on_hold = *host == 0;
    if (is_unicast(named)) {
      rewriting.result.rtp = named;
    } else if (*host != 0) {
      rewriting.result.unusable = named;
    }
  }
  rewriting.result.foreign = rewriting.result.audio && rewriting.stream_foreign.value_or(rewriting.session_foreign);
  return std::move(rewriting.result);
}

}  // namespace vqas
