#include "score/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <iterator>
#include <tuple>
#include <utility>

#include "score/align/evidence.h"
#include "score/diagnose/explaining.h"
#include "score/dsp/no_denormals.h"
#include "score/model/shared_numbers.h"
#include "score/prepare/copies.h"
#include "score/prepare/rounded_copy.h"
#include "vqas/signal/clipping.h"
#include "vqas/signal/level.h"
#include "vqas/signal/resample.h"
#include "vqas/signal/rounding.h"

namespace vqas::scoring {
namespace {

constexpr double kLeastActiveS = 0.4;    // shorter is one word, which repeats elsewhere
constexpr double kLeastLevelDbov = -70;  // quieter is line noise, not speech
// Standard deviation of the level of active frames: a choice that refuses the noise and the tones of the tests and none
// of 22 recordings of speech (12 of the corpus, 10 human).
constexpr double kLeastVariationDb = 2;
// A choice well above the error of the measurement: from 10 ppm on 14 lines with losses
// were given a clock that they do not have. Uncorrected, 100 ppm cost 0.02 to 0.46 MOS on three recordings.
constexpr double kCorrectDriftFromPpm = 30;
constexpr double kLargestDrift = 0.0125;    // 1 % and what the clocks' own errors may add
constexpr double kLeastDriftSamples = 0.5;  // not tuned: over a recording, what rounding to samples makes of it

double rounded(double value) {
  return rounded_to(value, 1e-4);
}

// Of a clock that is fast by `a` against one that is fast by `b`, ppm.
double combined_drift(double a, double b) {
  return a + b + a * b * 1e-6;
}

// What is known of the clock: what was taken out, and what is left of it where that is precise.
double drift_of(const Engine::Evaluation& evaluation) {
  const auto& timing = evaluation.timing;
  return combined_drift(evaluation.corrected_drift_ppm, timing.drift_is_precise() ? *timing.clock_drift_ppm : 0);
}

double found_correlation_of(const Alignment& alignment) {
  double sum = 0;
  double weights = 0;
  for (std::size_t j = 0; j < alignment.delay.size(); ++j) {
    if (!alignment.lost.empty() && alignment.lost[j] != 0) continue;
    weights += alignment.weight[j];
    sum += static_cast<double>(alignment.weight[j]) * alignment.correlation[j];
  }
  return weights > 0 ? sum / weights : 0;
}

void forget_costs(Score& score) {
  for (ImpairmentFinding& finding : score.impairments) finding.cost_mos.reset();
  if (score.indices->noise) score.indices->noise->cost_mos.reset();
  score.loss_parts.clear();
}

Score refused(const Refusal& refusal) {
  Score score;
  score.outcome = refusal.outcome;
  score.reason = refusal.reason;
  return score;
}

std::vector<DelayPiece> to_pieces(const std::vector<int>& delay, const PerceptualModel& model, int origin) {
  std::vector<DelayPiece> pieces;
  const double hop_s = static_cast<double>(model.hop) / model.rate_hz;
  for (std::size_t j = 0; j < delay.size(); ++j) {
    if (j == 0 || delay[j] != delay[j - 1]) {
      const double delay_ms = 1000.0 * (delay[j] + origin) / model.rate_hz;
      pieces.push_back({static_cast<double>(j) * hop_s, 0, delay_ms});
    }
    pieces.back().length_s += hop_s;
  }
  return pieces;
}

std::optional<Refusal> check_level(const std::optional<double>& level, const char* which) {
  if (!level) {
    return Refusal{Outcome::no_speech, fmt::format("the {} recording is silent; check what was recorded", which)};
  }
  if (*level < kLeastLevelDbov) {
    return Refusal{
        Outcome::no_speech,
        fmt::format("the {} recording's level is {:.1f} dBov, below {:.0f}; check the connection and the gain", which,
                    *level, kLeastLevelDbov)};
  }
  return std::nullopt;
}

}  // namespace

Engine::Engine(const ScoreModel& model)
    : model_(model), aligner_(model.alignment), perception_(model.recognition), timing_(model.alignment) {
  if (model.heard_samples() > 1) heard_.emplace(model.listening);
}

bool Engine::is_known(SignalView reference) const {
  const auto& known = known_reference_.samples;
  return !known.empty() && reference.rate_hz == known_reference_.rate_hz && reference.size() == known.size() &&
         std::memcmp(reference.samples.data(), known.data(), known.size() * sizeof(float)) == 0;
}

std::optional<Refusal> Engine::take_reference(SignalView reference, const Recording& recording) {
  known_reference_.samples.clear();
  remove_dc(recording, reference_);
  const auto level = level_of(reference_, 0, reference_.signal.size());
  if (auto refusal = check_level(level, "reference")) return refusal;
  if (has_flat_tops(reference)) {
    return Refusal{Outcome::clipped_input,
                   "the reference recording is clipped: its highest peaks are flat; give the original at less gain"};
  }
  reference_level_ = *level;
  aligner_.assign(reference_.signal);
  perception_.assign(reference_.signal);
  if (heard_) {
    // As long as the copy that is aligned, so that both have the same frames.
    reference_.heard.resize(reference_.signal.size() * model_.heard_samples());
    heard_->assign(reference_.heard);
  }
  // One that had to be converted is not kept: preparing the pair converts it again anyway.
  if (reference.rate_hz == recognition().rate_hz) {
    known_reference_.samples.assign(reference.samples.begin(), reference.samples.end());
    known_reference_.rate_hz = reference.rate_hz;
  }
  return std::nullopt;
}

double Engine::loss_of(const Evaluation& evaluation) const {
  const double distance = evaluation.auditory_distance;
  return std::isfinite(distance) ? mos_of(0) - mos_of(distance) : model_.scale.top - model_.scale.bottom;
}

Measurements Engine::compare(std::span<const int> delay, const Terms& terms) {
  return compare(perception_, delay, {reference_.gain, degraded_.gain, terms.recognised_line}, terms);
}

void Engine::transform_heard(std::span<const int> delay, const NotReceived& not_received, bool inverted) {
  heard_places_.find(reference_.heard, degraded_.heard, delay, model_, inverted);
  heard_->transform(degraded_.heard, heard_places_.delay(), not_received);
}

Measurements Engine::listen(std::span<const int> delay, const Terms& terms) {
  return compare(*heard_, delay, {reference_.heard_gain, degraded_.heard_gain, terms.line}, terms);
}

Measurements Engine::compare(Perception& perception, std::span<const int> delay, const Scale& scale,
                             const Terms& terms) {
  const double gain = scale.degraded / scale.reference;
  const double least = terms.place_is_known ? perception.reference_power() * gain * gain * kPauseShare : 0;
  const FrameSums here = scale.line == nullptr ? FrameSums{} : scale.line->scaled(scale.reference, scale.degraded);
  return perception.compare(delay, least, scale.line == nullptr ? nullptr : &here, terms.is_segment);
}

Engine::Evaluation Engine::evaluate(const Recording& degraded, const Terms& terms) {
  remove_dc(degraded, degraded_);
  return measure(aligner_.align(degraded_.signal, terms.range), terms);
}

Engine::Evaluation Engine::measure(const Alignment& alignment, const Terms& terms) {
  perception_.take_phase(aligner_.line_phase());
  const NotReceived not_received{alignment.skipped, alignment.deleted, alignment.lost};
  perception_.transform(degraded_.signal, alignment.delay, not_received);

  Evaluation evaluation;
  if (terms.is_segment) evaluation.line = perception_.frame_sums().scaled(1 / reference_.gain, 1 / degraded_.gain);
  evaluation.measurements = compare(alignment.delay, terms);
  if (heard_) {
    transform_heard(alignment.delay, not_received, alignment.inverted);
    if (terms.is_segment) {
      evaluation.line = heard_->frame_sums().scaled(1 / reference_.heard_gain, 1 / degraded_.heard_gain);
    }
    evaluation.measurements = listen(heard_places_.delay(), terms);
  }
  evaluation.auditory_distance = auditory_distance(evaluation.measurements, model_.listening);
  evaluation.waveform_match = perception_.waveform_match(alignment.delay, alignment.lost);
  evaluation.circumstances = circumstances_of(perception_, recognition());
  evaluation.circumstances.moved_by_pauses_s =
      std::max(0.0, perception_.moved_by_pauses(alignment.delay, alignment.lost) - evaluation.circumstances.foreign_s);
  evaluation.circumstances.stretched = perception_.stretched(alignment.delay, alignment.lost);
  evaluation.circumstances.ends_lost_s = ends_lost_s(perception_.active(), alignment.lost, recognition());
  evaluation.circumstances.step_distance = model_.listening.weight_changed * evaluation.measurements.stepped;
  const int long_step = model_.listening.long_step;
  const auto without = heard_ ? heard_->without_steps(heard_places_.delay(), long_step)
                              : perception_.without_steps(alignment.delay, long_step);
  if (without) {
    evaluation.circumstances.long_step_distance =
        std::max(0.0, evaluation.auditory_distance - auditory_distance(*without, model_.listening));
  }
  evaluation.circumstances.lost_s = alignment.unexplained.lost_s;
  evaluation.circumstances.sound_s = alignment.unexplained.sound_s;
  evaluation.circumstances.elsewhere_s = alignment.unexplained.elsewhere_s;
  // Costs as much as half the comparison, and is asked only where the waveforms do not speak for themselves.
  if (evaluation.waveform_match < recognition().match_waveform) {
    evaluation.pattern_match = perception_.pattern_match();
    evaluation.circumstances.by_pattern = evaluation.pattern_match >= recognition().match_pattern;
  }
  evaluation.found_correlation = found_correlation_of(alignment);
  evaluation.evidence = evidence_of(alignment, terms.range);
  evaluation.timing = timing_.run(alignment, aligner_.blocks(), degraded_.signal);
  evaluation.delay = alignment.delay;
  evaluation.deleted = alignment.deleted;
  evaluation.lost = alignment.lost;
  evaluation.inverted = alignment.inverted;
  evaluation.one_delay_fits = alignment.one_delay_fits;
  evaluation.steady = std::adjacent_find(alignment.delay.begin(), alignment.delay.end(), std::not_equal_to<>()) ==
                      alignment.delay.end();
  return evaluation;
}

std::optional<double> Engine::find_drift(const Evaluation& evaluation, const Terms& terms, bool first) {
  const auto measured = evaluation.timing.clock_drift_ppm;
  // Where no single delay fits, a track may hide a clock that runs away too fast for it, and even fit a line of its
  // own. One that fits poorly may be a pitch period beside the place: of a voice whose pitch moves as the clock does.
  if (first && (!evaluation.one_delay_fits || evaluation.waveform_match < kSameWaveform)) {
    if (const auto slope = aligner_.find_slope(degraded_.signal, terms.range, kLargestDrift)) return *slope * 1e6;
  }
  // Once something was taken out, the rest is measured in a steady recording, and worth a second look.
  const double least_ppm = first ? kCorrectDriftFromPpm : Timing::kPreciseDriftPpm;
  return measured && std::abs(*measured) > least_ppm ? measured : std::nullopt;
}

void Engine::correct_clock_drift(PreparedPair& pair, Evaluation& evaluation, const Terms& terms) {
  double total_ppm = 0;
  Recording best;  // empty until a correction has helped
  for (int round = 0; round < model_.alignment.rounds; ++round) {
    const auto drift = find_drift(evaluation, terms, round == 0);
    if (!drift) break;
    // Always from what was received, so that nothing is converted twice.
    const double trial_ppm = combined_drift(total_ppm, *drift);
    auto corrected = scoring::correct_clock(pair.degraded, trial_ppm, model_);
    if (!corrected) break;
    Recording trial = *std::move(corrected);
    Evaluation after = evaluate(trial, terms);
    // A slope that was no drift makes the waveforms agree less, or takes more steps to agree as much.
    if (after.evidence <= evaluation.evidence) {
      // What follows asks for the recording that was evaluated, and for nothing else that evaluate() leaves behind.
      remove_dc(best.samples.empty() ? pair.degraded : best, degraded_);
      if (evaluation.inverted) degraded_.signal.invert_polarity();
      break;
    }
    total_ppm = trial_ppm;
    best = std::move(trial);
    evaluation = std::move(after);
  }
  pair.corrected_drift_ppm = combined_drift(pair.corrected_drift_ppm, total_ppm);
}

SoundAccount Engine::account_of(const Evaluation& evaluation, Claim claim) const {
  SoundAccount account(degraded_.signal, recognition());
  const std::size_t frames = evaluation.delay.size();
  const std::vector<char> all(frames, 1);
  const std::vector<char> speech(perception_.active().begin(), perception_.active().end());
  std::vector<char> found = speech;
  for (std::size_t j = 0; j < evaluation.lost.size(); ++j) found[j] = found[j] != 0 && evaluation.lost[j] == 0 ? 1 : 0;
  account.claim(evaluation.delay, claim == Claim::all ? all : speech, found);
  return account;
}

bool Engine::is_ambiguous(const Evaluation& evaluation) const {
  // A vocoder keeps no waveform: only the pattern says whether all is in its place.
  const bool all_there = evaluation.waveform_match < recognition().match_waveform &&
                         evaluation.pattern_match >= recognition().match_pattern;
  return !all_there && evaluation.circumstances.lost_s > recognition().ambiguous_s &&
         evaluation.circumstances.sound_s > recognition().ambiguous_s;
}

double Engine::lost_behind_line_s(const Evaluation& evaluation) const {
  const double lost_s = evaluation.circumstances.lost_s;
  if (!diagnosis_ || !diagnosis_->has_pair()) return lost_s;
  return std::min(lost_s, diagnosis_->steps().unexplained_s(evaluation.lost));
}

bool Engine::matches(const Evaluation& evaluation) const {
  return evaluation.waveform_match >= recognition().match_waveform ||
         evaluation.pattern_match >= recognition().match_pattern;
}

bool Engine::did_not_arrive(const Evaluation& evaluation, bool place_is_known) const {
  return place_is_known && !matches(evaluation);
}

double Engine::scored_distance(const Evaluation& evaluation, bool place_is_known) const {
  const double distance = evaluation.auditory_distance;
  return did_not_arrive(evaluation, place_is_known) ? std::max(distance, model_.listening.nothing_arrived) : distance;
}

bool Engine::differs_by_rounding(SignalView reference, SignalView degraded, const Evaluation& evaluation,
                                 int origin) const {
  if (!recognition().rounding_forgiven || !evaluation.steady || evaluation.auditory_distance < kNoDistance ||
      evaluation.corrected_drift_ppm != 0 || reference.rate_hz != degraded.rate_hz) {
    return false;
  }
  const auto delay = std::llround((evaluation.timing.delay + origin) * reference.rate_hz / recognition().rate_hz);
  const auto spare = static_cast<long long>(degraded.size()) - static_cast<long long>(reference.size());
  if (delay < 0 || delay > spare) return false;
  const auto received = degraded.samples.subspan(static_cast<std::size_t>(delay), reference.size());
  // A soft reference may be the one that was rounded.
  return is_rounded_copy(received, reference.samples) || is_rounded_copy(reference.samples, received);
}

std::optional<double> Engine::level_of(const DcFree& recording, int from, int length) {
  const int size = recording.signal.size();
  const int first = std::clamp(from, 0, size);
  const int last = std::clamp(from + length, first, size);
  const auto level = level_.measure(recording.signal.samples().subspan(first, last - first), recognition().rate_hz);
  if (!level) return std::nullopt;
  return *level - amplitude_to_db(recording.gain);
}

std::optional<Refusal> Engine::check_reference() const {
  const double active_s = static_cast<double>(perception_.active_frames()) * recognition().hop / recognition().rate_hz;
  if (perception_.active_frames() == 0) {
    return Refusal{Outcome::no_speech, "the reference recording holds no speech; give one that does"};
  }
  if (active_s < kLeastActiveS) {
    return Refusal{Outcome::too_short,
                   fmt::format("the reference recording holds {:.2f} s of speech; at least {:.1f} s "
                               "are needed",
                               active_s, kLeastActiveS)};
  }
  if (perception_.level_variation_db() < kLeastVariationDb) {
    return Refusal{Outcome::no_speech,
                   "the reference recording is steady noise or a tone, not speech; give one that holds speech"};
  }
  return std::nullopt;
}

std::optional<Refusal> Engine::check_match(const Evaluation& evaluation) {
  // The active level is never below the level of the whole: most recordings need no second look.
  if (degraded_.silent || amplitude_to_db(kPreparedRms / degraded_.gain) < kLeastLevelDbov) {
    const auto level = level_of(degraded_, 0, degraded_.signal.size());
    if (auto refusal = check_level(level, "degraded")) return refusal;
  }
  if (matches(evaluation)) return std::nullopt;
  return Refusal{
      Outcome::not_aligned,
      fmt::format("the reference was not found in the degraded recording (waveform match {:.2f} of {:.2f}, "
                  "pattern match {:.2f} of {:.2f}); check that both hold the same sentence by the same "
                  "talker, that the sampling rates in the files are true and that the right channel was taken; "
                  "where all that is so the line has left too little of the speech to be found",
                  evaluation.waveform_match, recognition().match_waveform, evaluation.pattern_match,
                  recognition().match_pattern)};
}

// A drift too small for the score moves the speech by more than a sample in ten seconds, which looks like coding in a
// diagnosis that goes sample by sample.
std::optional<double> Engine::small_drift_of(const Evaluation& evaluation) const {
  const double middle = evaluation.timing.delay;
  const bool one_delay = std::all_of(evaluation.delay.begin(), evaluation.delay.end(),
                                     [&](int value) { return std::abs(value - middle) <= kSameDelay; });
  if (!one_delay || !evaluation.timing.drift_is_precise()) return std::nullopt;
  const double drift_ppm = *evaluation.timing.clock_drift_ppm;
  const auto size = static_cast<double>(degraded_.signal.samples().size());
  if (std::abs(drift_ppm) * 1e-6 * size < kLeastDriftSamples) return std::nullopt;
  return drift_ppm;
}

const PaddedSignal& Engine::without_drift(const Evaluation& evaluation, std::vector<int>& delay) {
  delay = evaluation.delay;
  const auto drift_ppm = small_drift_of(evaluation);
  if (!drift_ppm) return degraded_.signal;
  const auto corrected = vqas::correct_clock({degraded_.signal.samples(), recognition().rate_hz}, *drift_ppm);
  if (!corrected) return degraded_.signal;
  steadied_.assign(corrected->samples);
  // The median is the delay in the middle of the reference, which lies so far from the beginning of both.
  const double middle = evaluation.timing.delay;
  const double shift = *drift_ppm * 1e-6 * (reference_.signal.size() / 2.0 + middle);
  std::fill(delay.begin(), delay.end(), static_cast<int>(std::lround(middle - shift)));
  return steadied_;
}

void Engine::lay_out_heard(const Evaluation& evaluation) {
  if (!heard_line_) heard_line_.emplace(model_);
  const PaddedSignal* degraded = &degraded_.heard;
  // As lay_out() does.
  if (const auto drift_ppm = matches(evaluation) ? small_drift_of(evaluation) : std::nullopt) {
    if (const auto corrected = vqas::correct_clock({degraded_.heard.samples(), model_.listening.rate_hz}, *drift_ppm)) {
      steadied_heard_.assign(corrected->samples);
      degraded = &steadied_heard_;
    }
  }
  heard_places_.find(reference_.heard, *degraded, diagnosis_->pair().delay(), model_, evaluation.inverted);
  heard_line_->measure(reference_.heard.samples(), *degraded, heard_places_.delay(), evaluation.deleted,
                       evaluation.inverted, *diagnosis_);
}

bool Engine::lay_out(const Evaluation& evaluation, bool place_is_known) {
  if (!diagnosis_) diagnosis_ = std::make_unique<Diagnosis>(recognition());
  const auto reference = reference_.signal.samples();
  const double drift_ppm = drift_of(evaluation);
  diagnosis_->expect_lost(evaluation.lost);
  diagnosis_->expect_gains(amplitude_to_db(reference_.gain), amplitude_to_db(degraded_.gain));
  diagnosis_->expect_cost(loss_of(evaluation));
  diagnosis_->expect_sound(listener().compared().begin, listener().compared().frames);
  if (matches(evaluation)) {
    const bool waveform_kept = evaluation.waveform_match >= recognition().match_waveform;
    std::vector<int> delay;
    const PaddedSignal& degraded = without_drift(evaluation, delay);
    diagnosis_->run(reference, degraded, delay, evaluation.deleted, waveform_kept, drift_ppm);
    return true;
  }
  if (!place_is_known) return false;
  const bool is_found = !degraded_.silent && diagnosis_->run_on_rest(reference, degraded_.signal, evaluation.delay,
                                                                     evaluation.deleted, drift_ppm);
  if (is_found) return true;
  // Below half of what recognises by either match, nothing of the speech is in what arrived. Noise, silence and tones
  // reach 0.13 and 0.44, never both; of 46 recordings behind a BER of 1e-1 all but a few are above the first
  // (libvqas/doc/record/recognition.md).
  const bool is_nothing = degraded_.silent || (2 * evaluation.waveform_match < recognition().match_waveform &&
                                               2 * evaluation.pattern_match < recognition().match_pattern);
  if (is_nothing) diagnosis_->run_on_nothing(reference);
  return is_nothing;
}

void Engine::diagnose(const Evaluation& evaluation, const Terms& terms, bool with_costs, Score& score) {
  score.indices = diagnosis_->indices();
  score.impairments = diagnosis_->impairments();
  const bool is_heard = heard_ && diagnosis_->has_pair();
  if (is_heard) lay_out_heard(evaluation);
  if (is_heard && matches(evaluation)) heard_line_->tell(loss_of(evaluation), *score.indices, score.impairments);
  const double scored = scored_distance(evaluation, terms.place_is_known);
  if (diagnosis_->has_pair()) {
    tell_costs(scored, terms, with_costs, is_heard, score);
  } else {
    // Nothing arrived: that costs all.
    const double all = std::round(100 * (mos_of(0) - mos_of(scored))) / 100;
    for (ImpairmentFinding& finding : score.impairments) {
      finding.cost_mos = all;
      score.loss_parts = {{finding.impairment, all}};
    }
  }
  if (!with_costs) forget_costs(score);
}

Explanation Engine::explain(const Evaluation& evaluation, const Terms& terms, bool is_diagnosed) {
  Explanation explanation;
  if (is_diagnosed) explanation.missing = segments_of(diagnosis_->steps(), true);
  if (!is_diagnosed || !diagnosis_->has_pair()) {
    const auto& [reference, degraded] =
        heard_ ? std::tie(reference_.heard, degraded_.heard) : std::tie(reference_.signal, degraded_.signal);
    explanation.reference = spectrogram(reference.samples(), model_.listening);
    explanation.degraded = spectrogram(degraded.samples(), model_.listening);
    return explanation;
  }
  explanation.matched = segments_of(diagnosis_->steps(), false);
  explanation.shares = shares_of(evaluation.measurements, model_.listening);
  // Once more: the pattern match, or a trial that was given up, may have overwritten the cells.
  if (heard_) {
    transform_heard(evaluation.delay, {.deleted = evaluation.deleted}, evaluation.inverted);
    listen(heard_places_.delay(), terms);
    explanation.reference = spectrogram(reference_.heard.samples(), model_.listening);
    heard_places_.lay_out(degraded_.heard, reference_.heard.size(), model_, steadied_);
    explanation.degraded = spectrogram(steadied_.samples(), model_.listening);
  } else {
    perception_.transform(degraded_.signal, evaluation.delay, {.deleted = evaluation.deleted});
    compare(evaluation.delay, terms);
    explanation.reference = spectrogram(diagnosis_->pair().reference(), recognition());
    explanation.degraded = spectrogram(diagnosis_->pair().degraded(), recognition());
  }
  auto difference = listener().loudness_difference();
  // What rounding alone has left is no difference in the score either.
  if (evaluation.auditory_distance < kNoDistance) std::fill(difference.begin(), difference.end(), 0.0F);
  explanation.distance = distance_map(difference, model_.listening);
  return explanation;
}

Score Engine::score(SignalView reference, SignalView degraded, const std::optional<KnownPlacement>& placement,
                    const Wanted& wanted) {
  const NoDenormals guard;
  Score score = score_pair(reference, degraded, placement, wanted);
  score.mode = model_.mode;
  return score;
}

Score Engine::score_pair(SignalView reference, SignalView degraded, const std::optional<KnownPlacement>& placement,
                         const Wanted& wanted) {
  const bool known = is_known(reference);
  auto prepared = prepare(reference, degraded, placement, model_, known);
  if (const auto* refusal = std::get_if<Refusal>(&prepared)) return refused(*refusal);
  auto& pair = std::get<PreparedPair>(prepared);
  const bool place_is_known = placement.has_value();
  if (!known) {
    if (const auto refusal = take_reference(reference, pair.reference)) return refused(*refusal);
  }
  const Terms terms{pair.range, place_is_known, wanted.is_segment, wanted.line, heard_ ? nullptr : wanted.line};
  Evaluation evaluation = evaluate(pair.degraded, terms);
  if (const auto refusal = check_reference()) return refused(*refusal);
  correct_clock_drift(pair, evaluation, terms);
  evaluation.corrected_drift_ppm = pair.corrected_drift_ppm;
  // A gain of its own is heard beside that of a longer recording.
  const bool is_same = wanted.line == nullptr && differs_by_rounding(reference, degraded, evaluation, pair.origin);
  if (is_same) {
    evaluation.measurements = {};
    evaluation.circumstances.forgiven = std::exchange(evaluation.auditory_distance, 0);
  }
  // Where the distance is not that of the comparison, the comparison's parts say nothing of its error.
  if (!did_not_arrive(evaluation, place_is_known)) {
    evaluation.circumstances.taken = taken_away(evaluation.measurements);
  }
  // At a known place speech that is not there is missing. And where what was found hardly resembles the reference, as
  // behind a vocoder or in bit errors, what was not found may be no worse.
  if (wanted.account && !place_is_known && evaluation.circumstances.lost_s > 0 &&
      evaluation.found_correlation >= kCertain) {
    const double beside_s =
        static_cast<double>(account_of(evaluation, Claim::speech).unclaimed()) / recognition().rate_hz;
    evaluation.circumstances.unplaced_s = std::min(evaluation.circumstances.lost_s, beside_s);
  }
  if (wanted.evaluation != nullptr) *wanted.evaluation = evaluation;
  Score score;
  const bool may_be_ambiguous = !place_is_known && is_ambiguous(evaluation) && matches(evaluation);
  double lost_s = 0;
  if (wanted.diagnosis || may_be_ambiguous) {
    const bool is_diagnosed = lay_out(evaluation, place_is_known);
    if (may_be_ambiguous) lost_s = lost_behind_line_s(evaluation);
    if (is_diagnosed && wanted.diagnosis) diagnose(evaluation, terms, wanted.costs, score);
    if (wanted.explanation != nullptr) {
      *wanted.explanation = explain(evaluation, terms, is_diagnosed);
    }
  }
  if (!place_is_known) {
    if (const auto refusal = check_match(evaluation)) return refused(*refusal);
  }
  const double distance = scored_distance(evaluation, place_is_known);
  if (!std::isfinite(distance)) {
    return refused(
        {Outcome::bad_input, "the auditory distance of the two recordings is no finite number; check their samples"});
  }
  score.outcome = Outcome::scored;
  score.alignment_evidence = evaluation.evidence;
  score.auditory_distance = rounded(distance);
  score.mos_lqo = rounded(mos_of(*score.auditory_distance));
  const double scale = error_scale(evaluation.circumstances, pair.corrected_drift_ppm, model_.listening);
  score.confidence = rounded(confidence_of(*score.auditory_distance, scale, model_, evaluation.circumstances.forgiven));
  const double most = tell_ambiguities(evaluation, lost_s, wanted.account, score);
  if (wanted.evaluation != nullptr) (*wanted.evaluation)->most_confidence = most;
  if (wanted.account) score.unused_sound = unused_sound(evaluation, pair.origin);
  const auto degraded_level =
      level_of(degraded_, static_cast<int>(std::lround(evaluation.timing.delay)), reference_.signal.size());
  if (degraded_level) score.level_difference_db = rounded(*degraded_level - reference_level_);
  if (matches(evaluation)) {
    score.delay_ms = rounded(1000 * (evaluation.timing.delay + pair.origin) / recognition().rate_hz);
    score.delay_track = to_pieces(evaluation.delay, recognition(), pair.origin);
    if (evaluation.timing.drift_is_precise()) {
      score.clock_drift_ppm = rounded(combined_drift(pair.corrected_drift_ppm, *evaluation.timing.clock_drift_ppm));
    }
  }
  if (!score.clock_drift_ppm && place_is_known && pair.corrected_drift_ppm != 0) {
    score.clock_drift_ppm = rounded(pair.corrected_drift_ppm);
  }
  return score;
}

Score Engine::score_whole(SignalView reference, SignalView degraded, const std::optional<KnownPlacement>& placement,
                          Wanted wanted) {
  wanted.account = true;
  Score whole = score(reference, degraded, placement, wanted);
  const auto again = [&](SignalView rest) { return score(reference, rest, {}, {}); };
  find_copies(degraded, reference.seconds(), recognition(), again, whole);
  return whole;
}

}  // namespace vqas::scoring
