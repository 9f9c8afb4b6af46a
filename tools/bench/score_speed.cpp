// Measures what one score costs, in processor time of one thread, on pairs made from one recording.
// usage: vqas-score-speed SPEECH.wav [SECONDS] [ROUNDS] [PAIR]     default 8 s of the recording, 60 rounds, all pairs
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "score/recipes.h"
#include "vqas/score/score.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/resample.h"

namespace {

using namespace vqas;

double thread_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

Signal first_seconds(const Signal& recording, double seconds) {
  const auto wanted = static_cast<std::size_t>(seconds * recording.rate_hz);
  Signal speech{{}, recording.rate_hz};
  while (speech.size() < wanted) {
    const std::size_t more = std::min(recording.size(), wanted - speech.size());
    const auto begin = recording.samples.begin();
    speech.samples.insert(speech.samples.end(), begin, begin + static_cast<std::ptrdiff_t>(more));
  }
  return speech;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 5) {
    fmt::print(stderr, "usage: vqas-score-speed SPEECH.wav [SECONDS] [ROUNDS] [PAIR]\n");
    return 2;
  }
  const auto recording = read_audio(argv[1]);
  if (!recording || recording->empty()) {
    fmt::print(stderr, "{} cannot be read; give a recording of speech\n", argv[1]);
    return 3;
  }
  const auto narrow = resample(*recording, kLineRateHz);
  const double seconds = argc > 2 ? std::atof(argv[2]) : 8;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 60;
  if (!narrow || !(seconds >= 1) || rounds < 1) {
    fmt::print(stderr, "the rate must be at least 8 kHz, SECONDS at least 1 and ROUNDS at least 1\n");
    return 3;
  }
  const Signal speech = first_seconds(*narrow, seconds);
  const struct {
    const char* name;
    std::function<Signal()> make;
  } lines[] = {
      {"identity", [&] { return speech; }},
      {"mu-law", [&] { return test::with_bit_errors(speech, 0, 1); }},
      {"mu-law, delay 1 s", [&] { return test::padded(test::with_bit_errors(speech, 0, 1), 8000, 0); }},
      {"bit errors 1e-4", [&] { return test::with_bit_errors(speech, 1e-4, 2); }},
      {"bit errors 1e-3", [&] { return test::with_bit_errors(speech, 1e-3, 3); }},
      {"bit errors 1e-2", [&] { return test::with_bit_errors(speech, 1e-2, 4); }},
      {"noise 20 dB", [&] { return test::with_noise(speech, 20, 5); }},
      {"noise 0 dB", [&] { return test::with_noise(speech, 0, 6); }},
      {"losses 5 %", [&] { return test::with_losses(speech, 0.05, 7); }},
      {"jump of 40 ms", [&] { return test::with_jump(speech, 0.5, 320); }},
      {"clock drift 300 ppm", [&] { return test::resampled_by_clock(speech, 300, 500); }},
  };
  Scorer scorer;
  fmt::print("{:<22} {:>9} {:>9} {:>7}\n", "pair", "median ms", "best ms", "MOS");
  const std::string only = argc > 4 ? argv[4] : "";
  for (const auto& line : lines) {
    if (!only.empty() && only != line.name) continue;
    const Signal degraded = line.make();
    std::vector<double> times;
    Score score;
    for (int round = 0; round < rounds; ++round) {
      const double start = thread_milliseconds();
      score = scorer.score(speech, degraded);
      times.push_back(thread_milliseconds() - start);
    }
    std::sort(times.begin(), times.end());
    fmt::print("{:<22} {:>9.3f} {:>9.3f} {:>7}\n", line.name, times[times.size() / 2], times.front(),
               score.mos_lqo ? fmt::format("{:.4f}", *score.mos_lqo) : "none");
  }
  return 0;
}
