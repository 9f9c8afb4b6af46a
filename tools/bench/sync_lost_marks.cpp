// Compares measurements with a delay step or a lost mark with the score's own search in the same recording
// (libvqas/doc/record/marks.md).
// Usage: vqas-sync-lost-marks [REPEATS [BER [SEED [all]]]]; each stimulus of corpus/8k REPEATS times, through mu-law;
// `all` prints each measurement more than 0.1 below the search.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <numeric>

#include "delay_step.h"
#include "receive/measure_capture.h"
#include "sync/symbol_shaping.h"

namespace vqas {
namespace {

enum class Where { nowhere, speech, pause, guard };
enum class Marks { both, no_trailing, no_leading_data };

struct Condition {
  Where where;
  int step_ms;
  Marks marks;
};

const char* name(Where where) {
  constexpr const char* kNames[] = {"none", "in speech", "in a pause", "in the leading guard"};
  return kNames[static_cast<int>(where)];
}

const char* name(Marks marks) {
  constexpr const char* kNames[] = {"both", "no trailing", "no leading data"};
  return kNames[static_cast<int>(marks)];
}

// A position in the middle 80 % with loud speech.
std::size_t in_speech(const std::vector<float>& speech, std::mt19937_64& random) {
  constexpr std::size_t kFrame = 160;
  double largest = 0;
  for (std::size_t n = 0; n + kFrame < speech.size(); n += kFrame) {
    largest = std::max(largest, bench::power(speech, n, kFrame));
  }
  std::vector<std::size_t> loud;
  for (std::size_t n = speech.size() / 10; n < 9 * speech.size() / 10; n += kFrame) {
    if (bench::power(speech, n, kFrame) > 0.03 * largest) loud.push_back(n);
  }
  return loud[random() % loud.size()];
}

struct Trial {
  Measurement measurement;
  Score searched;
};

Trial run(const Signal& stimulus, const Condition& condition, double ber, std::mt19937_64& random, Scorer& scorer) {
  const MarkData data{End::a, 0xC0FFEE, 5, 7, 0xBEEF};
  const int samples = condition.step_ms * kLineRateHz / 1000;
  TransmissionOptions options;
  // Room for the deleted samples.
  if (condition.where == Where::guard && samples < 0) options.guard_s = 0.4;
  const Transmission sent = compose_transmission(stimulus, data, options);
  const std::size_t lead = 4000 + random() % 4000;
  std::vector<float> line(lead, 0.0F);
  line.insert(line.end(), sent.signal.samples.begin(), sent.signal.samples.end());
  line.resize(line.size() + 40000, 0.0F);
  const std::size_t speech = lead + sent.layout.speech_start;
  const auto silence = [&line](std::size_t from, std::size_t count) {
    std::fill_n(line.begin() + static_cast<std::ptrdiff_t>(from), count, 0.0F);
  };
  if (condition.marks == Marks::no_trailing) silence(lead + sent.layout.trailing_start, trailing_mark_length());
  if (condition.marks == Marks::no_leading_data) {
    silence(lead, sync::kHopStart);
    silence(lead + sync::kHopStart + sync::kHopLength, sync::kHopStart);
  }
  const std::size_t in_loud = in_speech(stimulus.samples, random);
  switch (condition.where) {
    case Where::nowhere:
      break;
    case Where::speech:
      bench::step(line, speech + in_loud, samples);
      break;
    case Where::pause:
      bench::step(line, speech + bench::pause(stimulus.samples), samples);
      break;
    case Where::guard:
      bench::step(line, speech - static_cast<std::size_t>(options.guard_s * kLineRateHz / 2), samples);
      break;
  }
  bench::carry(line, ber, random);
  CaptureReceiver receiver(End::a, options);
  receiver.expect({{data, stimulus.size(), 10}});
  std::vector<Capture> captures = receiver.push(line);
  if (captures.empty()) captures = receiver.abandon();
  Capture& capture = captures.front();
  capture.recording = as_recorded(capture.recording);
  return {measure_capture(capture, stimulus, scorer), scorer.score(stimulus, capture.recording)};
}

struct Tally {
  std::vector<double> measured, searched;
  std::size_t unscored = 0, below = 0, silent = 0, above = 0;
  double most = 0;
  static constexpr double kTelling = 0.3;

  void add(const Trial& trial) {
    const auto& m = trial.measurement;
    if (trial.searched.mos_lqo) searched.push_back(*trial.searched.mos_lqo);
    if (!m.mos_lqo) return void(++unscored);
    measured.push_back(*m.mos_lqo);
    if (!trial.searched.mos_lqo) return;
    const double missing = *trial.searched.mos_lqo - *m.mos_lqo;
    most = std::max(most, missing);
    above += missing < -kTelling;
    below += missing > kTelling;
    silent += missing > kTelling && m.reason.empty();
  }
};

std::string mean_and_least(std::vector<double> scores) {
  if (scores.empty()) return "–";
  const double mean = std::accumulate(scores.begin(), scores.end(), 0.0) / static_cast<double>(scores.size());
  return fmt::format("{:.2f} ({:.2f})", mean, *std::ranges::min_element(scores));
}

int bench_all(std::size_t repeats, double ber, std::uint64_t seed, bool all) {
  const auto stimuli = bench::stimuli();
  if (!stimuli) return fmt::print(stderr, "{}\n", stimuli.error().message), 1;
  fmt::print("{} stimuli, {} times, BER {:g}, seed {}\n\n", stimuli->size(), repeats, ber, seed);
  fmt::print(
      "| step, ms | where | marks | MOS mean (least) | by the search | most below | > 0.3 below | of these without a "
      "word | > 0.3 above | no score |\n|---|---|---|---|---|---|---|---|---|---|\n");
  std::vector<Condition> conditions;
  for (const Marks marks : {Marks::both, Marks::no_trailing, Marks::no_leading_data}) {
    conditions.push_back({Where::nowhere, 0, marks});
    for (const Where where : {Where::speech, Where::pause, Where::guard}) {
      for (const int step_ms : {-300, -100, 100, 300, 600}) conditions.push_back({where, step_ms, marks});
    }
  }
  Scorer scorer;
  for (const Condition& condition : conditions) {
    std::mt19937_64 random(seed);
    Tally tally;
    for (std::size_t n = 0; n < repeats * stimuli->size(); ++n) {
      const Trial trial = run((*stimuli)[n % stimuli->size()], condition, ber, random, scorer);
      tally.add(trial);
      const auto& m = trial.measurement;
      const double found = trial.searched.mos_lqo.value_or(0);
      if (all && (!m.mos_lqo || *m.mos_lqo < found - 0.1 || found < 1.7)) {
        fmt::print("  {} of stimulus {}: {:.2f} ({}), searched {:.2f} ({:.2f}, {}), marks {}: {} {}\n",
                   n / stimuli->size(), n % stimuli->size(), m.mos_lqo.value_or(0),
                   m.findings ? "findings" : "no findings", found, trial.searched.confidence.value_or(0),
                   trial.searched.reason, to_string(m.marks_found.value()), m.reason, m.note);
      }
    }
    fmt::print("| {:+} | {} | {} | {} | {} | {:.2f} | {} | {} | {} | {} |\n", condition.step_ms, name(condition.where),
               name(condition.marks), mean_and_least(tally.measured), mean_and_least(tally.searched), tally.most,
               tally.below, tally.silent, tally.above, tally.unscored);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace vqas

int main(int argc, char** argv) {
  const std::size_t repeats = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const double ber = argc > 2 ? std::strtod(argv[2], nullptr) : 0;
  const std::uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  return vqas::bench_all(repeats, ber, seed, argc > 4 && std::strcmp(argv[4], "all") == 0);
}
