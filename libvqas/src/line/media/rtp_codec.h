#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "line/media/rtp_format.h"

namespace vqas {

/// The codec of one stream: an encoder, a decoder, and what replaces a packet that is lost. Blocks are 20 ms at the
/// rate of the format, full scale ±1. Delays of the codec itself: libvqas/doc/codecs.md. For one thread.
class RtpCodec {
 public:
  virtual ~RtpCodec() = default;
  RtpCodec() = default;
  RtpCodec(const RtpCodec&) = delete;
  RtpCodec& operator=(const RtpCodec&) = delete;

  /// The payload of the next 20 ms; valid until the next call.
  virtual std::span<const std::uint8_t> encode(std::span<const float> block) = 0;
  /// Whether arbitrary octets can be 20 ms of this encoding. Others must not be given to decode().
  virtual bool fits(std::span<const std::uint8_t> payload) const = 0;
  virtual void decode(std::span<const std::uint8_t> payload, std::span<float> block) = 0;
  /// 20 ms in place of a lost packet. `next`: the payload of the packet after it, if it has come; else empty.
  virtual void conceal(std::span<const std::uint8_t> next, std::span<float> block) = 0;
};

/// At 16 kHz a codec of the narrow band has a filter before and after it, of 2 ms each.
std::unique_ptr<RtpCodec> make_codec(const RtpFormat& format);

}  // namespace vqas
