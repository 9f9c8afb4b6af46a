// Measures the cost of one score, in processor time of one thread, with both signals in memory.
// usage: vqas-score-speed SPEECH.wav [SECONDS] [ROUNDS] [PAIR]     default 8 s of the recording, 60 rounds, all pairs
//               vqas-score-speed --pairs [ROUNDS] < PAIRS                 lines of REFERENCE, tab, DEGRADED; default 5
//        rounds
// "new" is a reference that the scorer did not use just before: two references alternate, so that nothing cached for
// one helps with the other. "same" scores the same reference again.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
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

struct Costs {
  std::vector<double> milliseconds;
  double median() {
    std::sort(milliseconds.begin(), milliseconds.end());
    return milliseconds[milliseconds.size() / 2];
  }
  double best() const { return *std::min_element(milliseconds.begin(), milliseconds.end()); }
};

Score timed_score(Scorer& scorer, const Signal& reference, const Signal& degraded, Costs& costs) {
  const double start = thread_milliseconds();
  Score score = scorer.score(reference, degraded);
  costs.milliseconds.push_back(thread_milliseconds() - start);
  return score;
}

std::string mos_of(const Score& score) {
  return score.mos_lqo ? fmt::format("{:.4f}", *score.mos_lqo) : "none";
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

// The same speech from its middle on, then its start: another reference of the same cost.
Signal from_its_middle(Signal speech) {
  std::rotate(speech.samples.begin(), speech.samples.begin() + static_cast<std::ptrdiff_t>(speech.size() / 2),
              speech.samples.end());
  return speech;
}

int measure_pairs(int rounds) {
  const Signal another = test::recipe_speech(1, 2);
  Scorer scorer;
  fmt::print("new_ms,same_ms,outcome,mos_lqo,confidence\n");
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t tab = line.find('\t');
    const auto reference = read_audio(line.substr(0, tab));
    const auto degraded = read_audio(tab == std::string::npos ? "" : line.substr(tab + 1));
    if (!reference || !degraded) {
      fmt::print(",,{},,\n", to_string(Outcome::bad_input));
      continue;
    }
    Costs fresh;
    Costs same;
    Score score;
    for (int round = 0; round < rounds; ++round) {
      scorer.score(another, another);
      score = timed_score(scorer, *reference, *degraded, fresh);
      timed_score(scorer, *reference, *degraded, same);
    }
    fmt::print("{:.4f},{:.4f},{},{},{}\n", fresh.median(), same.median(), to_string(score.outcome),
               score.mos_lqo ? mos_of(score) : "", score.confidence ? fmt::format("{:.4f}", *score.confidence) : "");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc >= 2 && argc <= 3 && std::string(argv[1]) == "--pairs") {
    return measure_pairs(argc > 2 ? std::max(1, std::atoi(argv[2])) : 5);
  }
  if (argc < 2 || argc > 5) {
    fmt::print(stderr,
               "usage: vqas-score-speed SPEECH.wav [SECONDS] [ROUNDS] [PAIR]\n"
               "       vqas-score-speed --pairs [ROUNDS] < PAIRS\n");
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
  const Signal speeches[] = {first_seconds(*narrow, seconds), from_its_middle(first_seconds(*narrow, seconds))};
  const struct {
    const char* name;
    std::function<Signal(const Signal& speech)> make;
  } lines[] = {
      {"identity", [](const Signal& speech) { return speech; }},
      {"mu-law", [](const Signal& speech) { return test::with_bit_errors(speech, 0, 1); }},
      {"mu-law, delay 1 s",
       [](const Signal& speech) { return test::padded(test::with_bit_errors(speech, 0, 1), 8000, 0); }},
      {"bit errors 1e-4", [](const Signal& speech) { return test::with_bit_errors(speech, 1e-4, 2); }},
      {"bit errors 1e-3", [](const Signal& speech) { return test::with_bit_errors(speech, 1e-3, 3); }},
      {"bit errors 1e-2", [](const Signal& speech) { return test::with_bit_errors(speech, 1e-2, 4); }},
      {"noise 20 dB", [](const Signal& speech) { return test::with_noise(speech, 20, 5); }},
      {"noise 0 dB", [](const Signal& speech) { return test::with_noise(speech, 0, 6); }},
      {"losses 5 %", [](const Signal& speech) { return test::with_losses(speech, 0.05, 7); }},
      {"jump of 40 ms", [](const Signal& speech) { return test::with_jump(speech, 0.5, 320); }},
      {"clock drift 300 ppm", [](const Signal& speech) { return test::resampled_by_clock(speech, 300, 500); }},
  };
  Scorer scorer;
  fmt::print("{:<22} {:>10} {:>8} {:>11} {:>9} {:>7}\n", "pair", "new median", "new best", "same median", "same best",
             "MOS");
  const std::string only = argc > 4 ? argv[4] : "";
  for (const auto& line : lines) {
    if (!only.empty() && only != line.name) continue;
    const Signal degraded[] = {line.make(speeches[0]), line.make(speeches[1])};
    Costs fresh;
    Costs same;
    Score score;
    for (int round = 0; round < rounds; ++round) {
      for (const int which : {1, 0}) {
        timed_score(scorer, speeches[which], degraded[which], fresh);
        score = timed_score(scorer, speeches[which], degraded[which], same);
      }
    }
    fmt::print("{:<22} {:>10.3f} {:>8.3f} {:>11.3f} {:>9.3f} {:>7}\n", line.name, fresh.median(), fresh.best(),
               same.median(), same.best(), mos_of(score));
  }
  return 0;
}
