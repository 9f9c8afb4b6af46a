// Packets of RTP and RTCP, a sequence of them, as the line and the relay take them. The bytes are packets, each behind
// its length and the time since the one before.
#include "relay/rtp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "fuzz.h"
#include "line/media/telephone_event.h"
#include "line/rtcp.h"
#include "line/rtp_stream.h"
#include "line/sip/digits.h"
#include "line/sip/sdes.h"
#include "relay/relay_path.h"

using namespace vqas;

namespace {

constexpr std::size_t kLongest = 400;

void check_header(std::span<const std::uint8_t> packet) {
  const RtpParse parsed = parse_rtp(packet);
  if (!parsed) return;
  fuzz::require(parsed.header.payload_begin + parsed.header.payload_size <= packet.size(),
                "the payload lies in the packet");
  fuzz::require(parsed.header.payload_begin >= 12, "the payload follows the header");
}

// A key that was read is written as it was; digits that were read end.
void check_words(const std::string& words) {
  if (const auto crypto = parse_crypto(words)) {
    const auto again = parse_crypto(to_text(*crypto));
    fuzz::require(again && again->key == crypto->key && again->tag == crypto->tag, "a key reads back the same");
  }
  if (const auto steps = parse_digits(words))
    fuzz::require(DigitWalk(*steps, true).blocks() > 0, "digits that were read take time");
}

RelayConditions conditions(std::uint8_t choice) {
  RelayConditions result;
  result.delay_ms = 100;
  if (choice % 4 == 1) result.profile.errors = {RandomRate{.ber = 0.1}};
  if (choice % 4 == 2) result.profile.slips = {Slip{.at_s = 0, .octets = -80, .every_s = 1}};
  if (choice % 4 == 3) result.profile.packets = PacketConditions{};
  return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::uint8_t choice = input.byte();
  const RtpFormat format(encodings()[choice % encodings().size()].encoding);
  EventReceiver events(std::uint8_t{101});
  RtpReceiver receiver(format, 1 + choice % 25, choice < 128 ? 5004 : 0);
  const RelayConditions relayed = conditions(input.byte());
  fuzz::require(static_cast<bool>(validate(relayed)), "the conditions are valid");
  RelayPath path(relayed, 1, 0);
  std::int64_t now_ns = 1'000'000'000;
  std::array<float, kLineBlock> heard{};
  for (int n = 0; n < 200 && !input.empty(); ++n) {
    const std::uint8_t what = input.byte();
    now_ns += std::int64_t{input.byte()} * (what % 8 == 0 ? 50'000'000 : 1'000'000);
    const auto bytes = input.bytes(input.below_or_equal(kLongest));
    check_header(bytes);
    (void)is_rtcp(bytes);
    const std::uint32_t ssrc = receiver.ssrc().value_or(0);
    if (says_goodbye(bytes, ssrc)) receiver.said_goodbye(now_ns);
    (void)receiver.take(bytes, now_ns, static_cast<std::uint16_t>(5000 + what % 8));
    (void)events.take(bytes);
    (void)events.take_digits();
    check_words({bytes.begin(), bytes.end()});
    if (what % 3 == 0) {
      receiver.play_next_at(now_ns);
      receiver.play(heard);
      for (const float sample : heard) fuzz::require(std::isfinite(sample), "what is played is finite");
    }
    if (what % 16 == 1) receiver.rest();
    if (what % 16 == 2) receiver.pass_over(what);
    (void)receiver.notice();
    (void)receiver.take_warning();
    std::vector<std::uint8_t> packet(bytes.begin(), bytes.end());
    const PacketOrder order = path.take(packet, now_ns);
    fuzz::require(order.copies >= 0 && order.copies <= 2, "a packet leaves at most twice");
    fuzz::require(order.copies == 0 || order.due_ns >= now_ns, "a packet leaves after it came");
    if (!parse_rtp(bytes)) fuzz::require(std::ranges::equal(packet, bytes), "only the payload of RTP is changed");
    (void)path.take_rtcp(bytes, now_ns);
  }
  const auto goodbye = rtcp_goodbye(7);
  fuzz::require(says_goodbye(goodbye, 7) && !says_goodbye(goodbye, 8), "a goodbye names its source");
  return 0;
}
