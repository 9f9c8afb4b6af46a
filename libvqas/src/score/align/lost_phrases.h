#pragma once

#include <map>
#include <span>
#include <vector>

#include "score/dsp/padded_signal.h"
#include "score/model/model.h"
#include "score/prepare/envelope.h"
#include "signal/fft.h"

namespace vqas::scoring {

/// Looks once more, over the whole recording, for phrases that a delay track has not found where it looked: a step of
/// the delay beyond the reach of PieceSearch. What lies between two phrases that were found may only lie between them,
/// so that nothing is found twice and the order stays. Holds its plans and work space; for one thread.
class LostPhrases {
 public:
  explicit LostPhrases(const AlignmentModel& model) : model_(model) {}

  /// What is known of a pair; everything stays alive during the call.
  struct Track {
    const PaddedSignal* reference = nullptr;
    const PaddedSignal* degraded = nullptr;
    std::span<const int> delay;          ///< of each frame, in samples
    std::span<const float> correlation;  ///< of each frame at that delay
    std::span<const float> weight;       ///< of each frame
    DelayRange range;
  };
  /// A phrase that lies elsewhere.
  struct Found {
    int first = 0, last = 0;  ///< frames, half open
    int delay = 0;            ///< samples
  };
  /// Speech that has no place, and sound that is no speech's place, each in seconds; where both are long nobody knows
  /// whether that sound is that speech. Where no speech is lost, nobody asks for the sound.
  struct Unexplained {
    double lost_s = 0;
    double sound_s = 0;
  };
  /// What is kept of the recordings from call to call belongs to others.
  void forget_reference() { thin_reference_.clear(); }
  void forget_degraded() { thin_degraded_.clear(); }
  /// Sets `lost` to one a frame, 1 where speech has no place; leaves it empty where none is lost.
  Unexplained unexplained(const Track& track, std::span<const Found> held, std::vector<char>& lost);
  /// The phrases that were found; empty where none was lost or none can be told.
  const std::vector<Found>& run(const Track& track);

 private:
  struct Phrase {
    int first = 0, last = 0;  // frames, half open
    double weight = 0;
    DelayRange range;
  };
  struct Match {
    int delay = 0;
    double correlation = 0;
    double next = 0;  // the best that is elsewhere
  };
  void find_lost(const Track& track);
  void bound(const Track& track);
  void take(const PaddedSignal& from, std::vector<float>& to) const;
  void take_degraded(const PaddedSignal& degraded);
  Match search(const Phrase& phrase);
  const RealFft& plan(std::size_t size);

  AlignmentModel model_;
  std::map<std::size_t, RealFft> plans_;
  std::vector<double> weight_, sum_;  // of the frames up to each
  std::vector<char> state_;           // of each window: quiet, found, lost
  std::vector<Phrase> phrases_;
  std::vector<float> thin_reference_, thin_degraded_;  // empty where not yet taken
  std::vector<double> energy_;                         // of the thin degraded recording, up to each value
  std::size_t size_ = 0;                               // of the FFT that the recording was taken for
  FftBuffer<float> samples_;
  FftBuffer<Complex> degraded_spectrum_, spectrum_, product_;
  std::vector<char> claimed_;  // of each hop of the degraded recording
  std::vector<double> hop_energy_;
  std::vector<Found> found_;
};

}  // namespace vqas::scoring
