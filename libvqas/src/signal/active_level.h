#pragma once

#include <optional>
#include <span>

namespace vqas {

/// The end of ITU-T P.56, method B: the active level, in dBov, that exceeds its threshold by 15.9 dB. `active` holds
/// the samples that are active by each of the thresholds, amplitudes of 2^lowest_exponent and each next power of two;
/// `energy` is that of all samples. Nothing if no sample is active.
std::optional<double> active_level_at_margin(double energy, std::span<const double> active, int lowest_exponent);

}  // namespace vqas
