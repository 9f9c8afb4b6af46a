#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "relay/sip_message.h"
#include "relay/sip_proxy.h"

namespace vqas::test {

constexpr SocketAddress kSelf{0xC0000201, 5060};    // 192.0.2.1
constexpr SocketAddress kCaller{0xC6336401, 5070};  // 198.51.100.1
constexpr SocketAddress kCallee{0xC6336402, 5080};  // 198.51.100.2

/// The address that reaches the other phone.
constexpr const char* kPhoneB = "sip:b@192.0.2.1:5060";

/// Two phones at a SipProxy, without sockets or clocks: the caller, and the callee "b".
class SipPhones : public ::testing::Test {
 protected:
  SipPhones() {
    SipMedia media;
    media.open = [this]() -> Result<RelayedCallState> {
      if (full_) return Error{ErrorCode::io, "no ports"};
      RelayedCallState state;
      state.number = opened_++;
      state.directions[0].listen = {kSelf.host, 30000};
      state.directions[1].listen = {kSelf.host, 30002};
      return state;
    };
    media.set_peer = [this](std::uint64_t, End side, const SocketAddress& peer) { peers_[side] = peer; };
    media.close = [this](std::uint64_t call) { closed_.insert(call); };
    media.silent_s = [this](std::uint64_t) { return silent_s_; };
    media.say = [this](const std::string& what) { said_ += what + "\n"; };
    proxy_ = std::make_unique<SipProxy>(SipOptions{kSelf, {{"b", kCallee}}, 300}, media);
  }

  static std::string sdp(const SocketAddress& rtp) {
    return fmt::format("v=0\r\no=- 1 1 IN IP4 {0}\r\ns=-\r\nc=IN IP4 {0}\r\nt=0 0\r\nm=audio {1} RTP/AVP 0\r\n",
                       host_text(rtp), rtp.port);
  }
  static std::string with_body(const std::string& head, const std::string& body) {
    return head + fmt::format("Content-Type: application/sdp\r\nContent-Length: {}\r\n\r\n{}", body.size(), body);
  }
  static std::string head(const std::string& method, const std::string& uri = "sip:b@192.0.2.1:5060",
                          const std::string& cseq = "1", const std::string& extra = {}) {
    return fmt::format(
        "{0} {1} SIP/2.0\r\nVia: SIP/2.0/UDP 198.51.100.1:5070;branch=z9hG4bKcaller{2};rport\r\n"
        "From: <sip:a@198.51.100.1>;tag=ta\r\nTo: <sip:b@192.0.2.1>\r\nCall-ID: one@198.51.100.1\r\n"
        "CSeq: {2} {0}\r\nContact: <sip:a@198.51.100.1:5070>\r\n{3}Max-Forwards: 70\r\n",
        method, uri, cseq, extra);
  }
  static std::string invite() { return with_body(head("INVITE"), sdp({kCaller.host, 20000})); }
  static std::string plain(const std::string& head_text) { return head_text + "Content-Length: 0\r\n\r\n"; }

  // The callee's answer to a message of the proxy.
  static std::string answer(const std::string& request, int status, const std::string& body = {}) {
    std::string text =
        sip_response(*SipMessage::parse(request), status, "Status", "Contact: <sip:b@198.51.100.2:5080>\r\n");
    const std::string tag = std::string(";tag=") + kSipOwnTag;
    if (const auto own = text.find(tag); own != std::string::npos) text.replace(own, tag.size(), ";tag=tb");
    text.replace(text.find("Content-Length: 0\r\n\r\n"), std::string::npos, "");
    return body.empty() ? text + "Content-Length: 0\r\n\r\n" : with_body(text, body);
  }
  SipProxy::Outgoing only(const std::string& text, const SocketAddress& from, double now_s = 0) {
    const auto out = proxy_->take(text, from, now_s);
    EXPECT_EQ(out.size(), 1U) << text;
    return out.empty() ? SipProxy::Outgoing() : out.front();
  }
  /// A request of the caller within the call made by establish().
  static std::string in_dialogue(const std::string& method, const std::string& cseq, const std::string& to_tag = "tb") {
    std::string text = head(method, "sip:b@198.51.100.2:5080", cseq, "Route: <sip:192.0.2.1:5060;lr>\r\n");
    const std::string to = "To: <sip:b@192.0.2.1>";
    text.replace(text.find(to), to.size(), to + ";tag=" + to_tag);
    const std::string branch = "branch=z9hG4bKcaller" + cseq;
    return text.replace(text.find(branch), branch.size(), branch + method);
  }
  /// The same from the callee.
  static std::string of_callee(const std::string& method, const std::string& cseq, const std::string& from_tag = "tb") {
    return fmt::format(
        "{0} sip:a@198.51.100.1:5070 SIP/2.0\r\nVia: SIP/2.0/UDP 198.51.100.2:5080;branch=z9hG4bKcallee{1}\r\n"
        "From: <sip:b@192.0.2.1>;tag={2}\r\nTo: <sip:a@198.51.100.1>;tag=ta\r\nCall-ID: one@198.51.100.1\r\n"
        "CSeq: {1} {0}\r\nContact: <sip:b@198.51.100.2:5080>\r\nRoute: <sip:192.0.2.1:5060;lr>\r\n"
        "Max-Forwards: 70\r\n",
        method, cseq, from_tag);
  }
  void establish() {
    const auto forwarded = only(invite(), kCaller);
    only(answer(forwarded.text, 200, sdp({kCallee.host, 20100})), kCallee);
  }
  static std::string bye(const std::string& to_tag = "tb") { return plain(in_dialogue("BYE", "2", to_tag)); }
  /// The proxy's own answer to a request; 0: no answer, or forwarded.
  int refused_with(const std::string& text, const SocketAddress& from, double now_s = 0) {
    const auto out = proxy_->take(text, from, now_s);
    const auto answer = out.empty() ? std::nullopt : SipMessage::parse(out.front().text);
    return answer && !answer->is_request() ? answer->status() : 0;
  }

  static std::string with_parts(const std::string& head, const std::vector<std::string>& parts) {
    std::string body;
    for (const std::string& part : parts) body += "--cut\r\n" + part + "\r\n";
    body += "--cut--\r\n";
    return head +
           fmt::format("Content-Type: multipart/mixed;boundary=cut\r\nContent-Length: {}\r\n\r\n{}", body.size(), body);
  }
  static std::string sdp_part(const SocketAddress& rtp) { return "Content-Type: application/sdp\r\n\r\n" + sdp(rtp); }

  double silent_s_ = 0;
  std::string said_;
  bool full_ = false;
  std::uint64_t opened_ = 0;
  std::map<End, SocketAddress> peers_;
  std::set<std::uint64_t> closed_;
  std::unique_ptr<SipProxy> proxy_;
};

}  // namespace vqas::test
