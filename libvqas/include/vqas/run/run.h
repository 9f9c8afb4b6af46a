#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vqas/channel/line_direction.h"
#include "vqas/sampling/sampler.h"
#include "vqas/score/impairment.h"
#include "vqas/score/score.h"
#include "vqas/signal/line_statistics.h"

namespace vqas {

/// From which clock a one-way delay comes; `unknown` when there is no delay.
enum class DelayBasis { unknown, virtual_time, same_clock, synchronised, half_round_trip };
/// "unknown", "virtual", "same_clock", "synchronised", "half_round_trip".
std::string_view to_string(DelayBasis basis);
std::optional<DelayBasis> delay_basis_from_string(std::string_view name);

/// What the score does not weigh, or says in other words, of one measurement (Indices and impairments of
/// vqas/score/score.h).
struct MeasurementFindings {
  std::vector<ImpairmentFinding> impairments;         ///< what is wrong, strongest first; empty on a clean line
  double band_low_hz = 0, band_high_hz = 0;           ///< received -3 dB edges
  double band_loudness_lost = 0;                      ///< share of loudness that the band takes away, 0..1
  double missing_front_ms = 0;                        ///< speech that did not arrive: from the first on
  double missing_middle_ms = 0, missing_tail_ms = 0;  ///< within, and up to the last
  double level_range_db = 0;                          ///< highest minus lowest gain within the stimulus
  /// Noise where the talker pauses, as a psophometer reads it, and what it costs (PauseNoise of vqas/score/indices.h);
  /// nothing where there was no pause, and of runs of earlier releases.
  std::optional<double> noise_dbm0p = std::nullopt, noise_cost_mos = std::nullopt;
  double missing_ms() const { return missing_front_ms + missing_middle_ms + missing_tail_ms; }
};

/// Nothing is said of the stimulus, which is sent again: the line, an end or the controller (cancelled) was gone. Its
/// receiver may tell more of it later.
constexpr bool was_abandoned(Outcome outcome) {
  return outcome == Outcome::line_lost || outcome == Outcome::cancelled;
}

/// What tells a transmission from all others where nothing but its marks names it.
struct SentAs {
  std::uint32_t run_id = 0;  ///< of the sender's marks, 24 bits; another one each time that a sender is started
  std::uint32_t number = 0;  ///< the sender's, from 1
  auto operator<=>(const SentAs&) const = default;
};

/// One transmission and what became of it.
struct Measurement {
  std::uint32_t sequence = 0;  ///< in its direction, from 1, never used twice in a run
  Outcome outcome = Outcome::not_found;
  std::string reason;  ///< empty when scored
  std::optional<double> mos_lqo;
  std::optional<double> auditory_distance;
  std::optional<double> delay_ms;  ///< one way over the line, never from the score's own alignment
  DelayBasis delay_basis = DelayBasis::unknown;
  std::optional<double> delay_uncertainty_ms;  ///< of the clocks; half_round_trip assumes symmetry besides
  std::optional<double> clock_drift_ppm;
  std::optional<double> level_difference_db;
  std::optional<MeasurementFindings> findings;  ///< nothing where nothing was matched
  /// Where a mark placed the speech in the recording, as the score was told; nothing where it searched by itself. With
  /// the recording and the stimulus it gives the same score again.
  std::optional<KnownPlacement> placement;
  std::string marks_found;  ///< "both", "leading_only", "trailing_only", "none"
  /// How sure the marks are that were found: normalised correlation, 0..1.
  std::optional<double> leading_confidence, trailing_confidence;
  /// By how much the line's delay grew after the leading mark, in ms, as the trailing mark tells or, where it tells
  /// nothing, the speech; nothing where it did not step.
  std::optional<double> delay_step_ms;
  std::string recording;  ///< file in the run's folder, "recordings/a-to-b-M6-0001.flac"; empty when none was kept
  std::optional<LineStatistics> line;  ///< real lines: what both ends' devices and the packets' way told meanwhile
  /// Real lines: what the sender heard of its own mark, if anything.
  std::optional<double> echo_delay_ms, echo_return_loss_db;
  /// Segments of constant delay within the stimulus, by the speech; empty where it did not change.
  std::vector<DelayPiece> delay_track;
  std::string note;  ///< what was noticed and did not spoil the measurement; empty: nothing
  /// Which call carried it: one that is made again after a loss is another one. 0: none did yet, because no mark of its
  /// direction had ever come; its outcome is not_found.
  std::uint32_t call = 1;
  /// Over the line alone: so it counts once, however often a listener hears it. Nothing where a controller numbers the
  /// transmissions, and of runs of earlier releases.
  std::optional<SentAs> sent_as;
};

inline bool was_abandoned(const Measurement& measurement) {
  return was_abandoned(measurement.outcome) || (measurement.call == 0 && !measurement.mos_lqo);
}

/// All measurements of one stimulus in one direction.
struct StimulusRun {
  std::string stimulus;                   ///< "M6"
  std::vector<Measurement> measurements;  ///< by sequence
  Interval interval;                      ///< over the scored ones
  StopReason stopped_because = StopReason::cancelled;
};

struct DirectionRun {
  std::string from, to;              ///< names of the ends, "a" and "b"
  std::vector<StimulusRun> stimuli;  ///< in the order of the corpus
};

/// What an operator wrote about a measurement.
struct OperatorNote {
  std::string from, to;           ///< the direction
  std::uint32_t sequence = 0;     ///< of the measurement in it
  bool sounds_different = false;  ///< the operator heard something else than the score says
  std::string text;
  std::string written_utc;  ///< ISO 8601
};

/// What a run belongs to, as its plan says; nothing in it changes a number.
struct RunAbout {
  std::string uuid;                         ///< of the run, 36 characters; empty in runs of older versions
  std::string campaign;                     ///< name of the plan
  std::string notes;                        ///< of the plan
  std::map<std::string, std::string> tags;  ///< "site", "circuit", "equipment", …
  std::optional<double> limit_mos;          ///< absolute limit that the means are held against
  std::optional<double> echo_loss_db;       ///< talker echo loudness rating of the circuit, told by the plan
};

/// How a machine's real-time clock stands to a common one (chrony, PTP, GPS), as whoever keeps it says.
struct ClockState {
  double offset_ms = 0;       ///< by how much it is ahead, < 0: behind
  double uncertainty_ms = 0;  ///< of that, >= 0
};

/// Everything a run measured and what reproduces it.
struct RunResults {
  RunAbout about;
  std::vector<OperatorNote> notes;
  std::uint64_t seed = 0;
  std::string corpus_digest;
  std::map<std::string, LineConditions> simulated;  ///< by direction, "a-to-b"; empty for a real line
  std::string profile;    ///< of a simulated line, in TOML (vqas/channel/profile_text.h); empty for plain conditions
  std::string line;       ///< as it was named, "sim:", "audio:…"
  double guard_s = 0.05;  ///< silence between marks and speech
  SamplerOptions sampling;
  std::vector<DirectionRun> directions;
  std::string ended_because;  ///< empty when complete, else one sentence
  /// Wall-clock values, kept apart because nothing else may differ between two runs of one seed.
  std::string started_utc, finished_utc;  ///< ISO 8601
  double wall_seconds = 0;
  double line_seconds = 0;                       ///< of line time used, by the line's own clock
  double lost_seconds = 0;                       ///< of it and besides, in which the call was gone; wall clock
  std::map<std::string, std::string> equipment;  ///< of real lines, by end: devices, rate, period
  std::map<std::string, ClockState> clocks;      ///< by end, where a node's clock is synchronised
  std::string duplex;    ///< real lines: "both" directions at a time, or "one"; empty: not decided
  std::string baseline;  ///< what the line's two ends gave when cabled together, or why nothing is known; one sentence
};

}  // namespace vqas
