#include "campaign/transmissions.h"

#include "vqas/signal/audio_file.h"

namespace vqas {

std::vector<CheckedTransmission> transmissions_of(const DirectionRun& direction, const std::filesystem::path& folder,
                                                  const Corpus& corpus, double guard_s) {
  std::vector<CheckedTransmission> all;
  for (const StimulusRun& stimulus : direction.stimuli) {
    const auto reference = corpus.recording(stimulus.stimulus);
    for (const Measurement& one : stimulus.measurements) {
      CheckedTransmission checked{one, {}, reference ? *reference : Signal(), guard_s};
      if (!one.recording.empty()) {
        auto recording = read_audio(folder / one.recording);
        if (recording) checked.recording = std::move(recording).value();
      }
      all.push_back(std::move(checked));
    }
  }
  return all;
}

}  // namespace vqas
