#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "node/line_only/line_stimuli.h"
#include "node/line_only/line_watch.h"
#include "node/line_only/unannounced_receiver.h"
#include "node/play/block_exchange.h"
#include "node/wire/node_session.h"
#include "receive/capture_judge.h"
#include "receive/measure_capture.h"
#include "run/counted_as.h"
#include "run/measurement_limits.h"
#include "run/same_line.h"
#include "sync/mark_rate.h"
#include "vqas/channel/profile_text.h"
#include "vqas/line/simulator.h"
#include "vqas/node/line_only.h"

namespace vqas {
namespace {

// Silence before an answer, in which echo suppressors and half-duplex radios switch over.
constexpr double kTurn_s = 0.25;
// An answer may be lost, so a listener that has enough keeps listening this long for a repeated request.
constexpr double kLinger_s = 20;
// After a farewell the second one and the line's tail may still arrive.
constexpr double kAfterFarewell_s = 1;
// Limits of a guard interval (vqas/sync/transmission.h), and the difference up to which two are equal.
constexpr double kShortestGuard_s = 0.05, kLongestGuard_s = 1, kSameGuard_s = 0.002;
// Guard intervals that differ by less than a drift's limits pass for a clock offset; from here on they can be told
// apart.
constexpr double kLeastOtherGuard_s = 0.0004;
// Largest difference of the drifts that marks and speech show, if both measure the clocks.
constexpr double kSameClock_ppm = 30;

// For a stimulus that needed more. A sender that falls silent without a farewell is gone.
StopReason open_stop_reason(ListenEnd end) {
  switch (end) {
    case ListenEnd::sender_finished:
      return StopReason::sender_finished;
    case ListenEnd::silence:
    case ListenEnd::line_lost:
      return StopReason::line_lost;
    case ListenEnd::over:
      return StopReason::cap_line_time;
    case ListenEnd::enough:
    case ListenEnd::cancelled:
      break;
  }
  return StopReason::cancelled;
}

bool has_narrowband_too(const std::optional<RunResults>& earlier) {
  if (!earlier || earlier->directions.empty()) return false;
  return std::ranges::any_of(earlier->directions.front().stimuli, [](const StimulusRun& stimulus) {
    return std::ranges::any_of(stimulus.measurements,
                               [](const Measurement& one) { return one.narrowband_mos_lqo.has_value(); });
  });
}

/// A transmission that was counted.
struct Counted {
  bool scored = false;
  bool before = false;  ///< by the earlier listener
};

/// The listening end: captures, scores, samplers, answers. For one thread.
class Listening {
 public:
  Listening(Line& line, const Corpus& corpus, const ListenPlan& plan, const std::atomic<bool>& cancelled)
      : line_(line),
        corpus_(corpus),
        plan_(plan),
        cancelled_(cancelled),
        description_(line.description()),
        digest_(short_digest(corpus.digest())),
        line_block_(line_block(description_.rate_hz)),
        samplers_(corpus.stimuli().size(), Sampler(plan.sampling)) {
    judge_.score_as(mode(), plan.narrowband_too || has_narrowband_too(plan.earlier));
  }

  Result<ListenResults> run() {
    for (const Stimulus& one : corpus_.stimuli()) {
      auto recording = corpus_.recording(one.id, description_.rate_hz);
      if (!recording) return recording.error();
      references_.emplace_back(std::move(recording).value());
    }
    describe();
    if (const Status taken = take_up_earlier(); !taken) return taken.error();
    if (plan_.begun) {
      if (const Status begun = plan_.begun(found_.results); !begun) return begun.error();
    }
    const Status listened = listen();
    if (!listened) return listened.error();
    conclude();
    return std::move(found_);
  }

 private:
  // Scores of what a line carries at its own rate.
  ScoreMode mode() const { return mode_for_rates(description_.rate_hz, description_.rate_hz); }

  void describe() {
    RunResults& results = found_.results;
    results.mode = mode();
    results.corpus_digest = corpus_.digest();
    results.about = plan_.about;
    results.started_utc = plan_.started_utc;
    if (!description_.equipment.empty()) results.equipment[name_of(plan_.end)] = description_.equipment;
    results.sampling = plan_.sampling;
    results.guard_s = plan_.guard_s;
    results.line = description_.name.substr(0, description_.name.find(':') + 1);
    const End from = other_end(plan_.end);
    results.directions.push_back({from, {}});
    for (const Stimulus& one : corpus_.stimuli()) {
      StimulusRun run;
      run.stimulus = one.id;
      results.directions[0].stimuli.push_back(std::move(run));
    }
    if (description_.simulated.empty()) return;
    const auto simulated = parse_simulated_conditions(description_.simulated);
    if (!simulated) return;
    results.codec = simulated->codec;
    if (simulated->profile) results.profile = profile_toml(*simulated->profile);
    results.simulated[direction_name(from)] = from == End::a ? simulated->a_to_b : simulated->b_to_a;
  }

  Status take_up_earlier() {
    if (!plan_.earlier || plan_.earlier->directions.size() != 1) return success();
    const DirectionRun& before = plan_.earlier->directions[0];
    if (before.to() != plan_.end) {
      return Error{ErrorCode::bad_input,
                   fmt::format("the run that is to be resumed was measured at end {0}; listen with --end {0}, or name "
                               "another folder",
                               name_of(before.to()))};
    }
    if (Status same = check_same_line(*plan_.earlier, found_.results); !same) return same;
    found_.results.started_utc = plan_.earlier->started_utc;
    found_.results.about = plan_.earlier->about;
    for (const StimulusRun& earlier : before.stimuli) {
      auto& stimuli = found_.results.directions[0].stimuli;
      for (std::size_t s = 0; s < stimuli.size(); ++s) {
        if (stimuli[s].stimulus != earlier.stimulus) continue;
        for (const Measurement& one : earlier.measurements) enter(s, one, true);
      }
    }
    base_ = highest_ = std::max(highest_, plan_.last_sequence);
    return success();
  }

  void enter(std::size_t stimulus, const Measurement& measurement, bool before = false) {
    count_in(samplers_[stimulus], measurement, Silent::is_spared);
    highest_ = std::max(highest_, measurement.sequence);
    if (measurement.sent_as) counted_[*measurement.sent_as] = {measurement.outcome == Outcome::scored, before};
    StimulusRun& run = found_.results.directions[0].stimuli[stimulus];
    run.measurements.push_back(measurement);
    run.interval = samplers_[stimulus].interval();
  }

  bool all_enough() const {
    return std::all_of(samplers_.begin(), samplers_.end(), [](const Sampler& one) { return one.finished(); });
  }

  std::vector<bool> wanted() const {
    std::vector<bool> wanted;
    for (const Sampler& one : samplers_) wanted.push_back(!one.finished());
    return wanted;
  }

  Status listen() {
    TransmissionOptions transmission;
    transmission.guard_s = plan_.guard_s;
    std::vector<std::size_t> lengths;
    for (const ReferenceSpeech& one : references_) lengths.push_back(length_at_mark_rate(one.at_line_rate()));
    UnannouncedReceiver receiver(other_end(plan_.end), transmission, digest_, std::move(lengths), description_.rate_hz);
    LineWatch watch(line_, cancelled_, plan_.over);
    BlockExchange line(line_, watch.stopped());
    for (;;) {
      watch.begin_wait(patience_s(receiver));
      const auto heard = line.next();
      watch.end_wait();
      if (!heard) {
        found_.end = heard.error().code == ErrorCode::cancelled ? watch.end().value_or(ListenEnd::cancelled)
                                                                : ListenEnd::line_lost;
        if (found_.end == ListenEnd::line_lost) found_.line_fault = heard.error().message;
        return finish(receiver, line);
      }
      remember(heard->times);
      if (plan_.noticed) std::ranges::for_each(heard->warnings, plan_.noticed);
      const bool answering = !line.silent();
      auto transmissions = receiver.push(heard->samples, wanted());
      // A sender that waits for an answer sends nothing while the answer arrives.
      sender_waits_ = sender_waits_ && !(answering && receiver.under_way());
      line.hear(!receiver.quiet(), !sender_waits_);
      const Status measured = measure_all(std::move(transmissions), receiver, line);
      if (!measured) return measured.error();
      found_.results.line_seconds = static_cast<double>(receiver.position()) / kLineRateHz;
      if (const auto end = over(receiver, line)) {
        found_.end = *end;
        return finish(receiver, line);
      }
    }
  }

  Status finish(UnannouncedReceiver& receiver, BlockExchange& line) {
    const Status measured = measure_all(receiver.finish(), receiver, line);
    return !measured || receiver.undecodable() == 0 ? measured : keep_undecodable(receiver);
  }

  // Without a number they are no measurements, but useful to hear when searching for a fault.
  Status keep_undecodable(const UnannouncedReceiver& receiver) {
    std::vector<std::string> files;
    for (const Signal& one : receiver.undecodable_recordings()) {
      if (!plan_.kept_undecodable) break;
      auto kept = plan_.kept_undecodable(files.size() + 1, as_recorded(one));
      if (!kept) return kept.error();
      files.push_back(std::move(kept).value());
    }
    if (!plan_.noticed) return success();
    std::string where = "nothing is recorded of them";
    if (files.size() == 1) where = "it is in " + files.front();
    if (files.size() > 1) where = fmt::format("the last {} are in {} to {}", files.size(), files.front(), files.back());
    plan_.noticed(fmt::format(
        "{} could not be measured, because no leading mark could be read and the stimulus is not known; "
        "{}; look at the line with \"vqas line check\"",
        receiver.undecodable() == 1 ? "1 transmission" : fmt::format("{} transmissions", receiver.undecodable()),
        where));
    return success();
  }

  std::optional<ListenEnd> over(const UnannouncedReceiver& receiver, BlockExchange& line) {
    const double now = found_.results.line_seconds;
    if (receiver.last_mark()) {
      const double quiet = now - static_cast<double>(*receiver.last_mark()) / kLineRateHz;
      if (receiver.farewell() && quiet >= kAfterFarewell_s) return ListenEnd::sender_finished;
      if (all_enough() && quiet >= kLinger_s && line.silent()) return ListenEnd::enough;
      if (quiet >= plan_.silence_s) return ListenEnd::silence;
    } else if (now >= plan_.first_mark_within_s) {
      return ListenEnd::silence;
    }
    return std::nullopt;
  }

  double patience_s(const UnannouncedReceiver& receiver) const {
    return receiver.last_mark() ? plan_.silence_s : plan_.first_mark_within_s;
  }

  Status measure_all(std::vector<UnannouncedReceiver::Heard> all, UnannouncedReceiver& receiver, BlockExchange& line) {
    for (UnannouncedReceiver::Heard& heard : all) {
      if (heard.restarted) {
        base_ = highest_;
        other_guard_.reset();
      }
      const SentAs sent_as{heard.capture.expectation.data.run_id, heard.number};
      bool scored = false;
      if (const auto counted = counted_.find(sent_as); counted != counted_.end()) {
        scored = counted->second.scored;
        tell_repeated(sent_as);
        if (counted->second.before) heard_before_ = heard.position + heard.capture.recording.size();
        nothing_new_since_ = counted->second.before;
      } else if (!samplers_[heard.stimulus].finished()) {  // more is heard only where the sender does not know it
        const auto measured = measure(heard, sent_as);
        if (!measured) return measured.error();
        nothing_new_since_ = false;
        scored = *measured;
        learn_guard(heard, receiver);
      }
      if (!plan_.answers || !heard.announced) continue;
      const Sign answer{scored, samplers_[heard.stimulus].finished(), all_enough(), false};
      line.play(std::vector<float>(static_cast<std::size_t>(kTurn_s * description_.rate_hz), 0.0F));
      const MarkData data =
          sign_mark(answer, plan_.end, sent_as.run_id, static_cast<std::uint16_t>(heard.number), digest_);
      line.play(sync::mark_at(make_leading_mark(data), description_.rate_hz));
    }
    return success();
  }

  // A recording that is read again, or a sender that was started again with its run id.
  void tell_repeated(const SentAs& sent_as) {
    ++found_.repeated;
    if (std::exchange(repeated_run_, sent_as.run_id) == sent_as.run_id || !plan_.noticed) return;
    plan_.noticed(fmt::format(
        "transmission {} of the sender with run id {} was counted before; what is heard again is not counted "
        "again: for more measurements let vqas send send more, without the --seed of before",
        sent_as.number, sent_as.run_id));
  }

  // The sender's own number in the first run that is heard, else behind all others, with its gaps where there is room.
  Result<std::uint32_t> sequence_of(std::uint32_t number) {
    if (base_ + number <= highest_) base_ = highest_;
    const std::uint32_t sequence = base_ + number <= kLastSequence ? base_ + number : highest_ + 1;
    if (sequence <= kLastSequence) return sequence;
    return Error{
        ErrorCode::bad_input,
        fmt::format("the run has measurement number {}, the last that there can be; listen into another folder",
                    kLastSequence)};
  }

  void remember(const std::vector<BlockTime>& times) {
    constexpr std::size_t kKept = 300 * kLineRateHz / kLineBlock;  // more than the length of a capture
    blocks_.insert(blocks_.end(), times.begin(), times.end());
    heard_blocks_ += times.size();
    for (const BlockTime& one : times) resets_ += one.noticed.buffer_resets;
    if (blocks_.size() > 2 * kKept) blocks_.erase(blocks_.begin(), blocks_.end() - kKept);
  }

  // How much further apart the marks lie than they were sent, beyond the clock drift that the speech shows.
  std::optional<double> marks_moved_s(const UnannouncedReceiver::Heard& heard) const {
    if (heard.capture.delay_step) return *heard.capture.delay_step / description_.rate_hz;
    if (!heard.capture.clock_drift_ppm || !speech_drift_ppm_) return std::nullopt;
    const double unexplained_ppm = *heard.capture.clock_drift_ppm - *speech_drift_ppm_;
    if (std::fabs(unexplained_ppm) <= kSameClock_ppm) return std::nullopt;
    TransmissionOptions transmission;
    transmission.guard_s = found_.results.guard_s;
    const auto layout = transmission_layout(heard.capture.expectation.stimulus_length, transmission);
    return unexplained_ppm * 1e-6 * static_cast<double>(layout.trailing_start - leading_mark_length() / 2) /
           kLineRateHz;
  }

  // A sender with another guard interval moves the speech once and the trailing mark twice, each time by the same
  // amount. A line's delay does not step twice by the same amount in one transmission, and again in the next.
  void learn_guard(const UnannouncedReceiver::Heard& heard, UnannouncedReceiver& receiver) {
    const std::optional<double> moved_ms = std::exchange(speech_moved_ms_, std::nullopt);
    if (heard.capture.marks != MarksFound::both) return;
    double& guard_s = found_.results.guard_s;
    const double half_step_s = marks_moved_s(heard).value_or(0) / 2;
    // For a small difference the positions must be known more precisely.
    const double same_s = std::min(kSameGuard_s, std::fabs(half_step_s) / 4);
    const bool alike = moved_ms && std::fabs(*moved_ms * 1e-3 - half_step_s) <= same_s;
    const double theirs_s = guard_s + half_step_s;
    const bool possible = theirs_s >= kShortestGuard_s - kSameGuard_s && theirs_s <= kLongestGuard_s + kSameGuard_s;
    if (std::fabs(half_step_s) < kLeastOtherGuard_s || !alike || !possible) return other_guard_.reset();
    const auto before = std::exchange(other_guard_, theirs_s);
    if (!before || std::fabs(*before - theirs_s) > same_s) return;
    const double used_s = guard_s;
    guard_s = std::clamp(std::round(theirs_s * 1e3) * 1e-3, kShortestGuard_s, kLongestGuard_s);
    receiver.set_guard(guard_s);
    other_guard_.reset();
    if (!plan_.noticed) return;
    plan_.noticed(
        fmt::format("the sender uses a guard of {0:g} s, not {1:g} s; going on with that: next time start "
                    "listen with --guard-s {0:g}",
                    guard_s, used_s));
  }

  // Notices of this end's line during the transmission, and since the previous one.
  DeviceNotes notes_of_line(const UnannouncedReceiver::Heard& heard) {
    const std::size_t forgotten = heard_blocks_ - blocks_.size();
    const auto place = [this, forgotten](std::uint64_t sample) {
      return static_cast<std::size_t>(sample / line_block_) - std::min<std::size_t>(sample / line_block_, forgotten);
    };
    const std::uint64_t end = heard.position + heard.capture.recording.size();
    DeviceNotes notes = notes_of(blocks_, place(heard.position), place(end), description_.real_device);
    if (!notes.real_device && is_uneventful(notes.noticed)) return notes;
    notes.move_runs(-static_cast<std::int64_t>(heard.position % line_block_ * kLineBlock / line_block_));
    notes.noticed.buffer_resets = std::exchange(resets_, 0);
    return notes;
  }

  Result<bool> measure(const UnannouncedReceiver::Heard& heard, const SentAs& sent_as) {
    const auto sequence = sequence_of(heard.number);
    if (!sequence) return sequence.error();
    JudgedCapture judged = judge_.judge(heard.capture, references_[heard.stimulus], notes_of_line(heard));
    speech_moved_ms_ = judged.speech_moved_ms;
    speech_drift_ppm_ = judged.speech_drift_ppm;
    Measurement& measurement = judged.measurement;
    if (heard.broken_off) {
      lose_score(measurement, Outcome::audio_fault,
                 "the sender broke it off, because its machine did not send in time, and sends the sentence again");
    }
    measurement.sequence = *sequence;
    measurement.sent_as = sent_as;
    const std::string& name = corpus_.stimuli()[heard.stimulus].id;
    if (plan_.kept) {
      auto kept = plan_.kept(name, measurement, judged.recording);
      if (!kept) return kept.error();
      measurement.recording = std::move(kept).value();
    }
    enter(heard.stimulus, measurement);
    if (plan_.measured) {
      if (const Status told = plan_.measured(found_.results, heard.stimulus); !told) return told.error();
    }
    return measurement.outcome == Outcome::scored;
  }

  // A recording that is read again, or its beginning. A listening that was killed has counted no time.
  double heard_before_s() const {
    if (!plan_.earlier) return 0;
    const double heard_s =
        nothing_new_since_ ? found_.results.line_seconds : static_cast<double>(heard_before_) / description_.rate_hz;
    return std::min(heard_s, plan_.earlier->line_seconds);
  }

  void conclude() {
    found_.results.line_seconds -= heard_before_s();
    const StopReason open = open_stop_reason(found_.end);
    for (std::size_t s = 0; s < samplers_.size(); ++s) {
      StimulusRun& run = found_.results.directions[0].stimuli[s];
      if (samplers_[s].finished()) {
        const StopReason why = *samplers_[s].stopped_because();
        const bool at_goal = why == StopReason::goal || why == StopReason::fallback;
        ++(at_goal ? found_.reached : found_.abandoned);
      } else {
        found_.rounds_needed = std::max(found_.rounds_needed, samplers_[s].expected_more());
        samplers_[s].stop(open);
      }
      run.interval = samplers_[s].interval();
      run.stopped_because = samplers_[s].stopped_because().value_or(open);
    }
  }

  Line& line_;
  const Corpus& corpus_;
  const ListenPlan& plan_;
  const std::atomic<bool>& cancelled_;
  const LineDescription description_;
  const std::uint16_t digest_;
  const std::size_t line_block_;
  std::vector<BlockTime> blocks_;  // the last ones
  std::size_t heard_blocks_ = 0;   // in all
  std::uint32_t resets_ = 0;       // of the line's buffer, since the previous transmission
  CaptureJudge judge_{SenderNotes::unknown};
  std::vector<ReferenceSpeech> references_;
  std::vector<Sampler> samplers_;
  ListenResults found_;
  std::uint32_t base_ = 0, highest_ = 0;  // the sender's numbers begin after base_
  std::map<SentAs, Counted> counted_;
  std::uint64_t heard_before_ = 0;  // samples until the end of the last transmission that `earlier` counted
  bool nothing_new_since_ = false;  // nothing was measured since then
  std::optional<std::uint32_t> repeated_run_;
  bool sender_waits_ = true;
  std::optional<double> speech_moved_ms_;  // of the last measurement
  std::optional<double> speech_drift_ppm_;
  std::optional<double> other_guard_;  // in s, as the previous transmission indicated
};

}  // namespace

Status check_listening(const Line& line, const Corpus& corpus, const ListenPlan& plan) {
  if (Status valid = validate(plan.sampling); !valid) return valid;
  const LineDescription description = line.description();
  if (plan.narrowband_too && description.rate_hz == kLineRateHz) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: the mode \"both\" needs a line at 16 kHz, for HD voice", description.name)};
  }
  return check_line_stimuli(corpus, {}, description.rate_hz);
}

Result<ListenResults> listen_on_line(Line& line, const Corpus& corpus, const ListenPlan& plan,
                                     const std::atomic<bool>& cancelled) {
  if (const Status possible = check_listening(line, corpus, plan); !possible) return possible.error();
  return Listening(line, corpus, plan, cancelled).run();
}

}  // namespace vqas
