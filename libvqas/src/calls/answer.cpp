#include "vqas/calls/answer.h"

#include <chrono>
#include <random>
#include <utility>

#include "calls/live_calls.h"

namespace vqas {
namespace {

constexpr std::uint32_t kRunIds = 0xFFFFFF;
// An echo of one's own mark is told from the next transmission by its number, so numbers must not come again soon.
constexpr std::size_t kLeastOfACycle = 8;
constexpr double kLongestCall_s = 3600;  // of one that is recorded
constexpr double kBlock_s = static_cast<double>(kLineBlock) / kLineRateHz;

/// The sentences that every call of this service hears, each beginning at another one.
std::vector<SpokenItem> cycle_of(const CallCorpus& corpus, std::uint32_t run_id) {
  std::vector<SpokenItem> cycle;
  for (const NumberedStimulus& one : numbered_rounds(corpus, run_id, kLeastOfACycle)) {
    cycle.push_back(corpus.spoken({End::b, run_id, static_cast<std::uint8_t>(one.stimulus),
                                   static_cast<std::uint16_t>(one.number), corpus.digest()}));
  }
  return cycle;
}

CallRole role_of(const AnswerPlan& plan, const std::vector<SpokenItem>& cycle, std::uint32_t number) {
  CallRole role;
  switch (plan.as) {
    case FarEnd::echo:
      role.part.echoes = true;
      break;
    case FarEnd::send:
      role.part.says = cycle;
      role.part.repeats = true;
      role.part.first = number % cycle.size();
      break;
    case FarEnd::listen:
      role.scores = true;
      role.expected.sender = End::a;
      role.expected.narrowband_too = plan.narrowband_too;
      role.part.most_recorded = static_cast<std::size_t>(kLongestCall_s / kBlock_s);
      break;
  }
  return role;
}

Result<SipLineOptions> answering_line(const AnswerPlan& plan) {
  auto line = parse_sip_line(plan.line);
  if (line && line->dial)
    return Error{ErrorCode::bad_input, plan.line + ": an end that answers does not dial; leave dial= out"};
  if (line && plan.narrowband_too && (plan.as != FarEnd::listen || line->media.rate_hz == kLineRateHz))
    return Error{ErrorCode::bad_input,
                 plan.line + ": the mode \"both\" is for an end that listens to a line for HD voice (hd=yes)"};
  return line;
}

// An echo needs no recording.
int stimuli_hz(const AnswerPlan& plan, const SipLineOptions& line) {
  return plan.as == FarEnd::echo ? kLineRateHz : line.media.rate_hz;
}

}  // namespace

Status check_answer(const AnswerPlan& plan, const Corpus& corpus) {
  const auto line = answering_line(plan);
  return line ? CallCorpus::check(corpus, plan.stimuli, stimuli_hz(plan, *line)) : Status(line.error());
}

Status answer_calls(const AnswerPlan& plan, const Corpus& corpus, const AnswerEvents& events,
                    const std::atomic<bool>& cancelled) {
  const auto line = answering_line(plan);
  if (!line) return line.error();
  const auto loaded = CallCorpus::load(corpus, plan.stimuli, stimuli_hz(plan, *line));
  if (!loaded) return loaded.error();
  std::vector<SpokenItem> cycle;
  if (plan.as == FarEnd::send) cycle = cycle_of(*loaded, std::random_device{}() & kRunIds);
  LiveCallsOptions options;
  options.line = *line;
  options.late_ms = plan.late_ms;
  options.most_answered = plan.most;
  options.answered_in_all = plan.total;
  options.role_of = [&](std::uint32_t number) { return role_of(plan, cycle, number); };
  options.noticed = events.noticed;
  options.traced = events.traced;
  auto live = LiveCalls::start(std::move(options), *loaded);
  if (!live) return live.error();
  LiveCalls& calls = **live;
  const auto tell = [&events](const std::vector<LiveCalls::Ended>& ended) -> Status {
    for (const LiveCalls::Ended& one : ended) {
      if (const Status told = events.ended(one.outcome, one.recording); !told) return told;
    }
    return success();
  };
  const auto began = std::chrono::steady_clock::now();
  bool ready = false;
  while (!cancelled) {
    const auto registration = calls.registration();
    if (registration == SipCalls::Registration::refused) return error_of(calls.registration_end(), plan.line);
    if (!ready && registration != SipCalls::Registration::asked) {
      ready = true;
      if (events.ready) events.ready();
    }
    if (const Status told = tell(calls.step()); !told) return told;
    const bool all = plan.total > 0 && calls.answered_in_all() >= plan.total && calls.is_idle();
    const double passed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (all || (plan.for_s > 0 && passed_s >= plan.for_s)) break;
  }
  calls.hang_up_all();
  while (calls.scoring() > 0) {
    if (const Status told = tell(calls.step()); !told) return told;
  }
  return success();
}

}  // namespace vqas
