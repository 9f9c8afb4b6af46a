#pragma once

#include <string>
#include <vector>

#include "experiment/trials.h"

// The transmissions of each experiment, as lists of trials.
namespace vqas::experiment {

struct Plan {
  std::string title, horizontal;
  std::vector<std::string> labels;
  std::vector<Trial> trials;
};

/// Six channels, both directions, every stimulus five times (NTIA Report 98-354, figures 2.2 and 2.3).
Plan plan_characterize(const std::vector<std::string>& stimuli);
/// M6 and F1 over local ISDN without errors and at 1e-9 to 1e-1, both directions, five times each (figures 2.4 to 2.9).
Plan plan_ber_sweep();
/// M6 once per step over local ISDN and over the satellite (figures 2.10 and 2.11).
Plan plan_wander();
/// The same during the thunderstorm (figures 2.12 and 2.13).
Plan plan_thunderstorm();
/// M6 and F1 with errors of 1e-2 in one bit of the code only, five times each.
Plan plan_bit_significance();
/// M6 over a 512 kbit/s link of a geostationary satellite: three schedulers and four rates of video, without other
/// traffic, with two file transfers, and with another video; and without that link (Adami, Marchese and Ronga, 2001,
/// figures 2 to 4).
Plan plan_voip_satellite();

}  // namespace vqas::experiment
