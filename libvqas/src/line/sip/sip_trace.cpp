#include "line/sip/sip_trace.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <ctime>
#include <utility>

#include "vqas/signal/plain_text.h"

namespace vqas {
namespace {

constexpr std::size_t kLateCalls = 2000;  // that are over and may still get messages
constexpr std::size_t kLongestId = 256;   // octets of a Call-ID, which its maker chooses
constexpr const char* kBlank = "(blanked)";
constexpr std::array<std::string_view, 4> kSecretHeaders{"authorization", "proxy-authorization", "authentication-info",
                                                         "proxy-authentication-info"};

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

// "scheme:user:password@host", where a password may have any character but those between words (RFC 3261, 19.1.1), and
// "?Authorization=…" (the same, headers in an address). `small`: the word in small letters.
std::string word_without_secrets(std::string_view word, std::string_view small) {
  constexpr std::string_view kHeader = "authorization=";
  std::string out;
  std::size_t done = 0;
  if (const std::size_t at = word.rfind('@'); at != std::string_view::npos) {
    const std::size_t sip = std::min(small.find("sip:"), small.find("sips:"));
    const std::size_t scheme = word.find(':', sip < at ? sip : 0);
    const std::size_t secret = scheme < at ? word.find(':', scheme + 1) : std::string_view::npos;
    if (secret < at) {
      out = fmt::format("{}{}", word.substr(0, secret + 1), kBlank);
      done = at;
    }
  }
  for (std::size_t header = small.find(kHeader, done); header != std::string_view::npos;
       header = small.find(kHeader, done)) {
    const std::size_t value = header + kHeader.size();
    out += word.substr(done, value - done);
    out += kBlank;
    done = std::min(word.find('&', value), word.size());
  }
  return out += word.substr(done);
}

std::string without_secrets(std::string_view line) {
  constexpr std::string_view kBetween = "<> \t\"";
  const std::string small = lower(line);
  std::string out;
  for (std::size_t from = 0; from < line.size();) {
    const std::size_t end = std::min(line.find_first_of(kBetween, from), line.size());
    out += word_without_secrets(line.substr(from, end - from), std::string_view(small).substr(from, end - from));
    if (end < line.size()) out += line[end];
    from = end + 1;
  }
  return out;
}

bool is_sdp(std::string_view content_type_line) {
  std::string type = lower(content_type_line.substr(content_type_line.find(':') + 1));
  type.resize(std::min(type.find(';'), type.size()));
  std::erase_if(type, [](char c) { return c == ' ' || c == '\t'; });
  return type == "application/sdp";
}

std::string without_key(std::string_view line) {
  const std::string small = lower(line);
  if (small.starts_with("a=key-mgmt") || small.starts_with("a=ice-pwd") || small.starts_with("k="))
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
  traced.invited = !sent && message.starts_with("INVITE ");
  traced.registers = sent && message.starts_with("REGISTER ");
  traced.text = fmt::format("{} {} {} by {}, {} octets\n", time_of(utc_s), sent ? "sent to" : "received from",
                            to_string(other), transport, message.size());
  bool secret = false, begun = false, in_body = false;
  std::size_t types = 0, sdp_types = 0;
  while (!message.empty()) {
    const std::size_t end = message.find_first_of("\r\n");
    const std::string_view line = message.substr(0, end);
    std::size_t next = end == std::string_view::npos ? message.size() : end + 1;
    if (end != std::string_view::npos && message[end] == '\r' && next < message.size() && message[next] == '\n') ++next;
    message.remove_prefix(next);
    // Other bodies may hold anything, such as the digits of a PIN.
    begun = begun || !line.empty();
    if (line.empty() && begun && !in_body) {
      in_body = true;
      if (!message.empty() && (types == 0 || sdp_types != types)) {
        traced.text += fmt::format("\n    {}\n", kBlank);
        break;
      }
    }
    // A header continues on lines that begin with a blank (RFC 3261, 7.3.1).
    const bool continues = line.starts_with(' ') || line.starts_with('\t');
    const std::string name = continues ? std::string() : header_of(line);
    if (!continues) secret = std::ranges::find(kSecretHeaders, name) != kSecretHeaders.end();
    if (secret && continues) continue;
    if (!in_body && (name == "content-type" || name == "c")) {
      ++types;
      sdp_types += is_sdp(line) ? 1 : 0;
    }
    if ((name == "call-id" || name == "i") && traced.call_id.empty()) {
      traced.call_id = line.substr(line.find(':') + 1);
      traced.call_id.erase(0, traced.call_id.find_first_not_of(" \t"));
    }
    const std::string shown =
        secret ? fmt::format("{}: {}", line.substr(0, line.find(':')), kBlank) : without_secrets(without_key(line));
    traced.text += shown.empty() ? "\n" : "    " + plain_text(shown) + "\n";
  }
  return traced;
}

std::string TraceBudget::admit(std::int64_t now_ns, const std::string& entry) {
  room_ = std::min(kAtOnce, room_ + kPerSecond * 1e-9 * static_cast<double>(now_ns - last_ns_));
  last_ns_ = now_ns;
  const auto size = static_cast<double>(entry.size());
  // After a flood it waits for some room, so that single messages of it are not what is kept.
  const double wanted = left_out_ == 0 ? size : std::max(size, kAtOnce / 4);
  const auto counted = [this] {
    return fmt::format("(left out until here: {} message{})\n", left_out_, left_out_ == 1 ? "" : "s");
  };
  if (room_ < wanted) {
    ++left_out_;
    std::string line;
    if (left_out_ == 1) line = "(left out from here: messages that came faster than a trace may grow)\n";
    return std::has_single_bit(left_out_) ? line + counted() : line;
  }
  room_ -= size;
  std::string text = left_out_ == 0 ? std::string() : counted();
  left_out_ = 0;
  return text + entry;
}

void TraceBudget::hand_over(std::size_t octets, TraceBudget& to) {
  to.room_ -= static_cast<double>(octets);
  to.last_ns_ = last_ns_;
  room_ = std::min(kAtOnce, room_ + static_cast<double>(octets));
}

// Null: it is not remembered.
TraceByCall::Named* TraceByCall::remember(const std::string& call_id, std::uint32_t call) {
  if (call_id.empty() || call_id.size() > kLongestId) return nullptr;
  Named& named = names_.try_emplace(call_id, Named{call, {}}).first->second;
  if (!named.budget) named.call = call;
  if (named.call == call) live_[call] = call_id;
  return &named;
}

void TraceByCall::name(const std::string& call_id, std::uint32_t call) {
  Named* const named = remember(call_id, call);
  if (named != nullptr && !named->budget) named->budget.emplace();
}

void TraceByCall::accept(const std::string& call_id, std::uint32_t call) {
  Named* const named = remember(call_id, call);
  if (named != nullptr && !named->budget) named->drawn = 0;
}

void TraceByCall::over(std::uint32_t call) {
  auto ended = live_.extract(call);
  if (ended.empty()) return;
  over_.emplace_back(call, std::move(ended.mapped()));
  if (over_.size() <= kLateCalls) return;
  // A later call may have taken the Call-ID over.
  const auto oldest = names_.find(over_.front().second);
  if (oldest != names_.end() && oldest->second.call == over_.front().first) names_.erase(oldest);
  over_.pop_front();
}

void TraceByCall::confirm(const std::string& call_id) {
  const auto named = names_.find(call_id);
  if (named == names_.end() || named->second.budget) return;
  of_unconfirmed_.hand_over(named->second.drawn, named->second.budget.emplace());
}

void TraceByCall::add(std::int64_t now_ns, const SipTraced& entry) {
  if (dialling_ != 0) name(entry.call_id, dialling_);
  if (entry.registers) registration_ = entry.call_id;
  if (waiting_) keep(now_ns, *std::exchange(waiting_, std::nullopt));
  if (entry.invited && !names_.contains(entry.call_id)) {
    waiting_ = entry;
  } else {
    keep(now_ns, entry);
  }
}

// Of a call, or of none where `named` is null.
std::string TraceByCall::admitted(Named* named, std::int64_t now_ns, const SipTraced& entry) {
  if (named == nullptr) {
    const bool own = !entry.call_id.empty() && entry.call_id == registration_;
    return (own ? of_registration_ : of_no_call_).admit(now_ns, entry.text);
  }
  if (named->budget) return named->budget->admit(now_ns, entry.text);
  const std::string text = of_unconfirmed_.admit(now_ns, entry.text);
  if (text.ends_with(entry.text)) named->drawn += entry.text.size();
  return text;
}

void TraceByCall::keep(std::int64_t now_ns, const SipTraced& entry) {
  const auto found = names_.find(entry.call_id);
  Named* const named = found == names_.end() ? nullptr : &found->second;
  const std::string text = admitted(named, now_ns, entry);
  if (!text.empty()) keep_(named == nullptr ? 0 : named->call, text);
}

void TraceQueue::add(std::uint32_t call, const std::string& text) {
  if (octets_ > kMost) return;
  octets_ += text.size();
  if (octets_ <= kMost) {
    waiting_.push_back({call, text});
  } else {
    waiting_.push_back({0, "(left out from here: more messages came than were fetched in time)\n"});
  }
}

std::vector<LineTrace> TraceQueue::take() {
  octets_ = 0;
  return std::exchange(waiting_, {});
}

}  // namespace vqas
