#include "line/media/rtp_codec.h"

#include "line/media/codecs.h"

namespace vqas {

std::unique_ptr<RtpCodec> make_codec(const RtpFormat& format) {
  switch (format.encoding) {
    case RtpEncoding::pcmu:
      return make_g711_codec(G711Law::mu);
    case RtpEncoding::pcma:
      return make_g711_codec(G711Law::a);
    case RtpEncoding::g722:
      return make_g722_codec();
    case RtpEncoding::l16:
      return make_l16_codec();
    case RtpEncoding::l16wb:
      return make_l16_wideband_codec();
    case RtpEncoding::opus:
      return make_opus_codec(format.repeats);
    case RtpEncoding::gsm:
      break;
  }
  return make_gsm_codec();
}

}  // namespace vqas
