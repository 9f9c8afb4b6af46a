#pragma once

#include <memory>

#include "line/media/rtp_codec.h"

namespace vqas {

/// ITU-T G.711, bit-exact (vqas/channel/g711.h).
std::unique_ptr<RtpCodec> make_g711_codec(G711Law law);
/// ITU-T G.722 at 64 kbit/s (line/media/g722.h): a narrowband end uses the lower sub-band.
std::unique_ptr<RtpCodec> make_g722_codec(int rate_hz);
/// RFC 3551, 4.5.11: 16-bit samples, most significant octet first, at 8 or 16 kHz.
std::unique_ptr<RtpCodec> make_l16_codec();
std::unique_ptr<RtpCodec> make_l16_wideband_codec(int rate_hz);
/// RFC 6716 by libopus: 24 kbit/s in narrowband, 32 kbit/s at 16 kHz; decoded at the line's rate, whatever the other
/// end sends. Its own concealment. Of the format: `repeats`, `far_plays_hz`, `rate_hz`.
std::unique_ptr<RtpCodec> make_opus_codec(const RtpFormat& format);
/// GSM 06.10 full rate by libgsm: RFC 3551, 4.5.8.
std::unique_ptr<RtpCodec> make_gsm_codec();

}  // namespace vqas
