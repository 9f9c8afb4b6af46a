// SIP messages and their session descriptions: a message alone, a description alone, and a sequence of datagrams at the
// proxy. Datagrams are separated by a line of "%", then the digit of their sender.
#include <algorithm>
#include <array>

#include "fuzz.h"
#include "relay/sdp_rewrite.h"
#include "relay/sip_message.h"
#include "relay/sip_proxy.h"

using namespace vqas;

namespace {

constexpr SocketAddress kSelf{0xC0000201, 5060};  // 192.0.2.1
constexpr std::array<SocketAddress, 4> kPhones{
    {{0xC6336401, 5070}, {0xC6336402, 5080}, {0xC6336403, 5060}, {0x7F000001, 1}}};

void check_message(const std::string& text) {
  auto message = SipMessage::parse(text);
  if (!message) return;
  const std::string printed = message->text();
  if (printed.empty()) return;
  auto again = SipMessage::parse(printed);
  fuzz::require(again.has_value(), "what was printed can be read");
  fuzz::require(again->method() == message->method() && again->status() == message->status() &&
                    again->cseq_number() == message->cseq_number() && again->call_id() == message->call_id(),
                "what was printed reads as the same message");
  fuzz::require(again->vias().size() == message->vias().size(), "no Via is lost");
  // What a proxy does with a request, and then with its response.
  (void)message->contact_uri();
  (void)message->contact_target();
  (void)message->expires();
  (void)message->record_routes();
  (void)message->top_route();
  (void)message->hides_sdp();
  message->mark_top_via(kPhones[0]);
  (void)message->count_forward();
  message->remove_top_route();
  fuzz::require(message->push_via("SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKx"), "a Via can be added");
  fuzz::require(message->push_record_route("<sip:192.0.2.1:5060;lr>"), "a route can be added");
  if (!message->sdp().empty()) {
    const std::string sdp = rewrite_sdp(message->sdp(), kSelf).text;
    fuzz::require(message->set_sdp(sdp) && message->sdp() == sdp, "a description can be replaced");
  }
  if (message->is_request()) {
    message->set_request_target(kPhones[1]);
    (void)sip_cancel(*message);
    (void)sip_response(*message, 486, "Busy Here");
  }
  (void)message->text();
  message->remove_top_via();
  message->remove_bodies();
  (void)message->text();
}

void check_description(const std::string& text) {
  const SdpRewrite first = rewrite_sdp(text, kSelf);
  const SdpRewrite second = rewrite_sdp(first.text, kSelf);
  fuzz::require(second.text == first.text, "a description that points at the relay stays as it is");
  fuzz::require(second.audio == first.audio, "the audio stream is found again");
  fuzz::require(!second.rtp || second.rtp == kSelf, "the audio goes to the relay only");
}

void check_proxy(const std::string& text) {
  std::uint64_t opened = 0;
  SipMedia media;
  media.open = [&opened]() -> Result<RelayedCallState> {
    RelayedCallState state;
    state.number = opened++;
    state.directions[0].listen = {kSelf.host, 30000};
    state.directions[1].listen = {kSelf.host, 30002};
    return state;
  };
  media.set_peer = [](std::uint64_t, End, const SocketAddress& peer) {
    fuzz::require(is_unicast(peer), "audio is sent to single machines only");
  };
  media.close = [](std::uint64_t) {};
  media.silent_s = [](std::uint64_t) { return 0.0; };
  media.say = [](const std::string& what) { fuzz::require(!what.empty(), "a report has words"); };
  SipProxy proxy(SipOptions{kSelf, {{"b", kPhones[1]}}, 300}, media);
  double now_s = 0;
  std::size_t begin = 0;
  std::string last;
  while (begin < text.size()) {
    std::size_t end = std::min(text.find("\n%", begin), text.size());
    const std::string datagram = text.substr(begin, end - begin);
    const auto from = static_cast<std::size_t>(end + 2 < text.size() ? static_cast<unsigned char>(text[end + 2]) : 0);
    begin = end + 3;
    auto sent = proxy.take(datagram, kPhones[from % kPhones.size()], now_s);
    // A phone that answers what it is sent, so that calls are established.
    if (!sent.empty()) last = sent.front().text;
    if (from % 8 == 7) {
      if (const auto request = SipMessage::parse(last); request && request->is_request()) {
        (void)proxy.take(sip_response(*request, 200, "OK", "Contact: <sip:b@198.51.100.2:5080>\r\n"),
                         sent.empty() ? kPhones[1] : sent.front().to, now_s);
      }
    }
    now_s += static_cast<double>(from % 16);
    for (const auto& one : proxy.expire(now_s)) fuzz::require(!one.text.empty(), "what is sent is not empty");
  }
  for (int n = 0; n < 4; ++n) (void)proxy.expire(now_s += 1000);
  fuzz::require(proxy.counters().calls == 0 || opened > 0, "a call has ports");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of({data, size});
  check_message(text);
  check_description(text);
  check_proxy(text);
  return 0;
}
