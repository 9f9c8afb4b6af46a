#include "relay/rtp.h"

namespace vqas {
namespace {

constexpr std::size_t kFixedHeader = 12;

std::uint16_t word16(std::span<const std::uint8_t> octets, std::size_t at) {
  return static_cast<std::uint16_t>(octets[at] << 8U | octets[at + 1]);
}

std::uint32_t word32(std::span<const std::uint8_t> octets, std::size_t at) {
  return std::uint32_t{word16(octets, at)} << 16U | word16(octets, at + 2);
}

}  // namespace

RtpParse parse_rtp(std::span<const std::uint8_t> packet) {
  RtpParse parse;
  const auto failed = [&parse](RtpFault fault) {
    parse.fault = fault;
    return parse;
  };
  if (packet.size() < kFixedHeader) return failed(RtpFault::too_short);
  if (packet[0] >> 6U != 2) return failed(RtpFault::version);
  std::size_t begin = kFixedHeader + std::size_t{4} * (packet[0] & 0x0FU);
  if ((packet[0] & 0x10U) != 0) {
    if (packet.size() < begin + 4) return failed(RtpFault::too_short);
    begin += 4 + std::size_t{4} * word16(packet, begin + 2);
  }
  if (packet.size() < begin) return failed(RtpFault::too_short);
  std::size_t size = packet.size() - begin;
  if ((packet[0] & 0x20U) != 0) {
    const std::size_t padding = packet.back();
    if (padding == 0 || padding > size) return failed(RtpFault::padding);
    size -= padding;
  }
  parse.header = {.payload_type = static_cast<std::uint8_t>(packet[1] & 0x7FU),
                  .marker = (packet[1] & 0x80U) != 0,
                  .sequence = word16(packet, 2),
                  .timestamp = word32(packet, 4),
                  .ssrc = word32(packet, 8),
                  .payload_begin = begin,
                  .payload_size = size};
  return parse;
}

bool is_rtcp(std::span<const std::uint8_t> packet) {
  return packet.size() >= 8 && packet[0] >> 6U == 2 && packet[1] >= 192 && packet[1] <= 223;
}

}  // namespace vqas
