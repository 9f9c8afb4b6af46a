#pragma once

#include <string>

namespace vqas::cli {

/// The line to suggest after one with a given bit error ratio.
struct NextTry {
  double ber = 0;
  std::string suffix;  ///< of its folder's name: "-worse" or "-better"
};

/// Ten times the errors, 1e-5 after none, and a tenth from 1e-2 up, where hardly any speech is left.
NextTry next_try(double ber);

/// A tenth of the errors; none below 1e-8, where a run has hardly any.
NextTry better_try(double ber);

}  // namespace vqas::cli
