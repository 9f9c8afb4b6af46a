// Scores sentences of a live stream as they arrive, in bounded memory. Here the stream comes from a simulated line; in
// your program it comes from a sound card or from RTP. Marks around each sentence say where it lies.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "vqas/channel/line_direction.h"
#include "vqas/corpus/corpus.h"
#include "vqas/score/score.h"
#include "vqas/sync/capture.h"
#include "vqas/sync/transmission.h"

namespace {

constexpr std::size_t kBlock = 160;  // 20 ms

// A place is given only where both marks agree on it. Otherwise the speech is searched for, and speech that is not
// found has no score.
std::optional<vqas::KnownPlacement> placement_of(const vqas::Capture& capture) {
  const bool sure = capture.data_confirmed && capture.marks == vqas::MarksFound::both && !capture.delay_step;
  if (!sure || !capture.speech_start) return std::nullopt;
  return vqas::KnownPlacement{*capture.speech_start};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: score_live_stream CORPUS_FOLDER [BER]\n");
    return 2;
  }
  const auto corpus = vqas::Corpus::load(argv[1]);
  if (!corpus) {
    std::fprintf(stderr, "%s\n", corpus.error().message.c_str());
    return 3;
  }
  vqas::LineConditions conditions;
  conditions.ber = argc > 2 ? std::atof(argv[2]) : 1e-4;
  if (const auto valid = validate(conditions); !valid) {
    std::fprintf(stderr, "%s\n", valid.error().message.c_str());
    return 3;
  }

  const vqas::TransmissionOptions options;
  vqas::LineDirection line(conditions, /*seed=*/7, /*stream=*/0);
  vqas::CaptureReceiver receiver(vqas::End::a, options);
  vqas::Scorer scorer;
  std::uint16_t sequence = 0;
  int scored = 0;
  for (const vqas::Stimulus& stimulus : corpus->stimuli()) {
    const auto sentence = corpus->recording(stimulus.id);
    if (!sentence) return 3;
    const vqas::MarkData data{.sender = vqas::End::a, .run_id = 1, .sequence = sequence++};
    receiver.expect({{data, sentence->size()}});
    std::vector<float> sent = compose_transmission(*sentence, data, options).signal.samples;
    sent.resize(sent.size() + vqas::kLineRateHz);  // a pause of a second, for the line's delay

    for (std::size_t at = 0; at + kBlock <= sent.size(); at += kBlock) {
      line.push({sent.data() + at, kBlock});
      std::array<float, kBlock> heard{};
      line.pull(heard);
      for (const vqas::Capture& capture : receiver.push(heard)) {
        if (capture.ambiguous) continue;
        const vqas::Score score = scorer.score(*sentence, capture.recording, placement_of(capture));
        if (score.mos_lqo) {
          ++scored;
          std::printf("%s at %.2f s: MOS-LQON %.2f\n", stimulus.id.c_str(),
                      static_cast<double>(capture.stream_position) / vqas::kLineRateHz, *score.mos_lqo);
        } else {
          std::printf("%s: %s: %s\n", stimulus.id.c_str(), std::string(to_string(score.outcome)).c_str(),
                      score.reason.c_str());
        }
      }
    }
  }
  std::printf("%d of %zu sentences scored\n", scored, corpus->stimuli().size());
  return scored > 0 ? 0 : 4;
}
