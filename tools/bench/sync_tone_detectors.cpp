// Plays many marks of both ends to spandsp's detectors of DTMF, signalling, fax, modem and call-progress tones, and
// counts their reports; each detector must first detect its own tone. Register signals (Bell MF, R2) are counted
// separately: their receivers are active between exchanges during call set-up, never during a call. Exits with 1 when
// any other detector reports something.
// usage: sync_tone_detectors [PAIRS]
#include <spandsp.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "vqas/signal/audio_file.h"
#include "vqas/sync/transmission.h"

namespace {

using namespace vqas;
using Samples = std::vector<std::int16_t>;

struct Detector {
  std::string name;
  Samples own;                           // the detector's own tone
  std::function<int(Samples&)> reports;  // on a whole recording
  bool register_signals = false;
};

void count_digits(void* count, const char*, int digits) {
  *static_cast<int*>(count) += digits;
}
void count_tone(void* count, int code, int, int) {
  if (code > 0) ++*static_cast<int*>(count);
}

int dtmf(Samples& samples) {
  int count = 0;
  dtmf_rx_state_t* state = dtmf_rx_init(nullptr, count_digits, &count);
  dtmf_rx(state, samples.data(), static_cast<int>(samples.size()));
  dtmf_rx_free(state);
  return count;
}

int bell_mf(Samples& samples) {
  int count = 0;
  bell_mf_rx_state_t* state = bell_mf_rx_init(nullptr, count_digits, &count);
  bell_mf_rx(state, samples.data(), static_cast<int>(samples.size()));
  bell_mf_rx_free(state);
  return count;
}

int r2_mf(Samples& samples) {
  int count = 0;
  r2_mf_rx_state_t* state = r2_mf_rx_init(nullptr, 1, count_tone, &count);
  r2_mf_rx(state, samples.data(), static_cast<int>(samples.size()));
  r2_mf_rx_free(state);
  return count;
}

int modem(int tone, Samples& samples) {
  int count = 0;
  modem_connect_tones_rx_state_t* state = modem_connect_tones_rx_init(nullptr, tone, count_tone, &count);
  modem_connect_tones_rx(state, samples.data(), static_cast<int>(samples.size()));
  modem_connect_tones_rx_free(state);
  return count;
}

int signalling(int tone, Samples samples) {
  int count = 0;
  sig_tone_rx_state_t* state = sig_tone_rx_init(nullptr, tone, count_tone, &count);
  for (std::size_t at = 0; at + 160 <= samples.size(); at += 160) sig_tone_rx(state, samples.data() + at, 160);
  sig_tone_rx_free(state);
  return count;
}

int supervisory(int first_hz, int second_hz, Samples& samples) {
  int count = 0;
  super_tone_rx_descriptor_t* descriptor = super_tone_rx_make_descriptor(nullptr);
  const int tone = super_tone_rx_add_tone(descriptor);
  super_tone_rx_add_element(descriptor, tone, first_hz, second_hz, 200, 0);
  const auto callback = [](void* user, int code, int, int) {
    if (code >= 0) ++*static_cast<int*>(user);
  };
  super_tone_rx_state_t* state = super_tone_rx_init(nullptr, descriptor, callback, &count);
  super_tone_rx(state, samples.data(), static_cast<int>(samples.size()));
  super_tone_rx_free(state);
  super_tone_rx_free_descriptor(descriptor);
  return count;
}

Samples tone(const std::vector<double>& frequencies, double seconds) {
  Samples samples(static_cast<std::size_t>(seconds * kLineRateHz));
  for (std::size_t n = 0; n < samples.size(); ++n) {
    double sum = 0;
    for (const double f : frequencies) sum += std::sin(2 * std::numbers::pi * f / kLineRateHz * static_cast<double>(n));
    samples[n] = static_cast<std::int16_t>(4000 * sum);
  }
  samples.resize(samples.size() + kLineRateHz, 0);
  return samples;
}

// HDLC flags on channel 2 of V.21, the start of every fax message (ITU-T T.30).
Samples fax_preamble() {
  Samples samples(2 * kLineRateHz);
  int bit = 0;
  const auto next_bit = [](void* user) -> int {
    int& place = *static_cast<int*>(user);
    place = (place + 1) % 8;
    return (0x7E >> place) & 1;
  };
  fsk_tx_state_t* state = fsk_tx_init(nullptr, &preset_fsk_specs[FSK_V21CH2], next_bit, &bit);
  fsk_tx(state, samples.data(), static_cast<int>(samples.size()));
  fsk_tx_free(state);
  return samples;
}

Samples marks(int count) {
  std::mt19937_64 random(1);
  Signal all;
  for (int i = 0; i < count; ++i) {
    const MarkData data{i % 2 == 0 ? End::a : End::b, static_cast<std::uint32_t>(random() & 0xFFFFFF),
                        static_cast<std::uint8_t>(random()), static_cast<std::uint16_t>(random()),
                        static_cast<std::uint16_t>(random())};
    const Transmission part = compose_transmission(Signal{}, data, {});
    all.samples.insert(all.samples.end(), part.signal.samples.begin(), part.signal.samples.end());
    all.samples.resize(all.samples.size() + 1600 + random() % 4000, 0.0F);
  }
  return to_int16(all);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 1000;
  const auto modems = [](int kind) { return [kind](Samples& s) { return modem(kind, s); }; };
  const auto lines = [](int kind) { return [kind](Samples& s) { return signalling(kind, s); }; };
  const auto progress = [](int low, int high) { return [=](Samples& s) { return supervisory(low, high, s); }; };
  std::vector<Detector> detectors = {
      {"DTMF", tone({770, 1336}, 0.1), dtmf},
      {"fax CNG 1100 Hz", tone({1100}, 3), modems(MODEM_CONNECT_TONES_FAX_CNG)},
      {"fax preamble (V.21)", fax_preamble(), modems(MODEM_CONNECT_TONES_FAX_PREAMBLE)},
      {"answer tone 2100 Hz", tone({2100}, 3), modems(MODEM_CONNECT_TONES_ANS)},
      {"Bell answer 2225 Hz", tone({2225}, 3), modems(MODEM_CONNECT_TONES_BELL_ANS)},
      {"calling tone 1300 Hz", tone({1300}, 3), modems(MODEM_CONNECT_TONES_CALLING_TONE)},
      {"signalling 2280 Hz", tone({2280}, 3), lines(SIG_TONE_2280HZ)},
      {"signalling 2600 Hz", tone({2600}, 3), lines(SIG_TONE_2600HZ)},
      {"signalling 2400+2600 Hz", tone({2400, 2600}, 3), lines(SIG_TONE_2400HZ_2600HZ)},
      {"dial tone 350+440 Hz", tone({350, 440}, 3), progress(350, 440)},
      {"ringing 440+480 Hz", tone({440, 480}, 3), progress(440, 480)},
      {"busy 480+620 Hz", tone({480, 620}, 3), progress(480, 620)},
      {"425 Hz", tone({425}, 3), progress(425, 0)},
      {"Bell MF", tone({900, 1100}, 0.1), bell_mf, true},
      {"R2 MF forward", tone({1500, 1740}, 0.1), r2_mf, true},
  };
  Samples played = marks(count);
  int fired = 0, register_fired = 0;
  std::printf("%-26s %10s %10s\n", "detector", "own tone", "marks");
  for (Detector& detector : detectors) {
    const int heard = detector.reports(detector.own), mistaken = detector.reports(played);
    (detector.register_signals ? register_fired : fired) += mistaken;
    std::printf("%-26s %10d %10d\n", detector.name.c_str(), heard, mistaken);
  }
  std::printf("%d pairs of marks, %.1f minutes: %d reports, and %d of register signals\n", count,
              static_cast<double>(played.size()) / (60.0 * kLineRateHz), fired, register_fired);
  return fired == 0 ? 0 : 1;
}
