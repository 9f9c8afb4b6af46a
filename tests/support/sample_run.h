#pragma once

#include <string>

#include "vqas/run/run.h"
#include "vqas/sampling/direction_sampler.h"

namespace vqas::test {

/// A measurement with a score and all fields set.
inline Measurement scored(std::uint32_t sequence, double mos) {
  Measurement one;
  one.sequence = sequence;
  one.outcome = Outcome::scored;
  one.mos_lqo = mos;
  one.auditory_distance = 4.5 - mos;
  one.delay_ms = 250.0625;
  one.delay_basis = DelayBasis::virtual_time;
  one.clock_drift_ppm = 40.125;
  one.level_difference_db = -3.25;
  one.findings = MeasurementFindings{.impairments = {{Impairment::noise, 1.25, 0.35}},
                                     .band_low_hz = 250,
                                     .band_high_hz = 3450,
                                     .band_loudness_lost = 0.125,
                                     .missing_middle_ms = 40,
                                     .level_range_db = 2.5,
                                     .noise_dbm0p = -58.5,
                                     .noise_cost_mos = 0.35};
  one.placement = KnownPlacement{4000 + 1.0 / 3, -12.3456789012345678};
  one.marks_found = MarksFound::both;
  one.leading_confidence = 0.987;
  one.trailing_confidence = 0.875;
  one.recording = "recordings/a-to-b-M1-" + std::to_string(sequence) + ".flac";
  return one;
}

/// A measurement without a score.
inline Measurement unscored(std::uint32_t sequence, Outcome outcome, const std::string& reason) {
  Measurement one;
  one.sequence = sequence;
  one.outcome = outcome;
  one.reason = reason;
  one.marks_found = MarksFound::none;
  return one;
}

/// Fills interval and stop reason like a sampler.
inline void settle(StimulusRun& stimulus, const SamplerOptions& options) {
  Sampler sampler(options);
  for (const Measurement& one : stimulus.measurements) {
    if (one.mos_lqo) {
      sampler.add_score(*one.mos_lqo);
    } else {
      sampler.add_failure();
    }
  }
  stimulus.interval = sampler.interval();
  stimulus.stopped_because = sampler.stopped_because().value_or(StopReason::cancelled);
}

/// A run of one direction whose goal is its mean: three stimuli, measured until the goal was reached, or a cap of
/// `cap_count`. The scores scatter about 3.4 by about `swing`.
inline RunResults sample_run_of_the_mean(double swing, std::size_t cap_count = 30) {
  RunResults run = {};
  run.line = "sim:";
  run.sampling.goal_of = GoalOf::mean;
  run.sampling.cap_count = cap_count;
  DirectionRun direction{.from = End::a, .stimuli = {}};
  for (const char* name : {"M1", "F5", "M2"})
    direction.stimuli.push_back({.stimulus = name, .measurements = {}, .interval = {}});
  DirectionSampler sampler(run.sampling, 3);
  constexpr double kAround[] = {-0.3, 1.2, -1.5, 0.8, -0.1, 1.6, -1.0, 0.4, -1.3, 0.2};
  for (std::uint32_t sequence = 1; !sampler.finished(); ++sequence) {
    const std::size_t s = (sequence - 1) % 3;
    const double mos = 3.4 + swing * kAround[sequence % 10];
    direction.stimuli[s].measurements.push_back(scored(sequence, mos));
    sampler.add_score(s, mos);
  }
  for (std::size_t s = 0; s < 3; ++s) {
    direction.stimuli[s].interval = sampler.interval(s);
    direction.stimuli[s].stopped_because = *sampler.stopped_because(s);
  }
  run.directions.push_back(direction);
  return run;
}

/// A run over a simulated line: M1 and F5 from a to b and back, five scores each; from b to a one measurement of M1 and
/// all of F5 without a score.
inline RunResults sample_run() {
  RunResults run;
  run.seed = 7;
  run.corpus_digest = "0123abcd";
  run.line = "sim:";
  run.simulated["a-to-b"] = LineConditions{.ber = 1e-5, .sender_clock_ppm = 20};
  run.simulated["b-to-a"] = LineConditions{.ber = 1e-5, .receiver_clock_ppm = 20};
  run.started_utc = "2026-11-21T08:00:00Z";
  run.finished_utc = "2026-11-21T08:00:40Z";
  run.wall_seconds = 40.5;
  run.line_seconds = 600.25;
  for (const bool forth : {true, false}) {
    DirectionRun direction{.from = forth ? End::a : End::b, .stimuli = {}};
    std::uint32_t sequence = 0;
    StimulusRun m1{.stimulus = "M1", .measurements = {}, .interval = {}};
    for (const double offset : {0.0, 0.01, -0.01, 0.02, -0.02})
      m1.measurements.push_back(scored(++sequence, (forth ? 4.1 : 3.9) + offset));
    if (!forth) m1.measurements.push_back(unscored(++sequence, Outcome::not_found, "no mark and no speech was found"));
    StimulusRun f5{.stimulus = "F5", .measurements = {}, .interval = {}};
    for (const double offset : {0.0, 0.02, -0.02, 0.03, -0.03}) {
      f5.measurements.push_back(forth ? scored(++sequence, 3.5 + offset)
                                      : unscored(++sequence, Outcome::not_aligned, "the pieces do not fit together"));
    }
    for (StimulusRun* stimulus : {&m1, &f5}) settle(*stimulus, run.sampling);
    direction.stimuli = {m1, f5};
    run.directions.push_back(direction);
  }
  return run;
}

}  // namespace vqas::test
