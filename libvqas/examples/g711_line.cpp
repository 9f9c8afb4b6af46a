// Puts a recording through a G.711 line with bit errors. The same seed gives the same errors.
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "vqas/channel/carry_signal.h"
#include "vqas/signal/audio_file.h"

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: g711_line IN.wav OUT.wav BER SEED\n");
    return 2;
  }
  const auto sent = vqas::read_audio(argv[1], {.rate_hz = vqas::kLineRateHz});
  if (!sent) {
    std::fprintf(stderr, "%s\n", sent.error().message.c_str());
    return 3;
  }
  vqas::LineConditions line;  // mu-law
  line.ber = std::atof(argv[3]);
  line.delay_s = 0;  // what is heard is aligned with what was sent
  // Nothing but codec and errors; leave these four lines out for a line with a band limit and noise.
  line.band_limit = false;
  line.circuit_noise_dbm0p = -std::numeric_limits<double>::infinity();
  line.gain_ripple_db = 0;
  line.fresh_phase = false;
  const auto carried = carry_signal(*sent, line, std::strtoull(argv[4], nullptr, 10));
  if (!carried) {
    std::fprintf(stderr, "%s\n", carried.error().message.c_str());
    return 3;
  }
  if (const auto written = write_audio(argv[2], carried->heard, vqas::AudioFormat::wav16); !written) {
    std::fprintf(stderr, "%s\n", written.error().message.c_str());
    return 7;
  }
  std::printf("%llu of %llu bits in error\n", static_cast<unsigned long long>(carried->bit_errors),
              static_cast<unsigned long long>(carried->bits));
}
