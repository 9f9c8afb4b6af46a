#include "score/compare/measurements.h"

#include <algorithm>
#include <cmath>

namespace vqas::scoring {

double auditory_distance(const Measurements& measurements, const PerceptualModel& model) {
  return model.weight_changed * (measurements.changed - measurements.stepped) +
         model.weight_stepped * measurements.stepped + model.weight_raised * measurements.raised +
         model.weight_inserted * std::sqrt(measurements.inserted);
}

double taken_away(const Measurements& measurements) {
  return std::max(0.0, measurements.changed - measurements.stepped - measurements.raised);
}

}  // namespace vqas::scoring
