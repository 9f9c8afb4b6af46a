#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "score/diagnose/aligned_pair.h"
#include "score/diagnose/frame_spectra.h"
#include "score/diagnose/impairment_features.h"
#include "score/diagnose/line_response.h"
#include "score/diagnose/mended.h"
#include "score/diagnose/phrase_phases.h"
#include "score/diagnose/step_powers.h"
#include "score/dsp/padded_signal.h"
#include "score/model/model.h"
#include "vqas/score/impairment.h"
#include "vqas/score/indices.h"
#include "vqas/signal/idle_noise.h"

namespace vqas::scoring {

/// What an aligned pair tells about the line besides the score: indices and impairments. For one thread.
class Diagnosis {
 public:
  explicit Diagnosis(const PerceptualModel& model)
      : rate_hz_(model.rate_hz),
        pair_(model),
        response_(model),
        other_pair_(model),
        other_response_(model),
        sent_(response_.frame()),
        arrived_(response_.frame()),
        other_arrived_(response_.frame()) {}

  /// For the next run: frames of speech that the alignment found nowhere, as Alignment has them.
  void expect_lost(std::span<const char> lost) { lost_.assign(lost.begin(), lost.end()); }
  /// For the next run: what the score says was lost, in MOS.
  void expect_cost(double cost_mos) { cost_mos_ = cost_mos; }
  /// For the next run: the frames of the reference that the score is made of.
  void expect_sound(std::size_t begin, std::size_t frames);
  /// The same, in steps.
  const StepRange& sound() const { return sound_; }
  /// For the next run: what both recordings were multiplied with since they were read, in dB.
  void expect_gains(double reference_db, double degraded_db) {
    reference_gain_db_ = reference_db;
    degraded_gain_db_ = degraded_db;
  }
  /// As AlignedPair::assign(). `clock_drift_ppm` is what is known of it, 0 where nothing is.
  void run(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay,
           std::span<const char> deleted, bool waveform_kept, double clock_drift_ppm);
  /// As run(), for a pair whose place is known but which matches too little as a whole. False, and nothing found, when
  /// no segment of it matches by itself.
  bool run_on_rest(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay,
                   std::span<const char> deleted, double clock_drift_ppm);

  /// Of a pair whose place is known and in whose degraded recording nothing of the speech is found.
  void run_on_nothing(std::span<const float> reference);

  const Indices& indices() const { return indices_; }
  const ImpairmentFeatures& features() const { return features_; }
  const std::vector<ImpairmentFinding>& impairments() const { return impairments_; }
  /// Whether pair() is that of the last run: the recordings were laid beside each other.
  bool has_pair() const { return has_pair_; }
  /// What would have been received without impairments, laid beside the reference; needs a pair, until the next run.
  Mended mended() const;
  const AlignedPair& pair() const { return pair_; }
  const StepPowers& steps() const { return steps_; }
  /// Whether peaks were clipped, and the line's response is that of what was not.
  bool is_beside_peaks() const { return is_beside_peaks_; }
  /// The gain of each step where the level moves by what is told; else none.
  std::span<const float> moving_gain() const;

 private:
  void lay_out(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay,
               std::span<const char> deleted);
  /// A filter spreads the delay over frequency, and a track follows whatever is loudest: where one delay and the line's
  /// response explain what was received as well, nothing has stepped.
  /// Whether the line's response was measured then.
  bool hold_delay(std::span<const int> delay, std::span<const char> deleted);
  /// Share of what was received that the line's response does not explain.
  double unexplained();
  /// Of the pair whose response_ is that of the line.
  void measure(bool waveform_kept, double clock_drift_ppm);
  /// Where nothing but coding is named, phrases are displaced against each other by parts of a sample, and that
  /// explains most of what looks like coding, measures the pair once more without.
  void settle_phases(double clock_drift_ppm);
  /// Band and level once more, by what was not clipped.
  void measure_beside_peaks();
  void name(bool waveform_kept, double clock_drift_ppm);
  /// Noise in the pauses, in dBm0. `middle_db` is the gain of the line.
  std::optional<PauseNoise> measure_noise(double middle_db);

  double rate_hz_;
  double cost_mos_ = kWholeScaleMos;
  StepRange sound_;
  double reference_gain_db_ = 0, degraded_gain_db_ = 0;
  IdleNoiseMeter noise_meter_;
  std::vector<float> rest_;
  bool has_pair_ = false;
  AlignedVector<float> unclipped_, expected_;
  std::span<const float> received_;  // of the run, as it was given
  std::vector<char> is_peak_;        // one a sample of the pair
  bool is_beside_peaks_ = false;
  std::vector<int> held_;
  AlignedVector<float> reference_;
  PaddedSignal degraded_;
  AlignedPair pair_;
  LineResponse response_;
  std::vector<char> lost_;
  StepPowers steps_;
  AlignedPair other_pair_;  // what is tried, or was before it
  LineResponse other_response_;
  FrameSpectra sent_, arrived_, other_arrived_;  // of what the pairs hold
  PhrasePhases phases_;
  std::vector<float> put_back_;
  Indices indices_;
  ImpairmentFeatures features_;
  std::vector<ImpairmentFinding> impairments_;
};

}  // namespace vqas::scoring
