#include "campaign/transmissions.h"

#include <algorithm>

#include "receive/measure_capture.h"
#include "receive/upper_band.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/resample.h"
#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

std::optional<bool> lacks_upper_band_of(const CheckedTransmission& one, const Signal& sent) {
  if (sent.empty() || !one.measurement.mos_lqo || !one.measurement.placement) return std::nullopt;
  const SignalView all(one.recording);
  const double start = std::clamp(one.measurement.placement->start_samples, 0.0, static_cast<double>(all.size()));
  const auto speech = all.samples.subspan(static_cast<std::size_t>(start));
  return lacks_upper_band({speech.first(std::min(sent.size(), speech.size())), all.rate_hz}, sent);
}

// What is looked for lies in the telephone band. Both rates are within the limits of resample().
void to_line_rate(CheckedTransmission& one) {
  const double scale = static_cast<double>(kLineRateHz) / one.recording.rate_hz;
  one.recording = *resample(one.recording, kLineRateHz);
  if (!one.measurement.placement) return;
  KnownPlacement& placement = *one.measurement.placement;
  placement.start_samples *= scale;
  if (placement.step) placement.step = {placement.step->before_samples * scale, placement.step->after_samples * scale};
}

}  // namespace

std::vector<CheckedTransmission> transmissions_of(const DirectionRun& direction, const std::filesystem::path& folder,
                                                  const Corpus& corpus, double guard_s) {
  std::vector<CheckedTransmission> all;
  for (const StimulusRun& stimulus : direction.stimuli) {
    const auto reference = corpus.recording(stimulus.stimulus);
    std::optional<Signal> wide;  // read where a recording needs it
    for (const Measurement& one : stimulus.measurements) {
      CheckedTransmission checked{one, {}, reference ? *reference : Signal(), guard_s};
      if (!one.recording.empty()) {
        auto recording = read_audio(folder / one.recording);
        if (recording) checked.recording = std::move(recording).value();
        checked.is_clipped = is_clipped(checked.recording);
        if (checked.recording.rate_hz == kWideRateHz) {
          if (!wide) {
            auto read = corpus.recording(stimulus.stimulus, kWideRateHz);
            wide = read ? std::move(read).value() : Signal();
          }
          checked.lacks_upper_band = lacks_upper_band_of(checked, *wide);
          to_line_rate(checked);
        }
      }
      all.push_back(std::move(checked));
    }
  }
  return all;
}

}  // namespace vqas
