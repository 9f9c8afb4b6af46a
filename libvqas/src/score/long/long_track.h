#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "score/long/long_envelope.h"
#include "score/long/long_path.h"
#include "score/long/segment_sum.h"
#include "vqas/score/indices.h"

namespace vqas::scoring {

/// What the path of a long recording says, in seconds: delays, what of the degraded recording is used, what is missing.
class LongTrack {
 public:
  /// `reach_s`: how far away from the path so far is looked first; `is_bounded`: and at all. Asks `go_on` as LongPath.
  LongTrack(LongEnvelope reference, LongEnvelope degraded, double reach_s, bool is_bounded, const GoOn& go_on);

  /// Where the reference must be cut, if anywhere, so that the delay between two instants stays within `most_s` of the
  /// first one's: the instant at which its two sides fit best. From there on the delay is that of what comes behind.
  std::optional<double> cut_at_step(double from_s, double to_s, double most_s);

  bool is_found() const;
  /// Whether all that can be found between two instants of the reference was.
  bool is_all_found(double from_s, double to_s) const;
  /// As if nothing had been found.
  void forget();
  /// The delay at an instant of the reference; where nothing was found, that of what was found before it, or else
  /// behind it.
  double delay_s(double at_s) const;
  /// The least and the largest between two instants.
  std::pair<double, double> delays_s(double from_s, double to_s) const;
  /// Where what was received of the reference before an instant ends, and where what comes from then on begins; or the
  /// degraded recording's ends.
  double end_before_s(double at_s) const;
  double begin_from_s(double at_s) const;

  /// The speech between two instants of the reference, and what of it was not found.
  MissingSpeech missing(double from_s, double to_s) const;
  /// Of that what was not found beside sound that nothing was found in.
  LongAmbiguity ambiguity(double from_s, double to_s) const;
  /// Of the degraded recording what is loud enough to be the speech that was found, or, where nothing was, that may
  /// have been received.
  double sound_s(double from_s, double to_s) const { return sound_s(from_s, to_s, sound_from_); }
  /// The same, clearly louder also than the pauses that were received of the reference between `begin_s` and
  /// `border_s`, or between that and `end_s`: than the softer ones, as noise may begin or end with the sound.
  double sound_over_pauses_s(double from_s, double to_s, double begin_s, double border_s, double end_s) const;

 private:
  double sound_s(double from_s, double to_s, double least_power) const;
  /// Their median; nothing where none were received.
  std::optional<double> pause_power(double from_s, double to_s) const;
  /// A cut inside of two windows, or between them.
  struct Cut {
    double at_s = 0;
    int before = 0, behind = 0;  // the windows
  };
  int window_of(double at_s) const;
  int window_until(double to_s) const;
  double end_before(int window) const;
  double begin_from(int window) const;
  double best_cut_s(int before, int behind, double from_s) const;
  double lost_s(int window) const;
  double mean_power() const;

  std::vector<float> sent_, received_;  // loudness of each step
  std::vector<char> talk_;              // of each step of the reference
  std::vector<float> power_;            // of each step of the degraded recording
  LongPlaces places_;                   // delays are carried on
  std::vector<Cut> cuts_;
  double sound_from_ = 0;  // power
};

}  // namespace vqas::scoring
