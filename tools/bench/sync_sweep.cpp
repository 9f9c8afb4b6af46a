// Sends transmissions through simulated lines and prints, for each, how many marks were found, how many data were read,
// and how exact time and clock were, with exact binomial bounds. usage: sync_sweep [TRIALS [CONDITION…]]
#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>

#include "sync_impairments.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/level.h"
#include "vqas/sync/detector.h"
#include "vqas/sync/transmission.h"

namespace {

using namespace vqas;
using namespace vqas::bench;

struct Condition {
  std::string name;
  std::vector<Impairment> line;
  double stimulus_s = 1;
  double share = 1;  // of the trials that are asked for
  double delay = 0;  // of the line's filters or codec, in samples; NAN: the median of what was found
};

struct Tally {
  int trials = 0, both = 0, data = 0, extra = 0;
  std::vector<double> leading_error, trailing_error, drift_error;
  double seconds = 0, cpu = 0, least_confidence = 1;
};

std::string amr(int mode) {
  return "sox $1 -C " + std::to_string(mode) + " coded.amr-nb 2>/dev/null; sox -t amr-nb coded.amr-nb $2 2>/dev/null";
}

std::vector<Condition> conditions() {
  std::vector<Condition> all;
  double share = 1;
  const auto add = [&](std::string name, std::vector<Impairment> line, double stimulus_s = 1, double delay = 0) {
    all.push_back({std::move(name), std::move(line), stimulus_s, share, delay});
  };
  add("clean", {});
  add("mu-law", {mu_law(0)}, 6);
  add("A-law", {a_law(0)});
  add("mu-law BER 1e-4", {mu_law(1e-4)});
  add("mu-law BER 1e-3", {mu_law(1e-3)}, 6);
  add("A-law BER 1e-3", {a_law(1e-3)});
  add("mu-law BER 1e-2", {mu_law(1e-2)});
  add("A-law BER 1e-2", {a_law(1e-2)});
  add("mu-law BER 3e-2", {mu_law(3e-2)});
  add("bursts 1e-2 0.5 s in 1e-5", {bursts(1e-5, 1e-2, 0.5, 0.5)});
  add("bursts 1e-1 20 ms each 0.2 s", {bursts(1e-5, 1e-1, 0.02, 0.18)});
  add("SNR 10 dB", {noise(-30)});
  add("SNR 5 dB", {noise(-25)});
  add("300-3400 Hz", {band(300, 3400), mu_law(0)});
  add("300-2000 Hz", {band(300, 2000), mu_law(0)});
  add("1000-3400 Hz", {band(1000, 3400), mu_law(0)});
  add("300-3400 Hz Butterworth", {steep_band(300, 3400), mu_law(0)}, 1, NAN);
  add("300-2000 Hz Butterworth", {steep_band(300, 2000), mu_law(0)}, 1, NAN);
  add("1000-3400 Hz Butterworth", {steep_band(1000, 3400), mu_law(0)}, 1, NAN);
  add("gain +20 dB clipped", {gain(20), clip(0), mu_law(0)});
  add("gain -20 dB", {gain(-20), mu_law(0)});
  add("AGC, gain +20 dB", {gain(20), agc(), mu_law(0)});
  add("AGC, gain -20 dB", {gain(-20), agc(), mu_law(0)});
  add("clipped 10 dB below the rms", {clip(-30), mu_law(0)});
  add("echo -15 dB 5 ms", {echo(-15, 0.005), mu_law(0)});
  add("echo -15 dB 50 ms", {echo(-15, 0.05), mu_law(0)});
  add("echo -15 dB 500 ms", {echo(-15, 0.5), mu_law(0)});
  add("clock +300 ppm", {clock(300), mu_law(0)}, 6);
  add("clock -300 ppm", {clock(-300), mu_law(0)}, 6);
  add("losses 1 % zeros", {losses(0.01, false), mu_law(0)});
  add("losses 5 % zeros", {losses(0.05, false), mu_law(0)});
  add("losses 5 % concealed", {losses(0.05, true), mu_law(0)});
  add("losses 10 % concealed", {losses(0.1, true), mu_law(0)});
  add("GSM-FR", {gsm()}, 1, NAN);
  add("AMR 12.2", {external(amr(7))}, 1, NAN);
  add("AMR 7.95", {external(amr(5))}, 1, NAN);
  add("AMR 4.75", {external(amr(0))}, 1, NAN);
  add("Codec2 3200",
      {external(
          "ffmpeg -v error -y -i $1 -c:a libcodec2 -mode 3200 coded.c2; ffmpeg -v error -y -i coded.c2 -ar 8000 $2")},
      1, NAN);
  add("delay step +100 ms", {delay_step(0.1), mu_law(0)});
  add("delay step -60 ms", {delay_step(-0.06), mu_law(0)});
  share = 0.1;  // pairs
  add("BER 1e-3, 300-2000 Hz", {band(300, 2000), mu_law(1e-3)});
  add("BER 1e-3, echo -15 dB 50 ms", {echo(-15, 0.05), mu_law(1e-3)});
  add("BER 1e-3, +300 ppm", {clock(300), mu_law(1e-3)}, 6);
  add("SNR 10 dB, BER 1e-3", {noise(-30), mu_law(1e-3)});
  add("SNR 10 dB, losses 5 % concealed", {noise(-30), mu_law(0), losses(0.05, true)});
  add("GSM-FR, losses 5 % concealed", {gsm(), losses(0.05, true)}, 1, NAN);
  add("BER 1e-2, 1000-3400 Hz", {band(1000, 3400), mu_law(1e-2)});
  add("BER 1e-2, gain -20 dB", {gain(-20), mu_law(1e-2)});
  add("BER 3e-2, gain -20 dB", {gain(-20), mu_law(3e-2)});
  add("BER 1e-2, SNR 10 dB", {noise(-30), mu_law(1e-2)});
  add("BER 1e-2, losses 5 % concealed", {mu_law(1e-2), losses(0.05, true)});
  add("BER 1e-2, +300 ppm", {clock(300), mu_law(1e-2)});
  add("SNR 10 dB, 300-2000 Hz", {noise(-30), band(300, 2000), mu_law(0)});
  add("SNR 10 dB, -300 ppm", {clock(-300), noise(-30), mu_law(0)});
  add("echo -15 dB 20 ms, +300 ppm", {echo(-15, 0.02), clock(300), mu_law(0)});
  add("gain +20 dB clipped, BER 1e-2", {gain(20), clip(0), mu_law(1e-2)});
  add("GSM-FR, SNR 10 dB", {noise(-30), gsm()}, 1, NAN);
  add("AMR 7.95, SNR 10 dB", {noise(-30), external(amr(5))}, 1, NAN);
  add("AMR 12.2, losses 5 % concealed", {external(amr(7)), losses(0.05, true)}, 1, NAN);
  return all;
}

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

Tally run(const Condition& condition, int trials, std::uint64_t seed, const std::vector<std::vector<float>>& stimuli) {
  constexpr int kTogether = 25;
  std::mt19937_64 random(seed);
  Tally tally;
  while (tally.trials < trials) {
    Travelling line;
    std::vector<MarkData> sent;
    const auto length = static_cast<std::size_t>(condition.stimulus_s * kLineRateHz);
    const double nominal = static_cast<double>(transmission_layout(length, {}).trailing_start);
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
      line.samples.resize(line.samples.size() + 4000 + random() % 8000, 0.0F);
      const auto start = static_cast<double>(line.samples.size());
      line.places.push_back(start);
      line.places.push_back(start + static_cast<double>(transmission.layout.trailing_start));
      line.samples.insert(line.samples.end(), transmission.signal.samples.begin(), transmission.signal.samples.end());
      sent.push_back(data);
    }
    line.samples.resize(line.samples.size() + 8000, 0.0F);
    // Idle noise, -74 dBov, uniform because that is cheap.
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
          if (mark.kind == kind && std::abs(mark.position - place) < 400) best = &mark, ++used;
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
      tally.leading_error.push_back(leading->position - line.places[2 * i]);
      tally.trailing_error.push_back(trailing->position - line.places[2 * i + 1]);
      // From centre to centre, as a capture measures it; both ends of it moved along with their marks.
      const double between = mark_centre(MarkKind::trailing) - mark_centre(MarkKind::leading);
      const double found_distance = trailing->position - leading->position + between;
      const double true_distance = (line.places[2 * i + 1] - line.places[2 * i]) / nominal * (nominal + between);
      tally.drift_error.push_back(1e6 * (found_distance - true_distance) / (nominal + between));
    }
    tally.extra += static_cast<int>(found.size() - used);
  }
  if (std::isnan(condition.delay) && !tally.leading_error.empty()) {
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

}  // namespace

int main(int argc, char** argv) {
  const int trials = argc > 1 ? std::atoi(argv[1]) : 300;
  const auto stimuli = read_stimuli();
  std::printf("%-34s %6s %9s %8s %9s %8s %6s %9s %9s %9s %6s %8s\n", "condition", "trials", "found %", ">= %", "data %",
              ">= %", "extra", "lead rms", "trail rms", "drift rms", "least", "CPU ms/s");
  std::uint64_t seed = 4711;
  for (const Condition& condition : conditions()) {
    ++seed;
    bool wanted = argc <= 2;
    for (int i = 2; i < argc; ++i) wanted = wanted || condition.name.find(argv[i]) != std::string::npos;
    if (!wanted) continue;
    const Tally t = run(condition, std::max(25, static_cast<int>(trials * condition.share)), seed, stimuli);
    std::printf("%-34s %6d %9.3f %8.3f %9.3f %8.3f %6d %9.4f %9.4f %9.3f %6.2f %8.3f\n", condition.name.c_str(),
                t.trials, 100.0 * t.both / t.trials, lower_bound(t.both, t.trials), 100.0 * t.data / t.trials,
                lower_bound(t.data, t.trials), t.extra, rms(t.leading_error), rms(t.trailing_error), rms(t.drift_error),
                t.least_confidence, 1000 * t.cpu / t.seconds);
    std::fflush(stdout);
  }
  return 0;
}
