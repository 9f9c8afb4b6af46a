// Scores a degraded recording against its reference, both in memory.
#include <cstdio>
#include <string>

#include "vqas/score/score.h"
#include "vqas/signal/audio_file.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: score_two_buffers REFERENCE DEGRADED\n");
    return 2;
  }
  const auto reference = vqas::read_audio(argv[1]);
  const auto degraded = vqas::read_audio(argv[2]);
  if (!reference || !degraded) {
    std::fprintf(stderr, "%s\n", (reference ? degraded : reference).error().message.c_str());
    return 3;
  }
  vqas::Scorer scorer;  // one for each thread; for as many pairs as you like
  const vqas::Score score = scorer.diagnose(*reference, *degraded);
  if (!score.mos_lqo) {  // there is never a number for "could not be measured"
    std::fprintf(stderr, "%s: %s\n", std::string(to_string(score.outcome)).c_str(), score.reason.c_str());
    return 4;
  }
  std::printf("MOS-LQON %.2f, confidence %.2f, delay %.1f ms\n", *score.mos_lqo, score.confidence.value_or(0),
              score.delay_ms.value_or(0));
  const double missing_ms = score.indices ? score.indices->missing.total_ms() : 0;
  for (const vqas::ImpairmentFinding& finding : score.impairments) {
    const auto words = advice(finding.impairment, missing_ms);
    std::printf("%s (costs %.2f MOS)\n", std::string(words).c_str(), finding.cost_mos.value_or(0));
  }
  if (!score.reason.empty()) std::printf("ambiguous: %s\n", score.reason.c_str());
}
