#pragma once

#include <span>

namespace vqas::scoring {

/// Some recordings of speech carry an offset that begins and ends with the talker: it is no speech and would be taken
/// for some that is missing. A high-pass at 50 Hz, on both recordings of a pair, takes it out; speech and telephone
/// lines begin above it. Both spans have one length and may not overlap.
void take_out_offset(std::span<const float> from, double rate_hz, std::span<float> to);

}  // namespace vqas::scoring
