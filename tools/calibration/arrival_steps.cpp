// The measuring stage of tools/calibrate --mode arrival: plants pairs whose arrival is known and prints what the score
// sees of each step with speech.
// usage: vqas-arrival-steps SPEECH_DIR SEED PAIRS_OF_A_KIND KIND …
//     Each line is a step: the pair's number, the share of its samples that arrived and that the alignment has in their
//     place, then scoring::ArrivalTerms.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

#include "score/diagnose/diagnosis.h"
#include "score/engine.h"
#include "score/planted_alignment.h"

namespace {

using namespace vqas;

constexpr double kInPlace = 2;  // samples

struct Truth {
  double arrived = 0, in_place = 0;
};

Truth truth_of(const test::PlantedPair& pair, const scoring::Engine::Evaluation& found, std::size_t step) {
  Truth truth;
  for (std::size_t n = step * scoring::kStep; n < (step + 1) * scoring::kStep; ++n) {
    if (std::isnan(pair.at[n])) continue;
    truth.arrived += 1.0 / scoring::kStep;
    const auto frame = std::min(n / test::AlignmentPlanter::kHop, found.delay.size() - 1);
    const double delay = found.delay[frame] * (1 + found.corrected_drift_ppm * 1e-6);
    if (std::abs(delay - pair.at[n]) <= kInPlace) truth.in_place += 1.0 / scoring::kStep;
  }
  return truth;
}

void print_steps(int number, const test::PlantedPair& pair, scoring::Engine& engine) {
  std::optional<scoring::Engine::Evaluation> evaluation;
  const Score score = engine.score(pair.reference, pair.degraded, {},
                                   {.diagnosis = true, .costs = false, .evaluation = &evaluation, .account = true});
  if (score.outcome != Outcome::scored) return;
  const auto terms = scoring::arrival_terms(engine.diagnosis()->steps().compared());
  for (std::size_t step = 0; step < terms.size(); ++step) {
    const auto& of = terms[step];
    if (of.certain <= 0) continue;
    const auto [arrived, in_place] = truth_of(pair, *evaluation, step);
    fmt::print("{} {:.2f} {:.2f} {:.4g} {:.4g} {:.4g} {:.4g} {:.4g}\n", number, arrived, in_place, of.certain, of.alike,
               of.weaker, of.stronger, of.missing);
  }
}

template <typename Number>
bool take(std::string_view text, Number& number) {
  return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t seed = 0;
  int pairs = 0;
  if (argc < 5 || !take(argv[2], seed) || !take(argv[3], pairs)) {
    fmt::print(stderr, "usage: vqas-arrival-steps SPEECH_DIR SEED PAIRS_OF_A_KIND KIND …\n");
    return 2;
  }
  scoring::Engine engine(scoring::score_model(ScoreMode::narrowband));
  test::AlignmentPlanter planter(test::sentences_in(argv[1]), seed);
  int number = 0;
  for (int kind = 4; kind < argc; ++kind) {
    for (int k = 0; k < pairs; ++k) print_steps(number++, planter.plant(argv[kind]), engine);
  }
  return 0;
}
