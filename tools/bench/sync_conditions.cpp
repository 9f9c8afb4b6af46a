#include "sync_conditions.h"

namespace vqas::bench {

std::vector<Condition> single_conditions() {
  std::vector<Condition> all;
  const auto add = [&](std::string name, std::vector<Impairment> line, double stimulus_s = 0.6,
                       bool delay_known = true) {
    all.push_back({std::move(name), std::move(line), stimulus_s, false, delay_known});
  };
  constexpr bool kUnknown = false;
  add("no codec", {});
  add("mu-law", {mu_law(0)}, 6);
  add("A-law", {a_law(0)});
  add("mu-law, BER 1e-4", {mu_law(1e-4)});
  add("A-law, BER 1e-4", {a_law(1e-4)});
  add("mu-law, BER 1e-3", {mu_law(1e-3)}, 6);
  add("A-law, BER 1e-3", {a_law(1e-3)});
  add("mu-law, BER 1e-2", {mu_law(1e-2)});
  add("A-law, BER 1e-2", {a_law(1e-2)});
  add("mu-law, BER 3e-2", {mu_law(3e-2)});
  add("A-law, BER 3e-2", {a_law(3e-2)});
  add("bursts of 0.5 s at 1e-2, 0.5 s apart", {bursts(1e-5, 1e-2, 0.5, 0.5)});
  add("bursts of 20 ms at 1e-1, five a second", {bursts(1e-5, 1e-1, 0.02, 0.18)});
  add("SNR 10 dB", {noise(-30)});
  add("SNR 5 dB", {noise(-25)});
  add("300–3400 Hz, linear phase", {band(300, 3400), mu_law(0)});
  add("300–2000 Hz, linear phase", {band(300, 2000), mu_law(0)});
  add("1000–3400 Hz, linear phase", {band(1000, 3400), mu_law(0)});
  add("300–3400 Hz, Butterworth", {steep_band(300, 3400), mu_law(0)}, 0.6, kUnknown);
  add("300–2000 Hz, Butterworth", {steep_band(300, 2000), mu_law(0)}, 0.6, kUnknown);
  add("1000–3400 Hz, Butterworth", {steep_band(1000, 3400), mu_law(0)}, 0.6, kUnknown);
  add("gain +20 dB, clipped", {gain(20), clip(0), mu_law(0)});
  add("gain -20 dB", {gain(-20), mu_law(0)});
  add("level control, gain +20 dB", {gain(20), agc(), mu_law(0)});
  add("level control, gain -20 dB", {gain(-20), agc(), mu_law(0)});
  add("clipped 10 dB below the marks' rms", {clip(-30), mu_law(0)});
  add("echo -15 dB after 5 ms", {echo(-15, 0.005), mu_law(0)});
  add("echo -15 dB after 50 ms", {echo(-15, 0.05), mu_law(0)});
  add("echo -15 dB after 500 ms", {echo(-15, 0.5), mu_law(0)});
  add("clock +300 ppm", {clock(300), mu_law(0)}, 6);
  add("clock -300 ppm", {clock(-300), mu_law(0)}, 6);
  add("losses 5 %, zeros", {losses(0.05, false), mu_law(0)});
  add("losses 5 %, repeated", {losses(0.05, true), mu_law(0)});
  add("losses 10 %, zeros", {losses(0.1, false), mu_law(0)});
  add("losses 10 %, repeated", {losses(0.1, true), mu_law(0)});
  add("GSM-FR", {gsm()}, 0.6, kUnknown);
  add("AMR 12.2", {amr(7)}, 0.6, kUnknown);
  add("AMR 7.95", {amr(5)}, 0.6, kUnknown);
  add("AMR 4.75", {amr(0)}, 0.6, kUnknown);
  add("Codec 2 3200", {codec2_3200()}, 0.6, kUnknown);
  add("delay step of +100 ms between the marks", {delay_step(0.1), mu_law(0)});
  add("delay step of -60 ms between the marks", {delay_step(-0.06), mu_law(0)});
  return all;
}

std::vector<Condition> paired_conditions() {
  // In the order of a call: room, analogue, codec, digital, packets, the receiver's clock.
  const std::vector<Condition> faults = {
      {"SNR 10 dB", {noise(-30)}},
      {"echo -15 dB 50 ms", {echo(-15, 0.05)}},
      {"gain -20 dB", {gain(-20)}},
      {"level control, gain +20 dB", {gain(20), agc()}},
      {"clipped 10 dB below rms", {clip(-30)}},
      {"300–2000 Hz", {band(300, 2000)}},
      {"1000–3400 Hz", {band(1000, 3400)}},
      {"GSM-FR", {gsm()}},
      {"AMR 12.2", {amr(7)}},
      {"AMR 7.95", {amr(5)}},
      {"BER 1e-3", {mu_law(1e-3)}},
      {"BER 1e-2", {a_law(1e-2)}},
      {"bursts 1e-2", {bursts(1e-5, 1e-2, 0.5, 0.5)}},
      {"losses 5 %", {losses(0.05, true)}},
      {"clock +300 ppm", {clock(300)}},
      {"delay step", {delay_step(0.1)}},
  };
  std::vector<Condition> all;
  for (std::size_t first = 0; first < faults.size(); ++first) {
    for (std::size_t second = first + 1; second < faults.size(); ++second) {
      Condition both{faults[first].name + " and " + faults[second].name, faults[first].line, 0.6, true, false};
      both.line.insert(both.line.end(), faults[second].line.begin(), faults[second].line.end());
      all.push_back(std::move(both));
    }
  }
  return all;
}

}  // namespace vqas::bench
