#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "score/align/aligner.h"
#include "score/align/timing.h"
#include "score/compare/frame_sums.h"
#include "score/compare/heard_places.h"
#include "score/compare/perception.h"
#include "score/confidence/confidence.h"
#include "score/diagnose/diagnosis.h"
#include "score/diagnose/heard_line.h"
#include "score/model/model.h"
#include "score/prepare/active_level.h"
#include "score/prepare/preparation.h"
#include "score/prepare/sound_account.h"
#include "score/refusal.h"
#include "vqas/score/explanation.h"
#include "vqas/score/score.h"

namespace vqas::scoring {

/// One pair from samples to Score: prepare, align, correct the clock if needed, compare, decide. A model that listens
/// at another rate than it aligns at takes place, clock and recognition from the copy at the rate of alignment. Holds
/// all work space; for one thread.
class Engine {
 public:
  explicit Engine(const ScoreModel& model);
  const ScoreModel& model() const { return model_; }
  /// Of the last pair that was diagnosed; null before.
  const Diagnosis* diagnosis() const { return diagnosis_.get(); }
  /// What one alignment of the pair gives.
  struct Evaluation {
    Measurements measurements;
    Circumstances circumstances;
    double corrected_drift_ppm = 0;
    double most_confidence = 1;  ///< what an ambiguity leaves
    double auditory_distance = 0;
    double waveform_match = 0;
    double pattern_match = 0;
    double evidence = 0;           ///< for the alignment, nats; see evidence_of()
    double found_correlation = 0;  ///< mean of the frames that the alignment has not lost
    Timing timing;
    std::vector<int> delay;
    std::vector<char> deleted, lost;  // as Alignment
    bool inverted = false;            ///< the recording was inverted
    bool steady = false;              ///< the track has one delay,
    bool one_delay_fits = false;      ///< and nothing speaks for another one anywhere
    FrameSums line;                   ///< in the scale of the recordings as they were given; empty unless asked for
  };
  /// What is wanted beside the score. What is not asked for costs nothing.
  struct Wanted {
    bool diagnosis = false;  ///< indices and impairments
    /// With the diagnosis: what each impairment costs and what the loss is made of; else their order alone.
    bool costs = true;
    std::optional<Explanation>* explanation =
        nullptr;                                      ///< filled as far as the pair could be used; needs the diagnosis
    std::optional<Evaluation>* evaluation = nullptr;  ///< filled when the pair was compared
    bool is_segment = false;                          ///< of a longer recording; tells Evaluation::line
    /// The recording is expected to hold this reference and no other speech: what of it is left over counts.
    bool account = false;
    /// Level and response of the longer recording that the pair is a segment of, as given; else they are the pair's.
    const FrameSums* line = nullptr;
  };
  Score score(SignalView reference, SignalView degraded, const std::optional<KnownPlacement>& placement,
              const Wanted& wanted);
  /// The same of a recording that is expected to hold this reference once and no other speech: tells what is left over,
  /// and looks for the reference in that.
  Score score_whole(SignalView reference, SignalView degraded, const std::optional<KnownPlacement>& placement,
                    Wanted wanted);

 private:
  Score score_pair(SignalView reference, SignalView degraded, const std::optional<KnownPlacement>& placement,
                   const Wanted& wanted);
  /// Whether this is the reference that was scored last and is still at hand.
  bool is_known(SignalView reference) const;
  std::optional<Refusal> take_reference(SignalView reference, const Recording& recording);
  /// What a pair is compared by, whatever clock is tried.
  struct Terms {
    DelayRange range;
    bool place_is_known = false;
    bool is_segment = false;
    const FrameSums* line = nullptr;             ///< for the model that listens,
    const FrameSums* recognised_line = nullptr;  ///< and for the one that recognises
  };
  Evaluation evaluate(const Recording& degraded, const Terms& terms);
  /// Of degraded_ as it was aligned.
  Evaluation measure(const Alignment& alignment, const Terms& terms);
  /// By the model of recognition.
  Measurements compare(std::span<const int> delay, const Terms& terms);
  /// By the model that listens.
  void transform_heard(std::span<const int> delay, const NotReceived& not_received, bool inverted);
  Measurements listen(std::span<const int> delay, const Terms& terms);
  /// What the copies of a pair are multiplied with, and the longer recording that they are part of, or nullptr.
  struct Scale {
    double reference = 1, degraded = 1;
    const FrameSums* line = nullptr;
  };
  static Measurements compare(Perception& perception, std::span<const int> delay, const Scale& scale,
                              const Terms& terms);
  const Perception& listener() const { return heard_ ? *heard_ : perception_; }
  const PerceptualModel& recognition() const { return model_.recognition; }
  double mos_of(double auditory_distance) const { return model_.scale.mos_of(auditory_distance); }
  /// In MOS.
  double loss_of(const Evaluation& evaluation) const;
  std::optional<double> find_drift(const Evaluation& evaluation, const Terms& terms, bool first);
  void correct_clock_drift(PreparedPair& pair, Evaluation& evaluation, const Terms& terms);
  std::optional<Refusal> check_reference() const;
  std::optional<Refusal> check_match(const Evaluation& evaluation);
  /// P.56 level, in dBov as recorded, of `length` samples from `from`; DC is gone.
  std::optional<double> level_of(const DcFree& recording, int from, int length);
  /// These two need the recording that the given evaluation is of in degraded_.
  /// Lays the pair out and measures it. False when nothing can be said.
  bool lay_out(const Evaluation& evaluation, bool place_is_known);
  /// After lay_out(): indices and impairments.
  void diagnose(const Evaluation& evaluation, const Terms& terms, bool with_costs, Score& score);
  /// Puts the dearest impairment first and, if asked for, beside each and beside the noise what it would cost alone,
  /// the recording mended of all others. `distance` is that of the score; `is_heard`: at the rate of listening.
  void tell_costs(double distance, const Terms& terms, bool with_costs, bool is_heard, Score& score);
  /// A drift too small to have been corrected, which moves the speech by samples nonetheless.
  std::optional<double> small_drift_of(const Evaluation& evaluation) const;
  /// The recording with a small drift taken out, and the delay of each frame in it; as it is where there is none.
  const PaddedSignal& without_drift(const Evaluation& evaluation, std::vector<int>& delay);
  /// After lay_out(), of a model that listens at another rate.
  void lay_out_heard(const Evaluation& evaluation);
  /// Auditory distance of what is in mended_, laid beside the reference at the rate of listening or of recognition.
  double distance_of_mended(const Terms& terms, bool is_heard);
  Explanation explain(const Evaluation& evaluation, const Terms& terms, bool is_diagnosed);
  /// Takes what both recordings hold into account, and says so. Returns the most confidence that it leaves.
  double tell_ambiguities(const Evaluation& evaluation, double lost_s, bool whole_recording, Score& score) const;
  /// What is left of the recording in degraded_.
  std::vector<UnusedSound> unused_sound(const Evaluation& evaluation, int origin) const;
  /// Whether speech was lost beside sound that nobody can name.
  bool is_ambiguous(const Evaluation& evaluation) const;
  /// Seconds of the speech that the alignment found nowhere and that is not where its neighbours are either, as the
  /// line passes it on; needs diagnose(). A filter leaves frames that resemble the reference too little to be found.
  double lost_behind_line_s(const Evaluation& evaluation) const;
  /// What of the reference claims the sound at its place: its speech, also what is laid there because it was found
  /// nowhere; or its pauses as well.
  enum class Claim { speech, all };
  /// Of the recording in degraded_.
  SoundAccount account_of(const Evaluation& evaluation, Claim claim) const;
  /// Whether the reference was found in the degraded recording.
  bool matches(const Evaluation& evaluation) const;
  /// At its known place the speech is not: neither match is reached.
  bool did_not_arrive(const Evaluation& evaluation, bool place_is_known) const;
  /// The AD that is scored: where the speech did not arrive, at least that of speech that did not.
  double scored_distance(const Evaluation& evaluation, bool place_is_known) const;
  /// Whether one of the recordings, as they were given, is the other one rounded to 16 bits at another gain, at the
  /// delay that was found. `origin` as PreparedPair.
  bool differs_by_rounding(SignalView reference, SignalView degraded, const Evaluation& evaluation, int origin) const;

  ScoreModel model_;
  Aligner aligner_;
  Perception perception_;
  std::optional<Perception> heard_;  // where the model listens at another rate than it recognises at
  HeardPlaces heard_places_;
  std::optional<HeardLine> heard_line_;
  TimingFit timing_;
  ActiveLevel level_;
  DcFree reference_, degraded_;
  PaddedSignal mended_;
  std::vector<int> no_delay_;
  PaddedSignal steadied_;  // degraded_ without a drift, for the diagnosis
  PaddedSignal steadied_heard_;
  Signal known_reference_;  // as it was given; empty when none is at hand
  double reference_level_ = 0;
  std::unique_ptr<Diagnosis> diagnosis_;  // made when it is asked for first: it has plans of its own
};

}  // namespace vqas::scoring
