#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vqas::bench {

/// A kind of sound that is not a mark, and a minute of it at 8 kHz, determined by its number and the seed.
struct SoundKind {
  std::string name;
  std::vector<float> (*minute)(std::uint64_t seed);
};

/// Noise, tones, call progress, DTMF, synthesised music.
std::vector<SoundKind> sound_kinds();

}  // namespace vqas::bench
