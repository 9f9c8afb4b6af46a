#pragma once

#include <span>
#include <vector>

#include "score/diagnose/step_powers.h"

namespace vqas::scoring {

/// By what part of a sample each phrase is displaced against the others. Two clocks of some ppm move a phrase against
/// the one before; a line that begins a transmission anew after silence takes its samples at other instants. A
/// diagnosis that goes sample by sample takes either for coding. Holds its work space; for one thread.
class PhrasePhases {
 public:
  /// Finds the phrases, not displaced: speech between pauses of 40 ms. False where there are not two.
  bool find(const StepPowers& steps);
  /// Finds by what the received phrases are displaced against the prediction that `steps` was measured with. Returns
  /// how much of the energy that this prediction leaves is explained by that.
  double measure(const StepPowers& steps);
  /// What was received with every phrase put back, and its surrounding up to the middle of the pauses.
  void put_back(std::span<const float> received, std::vector<float>& result) const;

 private:
  struct Phrase {
    int first = 0, last = 0;  // steps, half open
    double displaced = 0;     // samples
  };
  std::vector<Phrase> phrases_;
};

}  // namespace vqas::scoring
