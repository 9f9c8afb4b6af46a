#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vqas/score/impairment.h"
#include "vqas/score/indices.h"
#include "vqas/score/outcome.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// Names the model and its constants. Whoever changes a score changes this; libvqas/doc/record/score-versions.md has
/// the history.
extern const char* const kScoreVersion;

/// How far the model's scores lie from its label, one standard deviation, and how that was found.
struct ModelError {
  double mos = 0;      ///< root mean square difference, MOS
  const char* label;   ///< what it was compared with
  const char* source;  ///< on which material, and where the table stands
};
ModelError model_error();

/// The two places of the reference's first sample that the line's delay gives before and after a step, in samples of
/// the degraded recording's nominal rate, fractional.
struct PlacesOfStep {
  double before = 0;
  double after = 0;
};

/// Where the speech must be in the degraded recording, known from sync marks.
struct KnownPlacement {
  /// Position of the reference's first sample in the degraded recording, in samples of its nominal rate, fractional.
  double start = 0;
  /// By how much the recording's clock is fast against the reference's, as the marks measured it, in ppm.
  double clock_drift_ppm = 0;
  /// How far the true place may be from `start`, in seconds. Speech that is not there is missing, not elsewhere.
  double uncertainty_s = 0.05;
  /// Where the marks show that the delay stepped between them: speech before the step lies at the one place, behind it
  /// at the other, and both are tried wherever speech is. Both lie within `uncertainty_s` of `start`.
  std::optional<PlacesOfStep> step = std::nullopt;
};

/// One segment of constant delay.
struct DelayPiece {
  double start_s = 0;   ///< in the reference
  double length_s = 0;  ///< in the reference
  double delay_ms = 0;  ///< degraded minus reference, from the beginning of both recordings
};

/// Sound in the degraded recording that is no part of what was scored.
struct UnusedSound {
  double start_s = 0;   ///< in the degraded recording
  double length_s = 0;  ///< from its first to its last sound
  /// The reference was recognised in it once more; then what it would score, MOS-LQON.
  std::optional<double> mos_lqo;
};

struct ExplainedScore;

/// The result for one pair. `outcome` other than `scored` leaves mos_lqo and auditory_distance empty and says why in
/// `reason`; there is never a number that stands for "could not be measured". A score beside which speech was found
/// nowhere although there is sound that may be it has a reason, too, and a confidence of at most 0.75.
struct Score {
  Outcome outcome = Outcome::bad_input;
  std::string reason;  ///< without a score, or with one that is ambiguous: one sentence with the cure; else empty
  std::optional<double> mos_lqo;            ///< MOS-LQON, 1.0..4.55, rounded to 1e-4 (scale of ITU-T P.862.1)
  std::optional<double> auditory_distance;  ///< >= 0; 0 for identity; rounded to 1e-4
  /// Estimated probability, 0..1, that mos_lqo lies within 0.5 of what model_error().label would give; rounded to 1e-4.
  std::optional<double> confidence;
  std::optional<double> delay_ms;             ///< degraded behind reference, the median of the track, from both starts
  std::optional<double> clock_drift_ppm;      ///< positive: the recording's clock is fast against the reference's
  std::optional<double> level_difference_db;  ///< active level of the degraded minus that of the reference
  std::vector<DelayPiece> delay_track;
  /// Where a score was given: sound of half a second and more that lies where no part of the reference was found, in
  /// order of time. A recording that holds the reference more than once has a reason, too, and a confidence of at most
  /// 0.5 where the scores differ by more than that.
  std::vector<UnusedSound> unused_sound;
  /// From Scorer::diagnose() and explain(), where the recordings match as for delay_ms; with a placement also where
  /// a part of the speech is found, or nothing of it (all is missing in front and the band empty). Else nothing.
  std::optional<Indices> indices;
  std::vector<ImpairmentFinding> impairments;  ///< as indices: what is wrong, strongest first; empty on a clean line
};

/// Compares recordings with a narrowband model at 8 kHz. Holds its FFT plans and work space: make one for each thread,
/// use it for as many pairs as you like. The same pair gives the same Score on any instance, in any order.
/// Not real-time safe (allocates for each pair, not for each frame).
class Scorer {
 public:
  Scorer();
  ~Scorer();
  Scorer(Scorer&&) noexcept;
  Scorer& operator=(Scorer&&) noexcept;

  /// Compares `degraded` with `reference` (mono, any rate from 8 kHz up, converted inside). Without a placement the
  /// speech is searched for, and what cannot be found, is silent, noise only or another sentence gets an outcome, no
  /// score. With a placement the speech is scored whatever arrived there: silence or noise is a true score near 1.
  Score score(const Signal& reference, const Signal& degraded, const std::optional<KnownPlacement>& placement = {});

  /// The same score, with indices and impairments (vqas/score/indices.h, impairment.h). The score alone costs nothing
  /// more for it.
  Score diagnose(const Signal& reference, const Signal& degraded, const std::optional<KnownPlacement>& placement = {});

  /// The same, with why (vqas/score/explanation.h): spectrograms and the distance of every cell, for single pairs.
  ExplainedScore explain(const Signal& reference, const Signal& degraded,
                         const std::optional<KnownPlacement>& placement = {});

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

/// MOS-LQON of an auditory distance: monotone, 4.55 at 0 and below, NaN of NaN.
double mos_from_auditory_distance(double auditory_distance);

}  // namespace vqas
