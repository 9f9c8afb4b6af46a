#include <cstdio>

#include "vqas/score/score.h"
#include "vqas/signal/audio_file.h"

// A harness that reads two recordings and prints one MOS. It needs the score and nothing else.
int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto reference = vqas::read_audio(argv[1]);
  const auto degraded = vqas::read_audio(argv[2]);
  if (!reference || !degraded) return 3;
  const vqas::Score score = vqas::Scorer().score(*reference, *degraded);
  if (!score.mos_lqo) return 4;
  std::printf("%.4f\n", *score.mos_lqo);
  return 0;
}
