#include "vqas/campaign/rescore.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "vqas/score/score.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/resample.h"
#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

// Outcomes that the score gives. The others depend on facts that are not in the recording (a device's gap, the marks,
// where the speech was due), and stay.
bool is_judged_by_score(Outcome outcome) {
  switch (outcome) {
    case Outcome::scored:
    case Outcome::not_aligned:
    case Outcome::no_speech:
    case Outcome::too_short:
      return true;
    default:
      return false;
  }
}

// A recording begins that long before the speech, where a mark was found (vqas/sync/capture.h).
constexpr double kLead_s = 0.5;

// Runs of releases that did not store the place: the cut of the recording gives it to a sample.
std::optional<KnownPlacement> placement_of(const Measurement& one, bool kept) {
  if (kept || one.placement) return one.placement;
  if (!any_mark(one.marks_found)) return std::nullopt;
  KnownPlacement placement;
  placement.start_samples = kLead_s * kLineRateHz;
  placement.clock_drift_ppm = one.clock_drift_ppm.value_or(0);
  return placement;
}

// A release that reports steps also stores places; with a step the speech may have been searched for everywhere.
bool keeps_places(const RunResults& run) {
  for (const DirectionRun& direction : run.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      if (std::ranges::any_of(stimulus.measurements,
                              [](const Measurement& one) { return one.placement || one.delay_step_ms; }))
        return true;
    }
  }
  return false;
}

Result<Signal> read_recording(const RunRecordings& recordings, const std::string& name) {
  const auto file = recordings.find(name);
  return file ? read_audio(*file) : Result<Signal>(file.error());
}

// As a node has it.
Result<Signal> wide_reference(const Corpus& corpus, const std::string& stimulus, const Signal& narrow) {
  const bool has_it = corpus.find(stimulus)->files.contains(kWideRateHz);
  return has_it ? corpus.recording(stimulus, kWideRateHz) : resample(narrow, kWideRateHz);
}

}  // namespace

std::vector<RescoredRecording> RescoredRun::changes() const {
  std::vector<RescoredRecording> changed;
  std::ranges::copy_if(recordings, std::back_inserter(changed), &RescoredRecording::changed);
  return changed;
}

Status check_corpus_of(const StoredRun& run, const Corpus& corpus) {
  if (corpus.digest() == run.results.corpus_digest) return success();
  return Error{
      ErrorCode::bad_input,
      fmt::format(
          "the corpus {} is not the corpus of the run (digest {}, of the run {}); name the right one with --corpus",
          corpus.folder().string(), corpus.digest(), run.results.corpus_digest)};
}

Result<RescoredRun> rescore(const StoredRun& run, const Corpus& corpus, const RunRecordings& recordings,
                            const std::function<bool(double done)>& on_progress) {
  if (const Status same = check_corpus_of(run, corpus); !same) return same.error();
  const bool kept = keeps_places(run.results);
  std::size_t all = 0, done = 0;
  for (const DirectionRun& direction : run.results.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) all += stimulus.measurements.size();
  }
  Scorer scorer(run.results.mode);
  RescoredRun rescored;
  for (const DirectionRun& direction : run.results.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      const auto reference = corpus.recording(stimulus.stimulus);
      if (!reference) return reference.error();
      std::optional<Signal> wide;
      for (const Measurement& one : stimulus.measurements) {
        if (on_progress && !on_progress(static_cast<double>(done++) / static_cast<double>(all)))
          return Error{ErrorCode::cancelled, "stopped"};
        if (one.recording.empty()) continue;
        if (!is_judged_by_score(one.outcome)) {
          ++rescored.not_by_score;
          continue;
        }
        const auto recording = read_recording(recordings, one.recording);
        if (!recording) {
          ++(recordings.was_removed(one.recording) ? rescored.removed : rescored.missing);
          continue;
        }
        if (recording->rate_hz == kWideRateHz && !wide) {
          auto read = wide_reference(corpus, stimulus.stimulus, *reference);
          if (!read) return read.error();
          wide = std::move(read).value();
        }
        const Score now =
            scorer.score(recording->rate_hz == kWideRateHz ? *wide : *reference, *recording, placement_of(one, kept));
        rescored.recordings.push_back({direction.from, stimulus.stimulus, one.sequence, one.outcome, now.outcome,
                                       one.mos_lqo, now.mos_lqo, one.auditory_distance, now.auditory_distance});
      }
    }
  }
  return rescored;
}

}  // namespace vqas
