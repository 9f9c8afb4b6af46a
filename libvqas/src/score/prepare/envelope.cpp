#include "score/prepare/envelope.h"

#include <algorithm>

#include "score/dsp/kernels.h"

namespace vqas::scoring {

void compute_envelope(const PaddedSignal& recording, const AlignmentModel& model, std::vector<float>& envelope) {
  const auto steps = static_cast<std::size_t>(recording.size() / model.envelope_hop);
  envelope.resize(steps);
  difference_energies(recording.samples().data(), model.envelope_preemphasis, model.envelope_hop, envelope);
  double total = 0;
  for (const float energy : envelope) total += energy;
  // Relative to the mean, so that the number of samples in a step cancels.
  const double mean = total / static_cast<double>(std::max<std::size_t>(1, steps));
  to_power(envelope, static_cast<float>(1 / (mean + kSilence)), model.envelope_floor, model.envelope_exponent);
}

}  // namespace vqas::scoring
