// Sends transmissions through simulated lines and prints a Markdown table: how many marks were found, how many data
// were decoded, and the errors of time and clock, with exact binomial bounds (two-sided, 95 %). Each single condition
// gets TRIALS, each pair of conditions PAIR_TRIALS; of the pairs only those with misses are printed, and a total.
// usage: sync_sweep [TRIALS [PAIR_TRIALS [CONDITION…]]]
#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>

#include "sync_conditions.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/level.h"
#include "vqas/sync/detector.h"
#include "vqas/sync/transmission.h"

namespace {

using namespace vqas;
using namespace vqas::bench;

struct Tally {
  int trials = 0, both = 0, data = 0, extra = 0;
  std::vector<double> leading_error, trailing_error, drift_error;
  double seconds = 0, cpu = 0, least_confidence = 1;
};

std::vector<std::vector<float>> read_stimuli() {
  std::vector<std::vector<float>> stimuli;
  for (const char talker : {'F', 'M'}) {
    for (int sentence = 1; sentence <= 6; ++sentence) {
      const std::string name = talker + std::to_string(sentence) + ".wav";
      auto signal = read_audio(std::filesystem::path(VQAS_SOURCE_DIR) / "corpus/8k" / name);
      if (signal) stimuli.push_back(std::move(signal->samples));
    }
  }
  if (stimuli.empty()) std::fprintf(stderr, "corpus/8k holds no stimuli\n"), std::exit(1);
  return stimuli;
}

double rms(std::vector<double> errors) {
  if (errors.empty()) return NAN;
  double sum = 0;
  for (const double error : errors) sum += error * error;
  return std::sqrt(sum / static_cast<double>(errors.size()));
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

double centre(const FoundMark& mark) {
  return mark.position + mark_centre(mark.kind);
}

Tally run(const Condition& condition, int trials, std::uint64_t seed, const std::vector<std::vector<float>>& stimuli) {
  constexpr int kTogether = 25;
  std::mt19937_64 random(seed);
  Tally tally;
  while (tally.trials < trials) {
    Travelling line;
    std::vector<MarkData> sent;
    const auto length = static_cast<std::size_t>(condition.stimulus_s * kLineRateHz);
    const double nominal = static_cast<double>(transmission_layout(length, {}).trailing_start) +
                           mark_centre(MarkKind::trailing) - mark_centre(MarkKind::leading);
    for (int i = 0; i < kTogether; ++i) {
      MarkData data{End::a, static_cast<std::uint32_t>(random() & 0xFFFFFF), static_cast<std::uint8_t>(random()),
                    static_cast<std::uint16_t>(random()), static_cast<std::uint16_t>(random())};
      Signal stimulus;
      const std::vector<float>& speech = stimuli[random() % stimuli.size()];
      while (stimulus.size() < length) {
        stimulus.samples.insert(stimulus.samples.end(), speech.begin(), speech.end());
      }
      stimulus.samples.resize(length);
      const Transmission transmission = compose_transmission(stimulus, data, {});
      line.samples.resize(line.samples.size() + 2400 + random() % 3200, 0.0F);
      const auto start = static_cast<double>(line.samples.size());
      line.places.push_back(start + mark_centre(MarkKind::leading));
      line.places.push_back(start + static_cast<double>(transmission.layout.trailing_start) +
                            mark_centre(MarkKind::trailing));
      line.samples.insert(line.samples.end(), transmission.signal.samples.begin(), transmission.signal.samples.end());
      sent.push_back(data);
    }
    line.samples.resize(line.samples.size() + 8000, 0.0F);
    // Idle noise, -74 dBov, uniform because that is fast.
    for (float& sample : line.samples)
      sample += static_cast<float>(db_to_amplitude(-74) * 3.464 * (unit(random) - 0.5));
    for (const Impairment& impairment : condition.line) impairment(line, random);

    MarkDetector detector(End::a);
    const std::clock_t begin = std::clock();
    std::vector<FoundMark> found;
    for (std::size_t at = 0; at < line.samples.size(); at += 160) {
      const std::size_t count = std::min<std::size_t>(160, line.samples.size() - at);
      for (FoundMark& mark : detector.push(std::span(line.samples).subspan(at, count))) found.push_back(mark);
    }
    tally.cpu += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    tally.seconds += static_cast<double>(line.samples.size()) / kLineRateHz;

    std::size_t used = 0;
    for (std::size_t i = 0; i < sent.size(); ++i) {
      const auto look = [&](MarkKind kind, double place) {
        const FoundMark* best = nullptr;
        for (const FoundMark& mark : found) {
          if (mark.kind == kind && std::abs(centre(mark) - place) < 400) best = &mark, ++used;
        }
        return best;
      };
      const FoundMark* leading = look(MarkKind::leading, line.places[2 * i]);
      const FoundMark* trailing = look(MarkKind::trailing, line.places[2 * i + 1]);
      ++tally.trials;
      if (leading != nullptr && leading->data == sent[i]) ++tally.data;
      if (leading == nullptr || trailing == nullptr) continue;
      ++tally.both;
      tally.least_confidence = std::min({tally.least_confidence, leading->confidence, trailing->confidence});
      tally.leading_error.push_back(centre(*leading) - line.places[2 * i]);
      tally.trailing_error.push_back(centre(*trailing) - line.places[2 * i + 1]);
      const double found_distance = centre(*trailing) - centre(*leading);
      tally.drift_error.push_back(1e6 * (found_distance - (line.places[2 * i + 1] - line.places[2 * i])) / nominal);
    }
    tally.extra += static_cast<int>(found.size() - used);
  }
  if (!condition.delay_known && !tally.leading_error.empty()) {
    std::vector<double> both = tally.leading_error;
    both.insert(both.end(), tally.trailing_error.begin(), tally.trailing_error.end());
    const double delay = median(both);
    for (double& error : tally.leading_error) error -= delay;
    for (double& error : tally.trailing_error) error -= delay;
  }
  return tally;
}

double lower_bound(int hits, int trials) {
  return 100 * boost::math::binomial_distribution<>::find_lower_bound_on_p(trials, hits, 0.025);
}

double largest(const std::vector<double>& errors) {
  double most = errors.empty() ? NAN : 0;
  for (const double error : errors) most = std::max(most, std::abs(error));
  return most;
}

void print(const Condition& condition, const Tally& t) {
  std::vector<double> errors = t.leading_error;
  errors.insert(errors.end(), t.trailing_error.begin(), t.trailing_error.end());
  std::printf("| %s | %d | %d (%.2f) | %d (%.2f) | %.3f | %.3f | %.3g | %.2f |\n", condition.name.c_str(), t.trials,
              t.both, lower_bound(t.both, t.trials), t.data, lower_bound(t.data, t.trials), rms(errors),
              largest(errors), rms(t.drift_error), t.least_confidence);
  std::fflush(stdout);
}

struct Sum {
  int conditions = 0, trials = 0, whole = 0, extra = 0;
  double seconds = 0, cpu = 0;
  void add(const Tally& t) {
    ++conditions, trials += t.trials, extra += t.extra, seconds += t.seconds, cpu += t.cpu;
    whole += t.both == t.trials && t.data == t.trials;
  }
};

}  // namespace

int main(int argc, char** argv) {
  const int trials = argc > 1 ? std::atoi(argv[1]) : 300;
  const int pair_trials = argc > 2 ? std::atoi(argv[2]) : 50;
  const auto stimuli = read_stimuli();
  std::vector<Condition> conditions = single_conditions();
  for (Condition& pair : paired_conditions()) conditions.push_back(std::move(pair));
  std::puts("| line | trials | found (>= %) | data (>= %) | rms | max | drift, ppm rms | least confidence |");
  std::puts("|---|---|---|---|---|---|---|---|");
  std::fflush(stdout);
  std::uint64_t seed = 4711;
  Sum alone, pairs;
  for (const Condition& condition : conditions) {
    ++seed;
    bool wanted = argc <= 3;
    for (int i = 3; i < argc; ++i) wanted = wanted || condition.name == argv[i];
    const int count = condition.pair ? pair_trials : trials;
    if (!wanted || count <= 0) continue;
    const Tally t = run(condition, count, seed, stimuli);
    (condition.pair ? pairs : alone).add(t);
    if (!condition.pair || t.both < t.trials || t.data < t.trials) print(condition, t);
  }
  for (const bool paired : {false, true}) {
    const Sum& sum = paired ? pairs : alone;
    std::printf(
        "\n%s: %d conditions, %d trials; nothing missed in %d conditions; %d false marks; "
        "CPU %.3f ms a second of audio\n",
        paired ? "pairs" : "alone", sum.conditions, sum.trials, sum.whole, sum.extra,
        1000 * sum.cpu / std::max(sum.seconds, 1.0));
  }
  return 0;
}
