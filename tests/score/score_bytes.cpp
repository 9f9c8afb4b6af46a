// Prints the distances of scores to the last bit, for pairs that cover every path through the alignment.
#include <fmt/format.h>

#include <optional>

#include "score/engine.h"
#include "score/recipes.h"

int main() {
  using namespace vqas;
  scoring::Engine engine{scoring::score_model(ScoreMode::narrowband)};
  for (const char* id : {"M1", "F2"}) {
    const Signal speech = test::corpus_sentence(id);
    if (speech.empty()) return 3;
    for (const Signal& degraded :
         {speech, test::with_bit_errors(speech, 0, 1), test::with_bit_errors(speech, 1e-3, 2),
          test::with_bit_errors(speech, 1e-2, 3), test::with_noise(speech, 0, 4), test::with_losses(speech, 0.05, 5),
          test::with_jump(speech, 0.5, 320), test::with_jump(speech, 0.4, -800), test::clipped(speech, 0.1),
          test::resampled_by_clock(speech, 300, 500), test::resampled_by_clock(speech, -10000, 0)}) {
      std::optional<scoring::Engine::Evaluation> evaluation;
      const Score score = engine.score(speech, degraded, {}, {.diagnosis = true, .evaluation = &evaluation});
      if (!evaluation) return 4;
      const auto& found = *evaluation;
      fmt::print("{} {} {:a} {:a} {:a} {:a} {:a} {:a} {:a} {}\n", id, to_string(score.outcome), found.auditory_distance,
                 found.measurements.changed, found.measurements.raised, found.waveform_match, found.pattern_match,
                 found.timing.delay, found.timing.clock_drift_ppm.value_or(0), score.delay_track.size());
      if (score.indices) {
        const Indices& indices = *score.indices;
        fmt::print("  {:a} {:a} {:a} {:a}\n", indices.band_loss.low_hz, indices.band_loss.loudness_lost,
                   indices.missing.middle_ms, indices.level_track.range_db);
      }
      for (const auto& finding : score.impairments)
        fmt::print("  {} {:a} {:a}\n", to_string(finding.impairment), finding.strength, finding.cost_mos.value_or(0));
    }
  }
  return 0;
}
