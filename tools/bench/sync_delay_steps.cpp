// Effect of a step of the line's delay on the score, by its position between the marks (libvqas/doc/record/marks.md).
// Usage: vqas-sync-delay-steps [TRIALS [SEED [LEAST_MS]]]; a trial is one stimulus of corpus/8k through mu-law; with
// LEAST_MS only steps of at least this many ms.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "delay_step.h"
#include "receive/measure_capture.h"

namespace vqas {
namespace {

constexpr std::uint16_t kNumber = 7;

enum class Where {
  nowhere,
  leading_guard,
  first_syllable,
  pause,
  trailing_guard,
  there_and_back,
  no_trailing_mark,
  pause_alone
};

struct Condition {
  const char* name;
  Where where;
  int step_ms;
};
constexpr Condition kConditions[] = {
    {"none", Where::nowhere, 0},
    {"leading guard", Where::leading_guard, 40},
    {"leading guard", Where::leading_guard, 100},
    {"leading guard", Where::leading_guard, 200},
    {"leading guard", Where::leading_guard, 700},
    {"leading guard", Where::leading_guard, -60},
    {"leading guard", Where::leading_guard, -200},
    {"first syllable", Where::first_syllable, 100},
    {"first syllable", Where::first_syllable, 200},
    {"first syllable", Where::first_syllable, 600},
    {"first syllable", Where::first_syllable, 1000},
    {"first syllable", Where::first_syllable, -60},
    {"first syllable", Where::first_syllable, -200},
    {"pause", Where::pause, 100},
    {"pause", Where::pause, 200},
    {"pause", Where::pause, 600},
    {"pause", Where::pause, 800},
    {"pause", Where::pause, 1000},
    {"pause", Where::pause, -60},
    {"pause", Where::pause, -200},
    {"trailing guard", Where::trailing_guard, 100},
    {"trailing guard", Where::trailing_guard, 200},
    {"trailing guard", Where::trailing_guard, -60},
    {"trailing guard", Where::trailing_guard, -200},
    {"leading guard, and back in the trailing one", Where::there_and_back, 100},
    {"leading guard, the trailing mark is lost", Where::no_trailing_mark, 100},
    {"pause, the trailing mark is lost", Where::pause_alone, 400},
};

// 80 ms behind the first 20 ms that are less than 30 dB below the loudest.
std::size_t first_syllable(const std::vector<float>& speech) {
  constexpr std::size_t kFrame = 160, kHalf = 640;
  double largest = 0;
  for (std::size_t n = 0; n + kFrame < speech.size(); n += kFrame)
    largest = std::max(largest, bench::power(speech, n, kFrame));
  std::size_t at = 0;
  while (bench::power(speech, at, kFrame) < 1e-3 * largest) at += kFrame;
  return at + kHalf;
}

Measurement run(const Signal& stimulus, const Condition& condition, double ber, std::mt19937_64& random,
                Scorer& scorer) {
  const MarkData data{End::a, 0xC0FFEE, 5, kNumber, 0xBEEF};
  // Room for a step that shortens the line's delay.
  TransmissionOptions options;
  if (condition.where == Where::there_and_back) options.guard_s = 0.2;
  const Transmission sent = compose_transmission(stimulus, data, options);
  const TransmissionLayout& layout = sent.layout;
  const std::size_t lead = 4000 + random() % 4000;
  std::vector<float> line(lead, 0.0F);
  line.insert(line.end(), sent.signal.samples.begin(), sent.signal.samples.end());
  line.resize(line.size() + 40000, 0.0F);
  const int samples = condition.step_ms * kLineRateHz / 1000;
  const std::size_t speech = lead + layout.speech_start, trailing = lead + layout.trailing_start;
  if (condition.where == Where::no_trailing_mark || condition.where == Where::pause_alone) {
    std::fill_n(line.begin() + static_cast<std::ptrdiff_t>(trailing), trailing_mark_length(), 0.0F);
  }
  switch (condition.where) {
    case Where::nowhere:
      break;
    case Where::first_syllable:
      bench::step(line, speech + first_syllable(stimulus.samples), samples);
      break;
    case Where::pause:
    case Where::pause_alone:
      bench::step(line, speech + bench::pause(stimulus.samples), samples);
      break;
    case Where::trailing_guard:
      bench::step(line, trailing - 200, samples);
      break;
    case Where::there_and_back:
      bench::step(line, speech - 200, samples);
      bench::step(line, trailing + static_cast<std::size_t>(samples) - 800, -samples);
      break;
    case Where::leading_guard:
    case Where::no_trailing_mark:
      bench::step(line, speech - 200, samples);
      break;
  }
  bench::carry(line, ber, random);
  CaptureReceiver receiver(End::a, options);
  receiver.expect({{data, stimulus.size(), 10}});
  std::vector<Capture> captures = receiver.push(line);
  if (captures.empty()) captures = receiver.abandon();
  captures.front().recording = as_recorded(captures.front().recording);
  return measure_capture(captures.front(), stimulus, scorer);
}

int run_all(std::size_t trials, std::uint64_t seed, std::uint64_t least_ms) {
  const auto found = bench::stimuli();
  if (!found) return fmt::print(stderr, "{}\n", found.error().message), 1;
  const std::vector<Signal>& stimuli = *found;
  fmt::print("{} stimuli, {} trials, seed {}\n\n", stimuli.size(), trials, seed);
  fmt::print("| step, ms | where | BER | scored | MOS mean | least | 5 % | marks both | step reported |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|\n");
  Scorer scorer;
  for (const Condition& condition : kConditions) {
    if (condition.step_ms < static_cast<int>(least_ms) && least_ms > 0) continue;
    // Without a step, worse lines must not make one appear.
    std::vector<double> bers{0, 1e-3};
    if (condition.where == Where::nowhere) bers.insert(bers.end(), {1e-2, 3e-2, 1e-1});
    for (const double ber : bers) {
      std::mt19937_64 random(seed);
      std::vector<double> scores;
      std::size_t both = 0, told = 0;
      for (std::size_t n = 0; n < trials; ++n) {
        const Measurement m = run(stimuli[n % stimuli.size()], condition, ber, random, scorer);
        both += m.marks_found == MarksFound::both;
        told += m.delay_step_ms.has_value();
        if (m.mos_lqo) scores.push_back(*m.mos_lqo);
      }
      std::ranges::sort(scores);
      if (scores.empty()) scores.push_back(0);
      const double mean = std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(scores.size());
      fmt::print("| {:+} | {} | {:g} | {} | {:.2f} | {:.2f} | {:.2f} | {} | {} |\n", condition.step_ms, condition.name,
                 ber, scores.size(), mean, scores.front(), scores[scores.size() / 20], both, told);
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace
}  // namespace vqas

int main(int argc, char** argv) {
  const auto number = [&](int n, std::uint64_t otherwise) {
    return argc > n ? std::strtoull(argv[n], nullptr, 10) : otherwise;
  };
  return vqas::run_all(number(1, 108), number(2, 1), number(3, 0));
}
