#pragma once

#include "score/model/model.h"

namespace vqas::scoring {

/// The measurements that the auditory distance is made of.
struct Measurements {
  double changed = 0;   ///< D1: loudness difference over all cells
  double stepped = 0;   ///< Ds: what of D1 is heard beside steps of the delay alone
  double raised = 0;    ///< D2: over the cells that were raised by more than model.raised_ratio
  double inserted = 0;  ///< J+: hundreds of milliseconds inserted per second of speech
};

/// AD of the measurements, >= 0. Beside a step of the delay a listener hears less than two recordings that are compared
/// at both delays differ by, and so does P.862; inserted delay counts by its root.
double auditory_distance(const Measurements& measurements, const PerceptualModel& model);

/// What D1 - Ds has over D2, not below 0: where speech was taken away much is changed and little raised.
double taken_away(const Measurements& measurements);

}  // namespace vqas::scoring
