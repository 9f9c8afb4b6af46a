#pragma once

#include <string>
#include <vector>

#include "sync_impairments.h"

namespace vqas::bench {

/// A line of the sweep.
struct Condition {
  std::string name;
  std::vector<Impairment> line;
  double stimulus_s = 0.6;
  bool pair = false;
  bool delay_known = true;  ///< otherwise errors are relative to the median: filters with phase, codecs
};

/// Each fault by itself.
std::vector<Condition> single_conditions();
/// Every two of the main faults, in the order of a call.
std::vector<Condition> paired_conditions();

}  // namespace vqas::bench
