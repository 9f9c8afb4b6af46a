#pragma once

#include <span>
#include <vector>

#include "score/dsp/padded_signal.h"
#include "score/model/model.h"

namespace vqas::scoring {

/// What of the degraded recording nobody's speech explains. Both sides count: speech of the reference that was found
/// nowhere says nothing about the line as long as as much sound was received that belongs to no speech that was found.
class SoundAccount {
 public:
  /// A segment of the degraded recording, in samples, half open.
  struct Part {
    int from = 0, to = 0;
    int sound = 0;  ///< samples of it that are loud enough to be speech
  };

  SoundAccount(const PaddedSignal& degraded, const PerceptualModel& model);

  /// Frames of the reference that lie in the degraded recording; one value each, `delay` in samples. `speech` are those
  /// by whose level it is told what is sound.
  void claim(std::span<const int> delay, std::span<const char> claims, std::span<const char> speech);

  /// Samples of sound that nothing has claimed.
  int unclaimed() const;
  /// The same sound, in parts that lie at least `apart` samples from each other, each with `least` of sound or more.
  std::vector<Part> parts(int apart, int least) const;

 private:
  bool is_unclaimed(std::size_t hop) const { return claimed_[hop] == 0 && level_[hop] > least_level_; }

  int hop_ = 0;
  int around_ = 0;             // hops
  std::vector<float> level_;   // of each hop: power as its mean magnitude gives it, so that a click counts little
  std::vector<char> claimed_;  // of each hop
  float least_level_ = 0;
};

}  // namespace vqas::scoring
