#include "score/envelope.h"

#include <cmath>

namespace vqas::scoring {

void compute_envelope(std::span<const float> samples, const AlignmentModel& model, std::vector<float>& envelope) {
  const auto hop = static_cast<std::size_t>(model.envelope_hop);
  const std::size_t steps = samples.size() / hop;
  envelope.resize(steps);
  float before = 0;
  double total = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    float energy = 0;
    for (std::size_t n = step * hop; n < (step + 1) * hop; ++n) {
      const float difference = samples[n] - model.envelope_preemphasis * before;
      before = samples[n];
      energy += difference * difference;
    }
    envelope[step] = energy / static_cast<float>(hop);
    total += envelope[step];
  }
  const auto scale = static_cast<float>(1 / (total / static_cast<double>(steps) + 1e-20));
  for (float& value : envelope) value = std::pow(value * scale + model.envelope_floor, model.envelope_exponent);
}

}  // namespace vqas::scoring
