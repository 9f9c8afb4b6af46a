#include "line/media/telephone_event.h"

#include <memory>
#include <string_view>
#include <utility>

// Each header after those it needs.
// clang-format off
extern "C" {
#include <re_types.h>
#include <re_sa.h>
#include <re_mbuf.h>
#include <re_mem.h>
#include <re_rtp.h>
}
// clang-format on

namespace vqas {
namespace {

constexpr std::string_view kDigits = "0123456789*#ABCD";  // RFC 4733, 3.2
constexpr std::uint8_t kVolume = 10;                      // -10 dBm0
constexpr std::uint8_t kEnd = 0x80;

struct Release {
  void operator()(void* object) const { mem_deref(object); }
};

}  // namespace

std::array<std::uint8_t, 4> event_payload(const EventBlock& block, std::uint32_t ticks) {
  const auto duration = static_cast<std::uint16_t>(static_cast<std::uint32_t>(block.blocks) * ticks);
  return {block.event, static_cast<std::uint8_t>(kVolume | (block.last ? kEnd : 0)),
          static_cast<std::uint8_t>(duration >> 8), static_cast<std::uint8_t>(duration)};
}

std::optional<std::uint8_t> event_of_digit(char digit) {
  const std::size_t at = kDigits.find(digit);
  return at == std::string_view::npos ? std::nullopt : std::optional(static_cast<std::uint8_t>(at));
}

char digit_of_event(std::uint8_t event) {
  return kDigits.at(event);
}

bool EventReceiver::expects(std::span<const std::uint8_t> datagram) const {
  constexpr std::size_t kLeast = 16;  // the header of RTP and the event
  return payload_type_ && datagram.size() >= kLeast && datagram[0] >> 6 == RTP_VERSION &&
         (datagram[1] & 0x7F) == *payload_type_;
}

std::optional<std::uint16_t> EventReceiver::take(std::span<const std::uint8_t> datagram) {
  if (!payload_type_) return std::nullopt;
  const std::unique_ptr<mbuf, Release> packet(mbuf_alloc(datagram.size()));
  mbuf_write_mem(packet.get(), datagram.data(), datagram.size());
  packet->pos = 0;
  rtp_header header{};
  if (rtp_hdr_decode(&header, packet.get()) != 0 || header.ver != RTP_VERSION || header.pt != *payload_type_)
    return std::nullopt;
  if (packet->end - packet->pos < 4 || packet->buf[packet->pos] >= kDigits.size()) return std::nullopt;
  // A packet of an earlier event may have been overtaken.
  if (last_ && last_->ssrc == header.ssrc && static_cast<std::int32_t>(header.ts - last_->timestamp) <= 0)
    return header.seq;
  last_ = {header.ssrc, header.ts};
  quiet_ = 0;
  if (digits_.size() < kMostDigits) digits_ += digit_of_event(packet->buf[packet->pos]);
  return header.seq;
}

std::string EventReceiver::take_digits() {
  if (digits_.empty() || ++quiet_ < kPause) return {};
  return std::exchange(digits_, {});
}

}  // namespace vqas
