#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vqas/score/impairment.h"
#include "vqas/score/indices.h"
#include "vqas/score/mode.h"
#include "vqas/score/outcome.h"
#include "vqas/signal/signal_view.h"

namespace vqas {

/// Version of the narrowband model and its constants. Any change of a score must change it;
/// libvqas/doc/record/score-versions.md has the history.
extern const char* const kScoreVersion;
/// The same of either model.
const char* score_version(ScoreMode mode);

/// Error of the model's scores against its label, one standard deviation, and its origin.
struct ModelError {
  double mos = 0;      ///< root mean square difference, MOS
  const char* label;   ///< the label
  const char* source;  ///< the material, and where the table is
};
ModelError model_error(ScoreMode mode = ScoreMode::narrowband);

/// The two positions of the reference's first sample, from the line's delay before and after a step, in samples of the
/// degraded recording's nominal rate, fractional.
struct PlacesOfStep {
  double before_samples = 0;
  double after_samples = 0;
};

/// Position of the speech in the degraded recording, known from sync marks.
struct KnownPlacement {
  /// Position of the reference's first sample in the degraded recording, in samples of its nominal rate, fractional.
  double start_samples = 0;
  /// Drift of the recording's clock against the reference's, as measured by the marks, in ppm; positive: fast.
  double clock_drift_ppm = 0;
  /// Largest distance of the true position from `start_samples`, in seconds. Speech outside is missing, not displaced.
  double uncertainty_s = 0.05;
  /// Set if the marks show a step of the delay between them: speech before the step lies at the first position, speech
  /// after it at the second, and both are tried for all speech. Both lie within `uncertainty_s` of `start_samples`.
  std::optional<PlacesOfStep> step = std::nullopt;
};

/// A segment of constant delay.
struct DelayPiece {
  double start_s = 0;   ///< in the reference
  double length_s = 0;  ///< in the reference
  double delay_ms = 0;  ///< degraded minus reference, from the start of both recordings
};

/// Sound in the degraded recording where no speech of the reference was laid.
struct UnusedSound {
  double start_s = 0;   ///< in the degraded recording
  double length_s = 0;  ///< from its first to its last sound
  /// Set if the reference was recognised in it again: the score of that copy, on the scale of the pair's score.
  std::optional<double> mos_lqo;
};

struct ExplainedScore;

/// The result for one pair. With an `outcome` other than `scored`, mos_lqo and auditory_distance are empty and `reason`
/// says why; no number ever stands for "could not be measured". If a part of the speech was not found but unused sound
/// may be that speech, the score also has a reason, and a confidence of at most 0.75.
struct Score {
  ScoreMode mode = ScoreMode::narrowband;  ///< the model, and with it the scale of mos_lqo
  Outcome outcome = Outcome::bad_input;
  std::string reason;  ///< without a score, or with an uncertain one: a sentence with the remedy; otherwise empty
  std::optional<double> mos_lqo;            ///< on the scale of `mode`, rounded to 1e-4
  std::optional<double> auditory_distance;  ///< >= 0; 0 for identity; rounded to 1e-4
  /// Estimated probability, 0..1, that mos_lqo lies within 0.5 of the label named in model_error(); rounded to 1e-4.
  std::optional<double> confidence;
  std::optional<double>
      delay_ms;  ///< delay of degraded against reference, the median of the track, from the start of both
  std::optional<double> clock_drift_ppm;      ///< positive: the recording's clock is fast against the reference's
  std::optional<double> level_difference_db;  ///< active level of the degraded minus that of the reference
  std::vector<DelayPiece> delay_track;
  /// If scored: how much speaks for the speech lying where it was compared, in nats, less what its changes of the delay
  /// cost. Of two scores of one pair with different placements the one with more has the likelier alignment; the MOS
  /// says nothing about that.
  std::optional<double> alignment_evidence;
  /// If scored: sounds of half a second or more where no part of the reference was found, in order of time. A recording
  /// that holds the reference more than once also has a reason, and a confidence of at most 0.5 if the scores of the
  /// copies differ by more than that.
  std::vector<UnusedSound> unused_sound;
  /// From Scorer::diagnose() and explain(), if the recordings match as for delay_ms. With a placement also if only a
  /// part of the speech is found, or none of it (then all is missing in front and the band is empty). Otherwise
  /// nothing.
  std::optional<Indices> indices;
  std::vector<ImpairmentFinding> impairments;  ///< like indices: the most expensive first; empty on a clean line
  /// Like indices, of one pair alone: what the loss is made of, which is the highest score of the model minus mos_lqo.
  /// One part for each impairment and for the noise where they have one, the largest first, then what is left over.
  /// They add up to the loss.
  std::vector<LossPart> loss_parts;
};

/// Compares recordings with the narrowband or the wideband model. Owns its FFT plans and work space: create one for
/// each thread and use it for any number of pairs. The same pair gives the same Score on any instance, in any order.
/// Not real-time safe (allocates for each pair, not for each frame).
class Scorer {
 public:
  Scorer();  ///< narrowband
  explicit Scorer(ScoreMode mode);
  ~Scorer();
  Scorer(Scorer&&) noexcept;
  Scorer& operator=(Scorer&&) noexcept;

  ScoreMode mode() const;

  /// Compares `degraded` with `reference` (mono, any rate from 8 kHz up, from 16 kHz up for the wideband model;
  /// converted inside). Without a placement the
  /// speech is searched for; a recording that cannot be aligned, is silent, holds only noise or another sentence gets
  /// an outcome and no score. With a placement the segment is scored whatever it holds: silence or noise is a true
  /// score near 1. The samples are read where they are.
  Score score(SignalView reference, SignalView degraded, const std::optional<KnownPlacement>& placement = {});

  /// The same score, with indices and impairments (vqas/score/indices.h, impairment.h). score() alone does not pay for
  /// them.
  Score diagnose(SignalView reference, SignalView degraded, const std::optional<KnownPlacement>& placement = {});

  /// The same indices and impairments, in the same order, without what each costs: cost_mos and loss_parts stay empty.
  /// For many pairs of which the names are wanted; it takes less time.
  Score name_impairments(SignalView reference, SignalView degraded,
                         const std::optional<KnownPlacement>& placement = {});

  /// diagnose() with an explanation (vqas/score/explanation.h): spectrograms and the distance of every cell, for single
  /// pairs.
  ExplainedScore explain(SignalView reference, SignalView degraded,
                         const std::optional<KnownPlacement>& placement = {});

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

/// MOS of an auditory distance of that model: monotone, the scale's upper end at 0 and below, NaN of NaN.
double mos_from_auditory_distance(double auditory_distance, ScoreMode mode = ScoreMode::narrowband);

}  // namespace vqas
