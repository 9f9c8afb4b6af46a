#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "vqas/channel/g711.h"
#include "vqas/channel/profile.h"

namespace vqas {

/// The stage before the encoder: automatic gain control, hum, clipping. In place, sample by sample, so the result does
/// not depend on block sizes. No allocation; real-time safe; for one thread.
class AnalogueStage {
 public:
  AnalogueStage(const AnalogueParts& parts, G711Law law);
  void process(std::span<float> samples);

 private:
  float agc_gain(float sample);

  bool agc_;
  double target_power_, pause_power_;
  double down_, up_;  // largest change of the gain from sample to sample
  double lowest_gain_, highest_gain_;
  double power_ = 0;  // of the input, over the last tenth of a second
  double gain_ = 1;
  double hum_amplitude_;
  double hum_step_;  // turns per sample
  double hum_turn_ = 0;
  float peak_;
};

/// One echo after the speech. No allocation after construction; real-time safe; for one thread.
class EchoStage {
 public:
  explicit EchoStage(const AnalogueParts& parts);
  void process(std::span<float> samples);

 private:
  float gain_;  // 0: none
  std::vector<float> past_;
  std::size_t next_ = 0;
};

}  // namespace vqas
