// Plants faults of the time in recordings and prints what of them the score's alignment finds: the tables of
// libvqas/doc/record/alignment.md.
// usage: vqas-alignment-bench SPEECH_DIR [SEED] [PAIRS_OF_A_KIND] [KIND …]
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "score/engine.h"
#include "score/planted_alignment.h"

namespace {

using namespace vqas;

constexpr int kMillisecond = 8;         // samples
constexpr double kReceivedShare = 0.6;  // of a frame's samples
// So near a step of the delay must be found.
constexpr int kStepFrames = 9, kStepActiveFrames = 8;

/// What was found of the pairs of one kind; counts of active frames, of steps and of pairs.
struct Found {
  int pairs = 0, refused = 0, accepted = 0;
  int frames = 0, within_1_ms = 0, within_4_ms = 0;
  int gone = 0, found_gone = 0, called_gone = 0;
  int steps = 0, found_steps = 0, false_steps = 0;
  double seconds = 0, diagnosed_seconds = 0;

  void add(const Found& other) {
    pairs += other.pairs;
    refused += other.refused;
    accepted += other.accepted;
    frames += other.frames;
    within_1_ms += other.within_1_ms;
    within_4_ms += other.within_4_ms;
    gone += other.gone;
    found_gone += other.found_gone;
    called_gone += other.called_gone;
    steps += other.steps;
    found_steps += other.found_steps;
    false_steps += other.false_steps;
    seconds += other.seconds;
    diagnosed_seconds += other.diagnosed_seconds;
  }
};

struct Step {
  int frame = 0;
  double samples = 0;
};

/// Changes of 1 ms and more between neighbouring frames that have a delay.
std::vector<Step> steps_of(const std::vector<double>& delay) {
  std::vector<Step> steps;
  int last = -1;
  for (int j = 0; j < static_cast<int>(delay.size()); ++j) {
    if (std::isnan(delay[j])) continue;
    if (last >= 0 && std::abs(delay[j] - delay[last]) >= kMillisecond)
      steps.push_back({(last + j + 1) / 2, delay[j] - delay[last]});
    last = j;
  }
  return steps;
}

std::vector<char> missing_frames(const std::vector<Segment>& missing, std::size_t frames) {
  using test::AlignmentPlanter;
  std::vector<int> samples(frames);
  for (const Segment& segment : missing) {
    const auto first = std::lround(segment.start_s * kLineRateHz);
    const auto last = first + std::lround(segment.length_s * kLineRateHz);
    for (std::size_t j = 0; j < frames; ++j) {
      const auto from = static_cast<long>(j) * AlignmentPlanter::kHop;
      samples[j] += static_cast<int>(
          std::max(0L, std::min<long>(last, from + AlignmentPlanter::kFrame) - std::max<long>(first, from)));
    }
  }
  std::vector<char> result;
  for (const int count : samples) result.push_back(2 * count >= AlignmentPlanter::kFrame ? 1 : 0);
  return result;
}

double processor_s() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

Found measure(const test::PlantedPair& pair, scoring::Engine& engine) {
  Found found;
  found.pairs = 1;
  const double begin = processor_s();
  engine.score(pair.reference, pair.degraded, {}, {.account = true});
  found.seconds = processor_s() - begin;
  std::optional<scoring::Engine::Evaluation> evaluation;
  std::optional<Explanation> explanation;
  const double second = processor_s();
  const Score score =
      engine.score(pair.reference, pair.degraded, {},
                   {.diagnosis = true, .explanation = &explanation, .evaluation = &evaluation, .account = true});
  found.diagnosed_seconds = processor_s() - second;
  const bool is_scored = score.outcome == Outcome::scored;
  if (!pair.is_true) {
    found.accepted = is_scored ? 1 : 0;
    return found;
  }
  found.refused = is_scored ? 0 : 1;
  const std::size_t frames = pair.delay.size();
  const std::vector<char> missing = missing_frames(explanation ? explanation->missing : std::vector<Segment>{}, frames);
  std::vector<double> told(frames, test::AlignmentPlanter::kNowhere);
  for (std::size_t j = 0; evaluation && j < std::min(frames, evaluation->delay.size()); ++j)
    told[j] = evaluation->delay[j] * (1 + evaluation->corrected_drift_ppm * 1e-6);
  for (std::size_t j = 0; j < frames; ++j) {
    if (pair.active[j] == 0) continue;
    if (pair.arrived[j] < 1 - kReceivedShare) {
      ++found.gone;
      found.found_gone += missing[j];
    }
    if (std::isnan(pair.delay[j])) continue;
    ++found.frames;
    // What falls on the border between received and missing is judged by neither count.
    if (pair.arrived[j] >= kReceivedShare) found.called_gone += missing[j];
    found.within_1_ms += std::abs(told[j] - pair.delay[j]) <= kMillisecond ? 1 : 0;
    found.within_4_ms += std::abs(told[j] - pair.delay[j]) <= 4 * kMillisecond ? 1 : 0;
  }
  for (std::size_t j = 0; j < frames; ++j) {
    if (pair.active[j] == 0 || missing[j] != 0) told[j] = test::AlignmentPlanter::kNowhere;
  }
  const std::vector<Step> planted = steps_of(pair.delay);
  std::vector<char> used(planted.size());
  found.steps = static_cast<int>(planted.size());
  for (const Step& step : steps_of(told)) {
    bool is_found = false;
    for (std::size_t k = 0; k < planted.size() && !is_found; ++k) {
      const auto [first, last] = std::minmax(planted[k].frame, step.frame);
      const auto talking = std::count(pair.active.begin() + first, pair.active.begin() + last, 1);
      is_found = used[k] == 0 && std::abs(planted[k].samples - step.samples) <= kMillisecond &&
                 (last - first <= kStepFrames || talking <= kStepActiveFrames);
      if (is_found) used[k] = 1;
    }
    ++(is_found ? found.found_steps : found.false_steps);
  }
  return found;
}

double percent(int part, int of) {
  return of > 0 ? 100.0 * part / of : 100.0;
}

void print(const std::string& kind, const Found& f) {
  fmt::print("| {} | {} | {:.1f} | {:.1f} | {:.0f} of {} | {:.1f} | {} of {}, {} | {} | {} | {:.2f}, {:.2f} |\n", kind,
             f.pairs, percent(f.within_1_ms, f.frames), percent(f.within_4_ms, f.frames), percent(f.found_gone, f.gone),
             f.gone, f.frames > 0 ? percent(f.called_gone, f.frames) : 0.0, f.found_steps, f.steps, f.false_steps,
             f.refused, f.accepted, 1e3 * f.seconds / f.pairs, 1e3 * f.diagnosed_seconds / f.pairs);
}

int number(const char* text, int otherwise) {
  const std::string_view digits = text;
  std::from_chars(digits.data(), digits.data() + digits.size(), otherwise);
  return otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: vqas-alignment-bench SPEECH_DIR [SEED] [PAIRS_OF_A_KIND] [KIND …]\n");
    return 2;
  }
  const auto seed = static_cast<std::uint64_t>(argc > 2 ? number(argv[2], 1) : 1);
  const int pairs = argc > 3 ? number(argv[3], 8) : 8;
  std::vector<std::string> kinds(argv + std::min(argc, 4), argv + argc);
  if (kinds.empty()) kinds = test::AlignmentPlanter::kinds();
  scoring::Engine engine(scoring::score_model(ScoreMode::narrowband));
  test::AlignmentPlanter planter(test::sentences_in(argv[1]), seed);
  fmt::print(
      "| planted | pairs | within 1 ms, % | 4 ms | found missing, % of frames | false, % | steps found, false | "
      "refused | "
      "accepted | ms, with diagnosis |\n|---|---|---|---|---|---|---|---|---|---|\n");
  Found all;
  for (const std::string& kind : kinds) {
    Found found;
    for (int k = 0; k < pairs; ++k) found.add(measure(planter.plant(kind), engine));
    print(kind, found);
    all.add(found);
  }
  print("all", all);
  return 0;
}
