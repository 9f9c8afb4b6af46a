#include "score/prepare/envelope.h"

#include <algorithm>

#include "score/dsp/kernels.h"

namespace vqas::scoring {

void compute_envelope(const PaddedSignal& recording, const AlignmentModel& model, std::vector<float>& envelope) {
  const auto steps = static_cast<std::size_t>(recording.size() / model.envelope_hop);
  envelope.resize(steps);
  const float* samples = recording.samples().data();
  double total = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    const float* at = samples + step * static_cast<std::size_t>(model.envelope_hop);
    envelope[step] = difference_energy(at, model.envelope_preemphasis, model.envelope_hop);
    total += envelope[step];
  }
  // Relative to the mean, so that the number of samples in a step cancels.
  const double mean = total / static_cast<double>(std::max<std::size_t>(1, steps));
  to_power(envelope, static_cast<float>(1 / (mean + kSilence)), model.envelope_floor, model.envelope_exponent);
}

}  // namespace vqas::scoring
