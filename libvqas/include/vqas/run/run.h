#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vqas/channel/line_codec.h"
#include "vqas/channel/line_direction.h"
#include "vqas/run/duplex.h"
#include "vqas/sampling/sampler.h"
#include "vqas/score/impairment.h"
#include "vqas/score/score.h"
#include "vqas/signal/end.h"
#include "vqas/signal/line_statistics.h"
#include "vqas/sync/marks_found.h"

namespace vqas {

/// The clock that a one-way delay comes from; `unknown` if there is no delay.
enum class DelayBasis { unknown, virtual_time, same_clock, synchronised, half_round_trip };
/// "unknown", "virtual", "same_clock", "synchronised", "half_round_trip".
std::string_view to_string(DelayBasis basis);
std::optional<DelayBasis> delay_basis_from_string(std::string_view name);

/// Results for one measurement besides its score, or in other units (see Indices and impairments in
/// vqas/score/score.h).
struct MeasurementFindings {
  std::vector<ImpairmentFinding> impairments;         ///< the most expensive first; empty on a clean line
  double band_low_hz = 0, band_high_hz = 0;           ///< received -3 dB edges
  double band_loudness_lost = 0;                      ///< share of loudness lost to the band limit, 0..1
  double missing_front_ms = 0;                        ///< missing speech: at the start
  double missing_middle_ms = 0, missing_tail_ms = 0;  ///< within, and at the end
  double level_range_db = 0;                          ///< highest minus lowest gain within the stimulus
  /// Noise in the talker's pauses, as a psophometer reads it, and its cost (PauseNoise of vqas/score/indices.h);
  /// -80 dBm0p: so much or less; nothing without a pause, and in runs of earlier releases.
  std::optional<double> noise_dbm0p = std::nullopt, noise_cost_mos = std::nullopt;
  /// As vqas/score/unrecognised.h: what was lost that nothing that was named explains; nothing below 0.5 MOS, and in
  /// runs of earlier releases.
  std::optional<double> unrecognised_cost_mos = std::nullopt;
  double missing_ms() const { return missing_front_ms + missing_middle_ms + missing_tail_ms; }
};

/// No result for the stimulus, which is sent again: the line or an end was lost, or the controller stopped (cancelled).
/// The receiver may deliver a result later.
constexpr bool was_abandoned(Outcome outcome) {
  return outcome == Outcome::line_lost || outcome == Outcome::cancelled;
}

/// Names one transmission where only its marks do.
struct SentAs {
  std::uint32_t run_id = 0;  ///< of the sender's marks, 24 bits; new each time that a sender is started
  std::uint32_t number = 0;  ///< of the sender, from 1
  auto operator<=>(const SentAs&) const = default;
};

/// One transmission and its result.
struct Measurement {
  std::uint32_t sequence = 0;  ///< in its direction, from 1, never used twice in a run
  Outcome outcome = Outcome::not_found;
  std::string reason;                      ///< empty when scored
  ScoreMode mode = ScoreMode::narrowband;  ///< the scale of mos_lqo: that of its run
  std::optional<double> mos_lqo;
  std::optional<double> auditory_distance;
  /// The narrowband score of the same capture, in runs that measure both modes; nothing else has its scale.
  std::optional<double> narrowband_mos_lqo = std::nullopt;
  std::optional<double> delay_ms;  ///< one way over the line, never from the score's alignment
  DelayBasis delay_basis = DelayBasis::unknown;
  std::optional<double> delay_uncertainty_ms;  ///< of the clocks; half_round_trip also assumes symmetry
  std::optional<double> clock_drift_ppm;
  std::optional<double> level_difference_db;
  std::optional<MeasurementFindings> findings;  ///< nothing if nothing was matched
  /// Position of the speech in the recording by a mark, as given to the score; nothing if the score searched by itself.
  /// With the recording and the stimulus it gives the same score again.
  std::optional<KnownPlacement> placement;
  std::optional<MarksFound> marks_found;  ///< nothing if no mark was waited for
  /// Confidence of the marks that were found: normalised correlation, 0..1.
  std::optional<double> leading_confidence, trailing_confidence;
  /// How much the line's delay grew after the leading mark, in ms, by the trailing mark or else by the speech; nothing
  /// if it did not step.
  std::optional<double> delay_step_ms;
  std::string recording;  ///< file in the run's folder, "recordings/a-to-b-M6-0001.flac"; empty if none was kept
  std::optional<LineStatistics> line;  ///< real lines: reports of both ends' devices and of the packets meanwhile
  /// Real lines: the sender's own mark as the sender heard it, if at all.
  std::optional<double> echo_delay_ms, echo_return_loss_db;
  /// Segments of constant delay within the stimulus, by the speech; empty if the delay did not change.
  std::vector<DelayPiece> delay_track;
  std::string note;  ///< remark that does not affect the result; empty: none
  /// The call that carried it; a call made again after a loss has a new number. 0: no call yet, because no mark of its
  /// direction had ever arrived; its outcome is not_found.
  std::uint32_t call = 1;
  /// Over the line alone: so it counts once, however often a listener hears it. Nothing where a controller numbers the
  /// transmissions, and of runs of earlier releases.
  std::optional<SentAs> sent_as;
};

/// All measurements of one stimulus in one direction.
struct StimulusRun {
  std::string stimulus;                   ///< "M6"
  std::vector<Measurement> measurements;  ///< by sequence
  Interval interval;                      ///< over the scored ones
  StopReason stopped_because = StopReason::cancelled;
};

struct DirectionRun {
  End from = End::a;                 ///< the sending end, which names the direction
  std::vector<StimulusRun> stimuli;  ///< in the order of the corpus
  End to() const { return other_end(from); }
};

/// An operator's note on a measurement.
struct OperatorNote {
  End from = End::a;              ///< the sending end of the direction
  std::uint32_t sequence = 0;     ///< of the measurement in it
  bool sounds_different = false;  ///< what the operator heard does not match the score
  std::string text;
  std::string written_utc;  ///< ISO 8601
};

/// The labels of a run, from its plan; they change no measurement.
struct RunAbout {
  std::string uuid;                         ///< of the run, 36 characters; empty in runs of older versions
  std::string campaign;                     ///< name of the plan
  std::string notes;                        ///< of the plan
  std::map<std::string, std::string> tags;  ///< "site", "circuit", "equipment", …
  std::optional<double> limit_mos;          ///< absolute limit that the means are compared with
  std::optional<double> echo_loss_db;       ///< talker echo loudness rating of the circuit, from the plan
};

/// Offset of a machine's real-time clock from a common one (chrony, PTP, GPS), as its operator states it.
struct ClockState {
  double offset_ms = 0;       ///< how far it is ahead, < 0: behind
  double uncertainty_ms = 0;  ///< of the offset, >= 0
};

/// Everything a run measured, and everything needed to reproduce it.
struct RunResults {
  /// The model, and with it the scale, of every mos_lqo in it.
  ScoreMode mode = ScoreMode::narrowband;
  RunAbout about;
  std::vector<OperatorNote> notes;
  std::uint64_t seed = 0;
  std::string corpus_digest;
  std::map<std::string, LineConditions> simulated;  ///< by direction, "a-to-b"; empty for a real line
  std::string profile;  ///< of a simulated line, in TOML (vqas/channel/profile_text.h); empty for plain conditions
  std::string line;     ///< as given, "sim:", "audio:…"
  LineCodec codec = LineCodec::g711;  ///< of a simulated line
  double guard_s = 0.05;              ///< silence between marks and speech
  SamplerOptions sampling;
  std::vector<DirectionRun> directions;
  std::string ended_because;  ///< one sentence why it is not complete; empty: it is
  bool is_complete() const { return ended_because.empty(); }
  /// Wall-clock values. Nothing else may differ between two runs of one seed.
  std::string started_utc, finished_utc;  ///< ISO 8601
  double wall_seconds = 0;
  double line_seconds = 0;                       ///< of line time used, by the line's own clock
  double lost_seconds = 0;                       ///< wall clock; time without a call, within line_seconds and besides
  std::map<std::string, std::string> equipment;  ///< of real lines, by end: devices, rate, period
  std::map<std::string, ClockState> clocks;      ///< by end, where a node's clock is synchronised
  Duplex duplex = Duplex::automatic;             ///< of real lines; automatic: not decided
  std::string baseline;  ///< result with the line's two ends cabled together, or why it is unknown; one sentence
};

}  // namespace vqas
