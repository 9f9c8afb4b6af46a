#include <codec2/codec2.h>
#include <opencore-amrnb/interf_dec.h>
#include <opencore-amrnb/interf_enc.h>
#include <spandsp.h>

#include <array>
#include <memory>

#include "sync_impairments.h"
#include "vqas/signal/audio_file.h"

namespace vqas::bench {
namespace {

constexpr std::size_t kFrame = 160;
using Samples = std::vector<std::int16_t>;

Samples to_frames(const Travelling& line) {
  Samples linear = to_int16(Signal{line.samples, kLineRateHz});
  linear.resize((linear.size() + kFrame - 1) / kFrame * kFrame);
  return linear;
}

void from_frames(Travelling& line, const Samples& linear) {
  line.samples.resize(linear.size());
  for (std::size_t n = 0; n < linear.size(); ++n) line.samples[n] = static_cast<float>(linear[n] / 32768.0);
}

}  // namespace

Impairment gsm() {
  return [](Travelling& line, std::mt19937_64&) {
    using State = std::unique_ptr<gsm0610_state_t, int (*)(gsm0610_state_t*)>;
    const State encoder(gsm0610_init(nullptr, GSM0610_PACKING_NONE), gsm0610_free);
    const State decoder(gsm0610_init(nullptr, GSM0610_PACKING_NONE), gsm0610_free);
    Samples linear = to_frames(line);
    std::vector<std::uint8_t> code(linear.size());
    const int bytes = gsm0610_encode(encoder.get(), code.data(), linear.data(), static_cast<int>(linear.size()));
    linear.resize(static_cast<std::size_t>(gsm0610_decode(decoder.get(), linear.data(), code.data(), bytes)));
    from_frames(line, linear);
  };
}

Impairment amr(int mode) {
  return [=](Travelling& line, std::mt19937_64&) {
    const std::unique_ptr<void, void (*)(void*)> encoder(Encoder_Interface_init(0), Encoder_Interface_exit);
    const std::unique_ptr<void, void (*)(void*)> decoder(Decoder_Interface_init(), Decoder_Interface_exit);
    Samples linear = to_frames(line);
    std::array<unsigned char, 64> code{};
    for (std::size_t at = 0; at < linear.size(); at += kFrame) {
      Encoder_Interface_Encode(encoder.get(), static_cast<Mode>(mode), linear.data() + at, code.data(), 0);
      Decoder_Interface_Decode(decoder.get(), code.data(), linear.data() + at, 0);
    }
    from_frames(line, linear);
  };
}

Impairment codec2_3200() {
  return [](Travelling& line, std::mt19937_64&) {
    using State = std::unique_ptr<CODEC2, void (*)(CODEC2*)>;
    const State encoder(codec2_create(CODEC2_MODE_3200), codec2_destroy);
    const State decoder(codec2_create(CODEC2_MODE_3200), codec2_destroy);
    Samples linear = to_frames(line);
    std::array<unsigned char, 64> code{};
    for (std::size_t at = 0; at < linear.size(); at += kFrame) {
      codec2_encode(encoder.get(), code.data(), linear.data() + at);
      codec2_decode(decoder.get(), linear.data() + at, code.data());
    }
    from_frames(line, linear);
  };
}

}  // namespace vqas::bench
