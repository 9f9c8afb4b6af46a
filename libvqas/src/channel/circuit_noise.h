#pragma once

#include <cstdint>
#include <span>

#include "vqas/channel/g711.h"
#include "vqas/channel/random.h"

namespace vqas {

/// Psophometer reading (ITU-T O.41) of noise that is flat over 0..4000 Hz, in dB below its unweighted level: the mean
/// power of the weights of O.41 Table 1, linear in dB between its frequencies. The same over 300..3400 Hz gives the 2.5
/// dB known from the ITU-T G.100 series.
inline constexpr double kFlatNoisePsophometricDb = 3.47;

/// The amplitude (rms, full scale 1) of white noise at 8 kHz that reads `dbm0p` on a line of this law; 0 at -infinity.
double circuit_noise_rms(double dbm0p, G711Law law);

/// White Gaussian noise by the method of Box and Muller (Annals of Mathematical Statistics 29, 1958). Depends only on
/// the generator and the number of samples. No allocation; real-time safe; for one thread.
class CircuitNoise {
 public:
  CircuitNoise(double rms, const Random& random) : rms_(rms), random_(random) {}
  /// Adds the next noise samples to the block.
  void add_to(std::span<float> block);

 private:
  double rms_;
  Random random_;
  float second_ = 0;  // of a pair, while it is waiting
  bool second_waits_ = false;
};

}  // namespace vqas
