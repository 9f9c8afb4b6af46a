#include "vqas/calls/calls_run.h"

#include <chrono>
#include <random>
#include <utility>

#include "calls/call_pacer.h"
#include "calls/live_calls.h"
#include "vqas/store/utc_text.h"

namespace vqas {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kRunIds = 0xFFFFFF;  // a mark has 24 bits for it
constexpr double kTail_s = 3;                // for delays up to 2 s, as a sender over the line alone waits
constexpr double kFarBegins_s = 1;           // a far end that sends begins so much later at most
constexpr double kUntilSpeech_s = 12;        // from the answer: the first packet within 10 s, and a second to settle
constexpr double kBlock_s = static_cast<double>(kLineBlock) / kLineRateHz;
constexpr int kFarewellSteps = 10;  // of up to 10 ms
constexpr auto kTold = std::chrono::milliseconds(200);

std::size_t blocks(double seconds) {
  return static_cast<std::size_t>(seconds / kBlock_s) + 1;
}

double utc_now_s() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// Begins calls and waits for their outcomes. For one thread.
class Calling {
 public:
  Calling(const CallsPlan& plan, const SipLineOptions& line, const CallCorpus& corpus, const CallsBefore& before,
          const CallsEvents& events, const std::atomic<bool>& cancelled)
      : plan_(plan),
        line_(line),
        corpus_(corpus),
        before_(before),
        events_(events),
        cancelled_(cancelled),
        pacer_(plan.per_s),
        number_(before.last_number),
        ended_(before.ended) {
    if (plan.ramp_to > 0) ramp_.emplace(plan);
  }

  Result<CallsDone> run() {
    LiveCallsOptions options;
    options.line = line_;
    options.late_ms = plan_.late_ms;
    options.role_of = [this](std::uint32_t number) { return role_of(number); };
    options.noticed = events_.noticed;
    options.traced = events_.traced;
    auto started = LiveCalls::start(std::move(options), corpus_);
    if (!started) return started.error();
    live_ = std::move(started).value();
    while (!cancelled_ && !is_over()) {
      if (live_->registration() == SipCalls::Registration::refused)
        return error_of(live_->registration_end(), plan_.line);
      if (const Status begun = begin_calls(); !begun) return begun.error();
      if (const Status taken = take(live_->step()); !taken) return taken.error();
      tell();
    }
    live_->hang_up_all();
    // Calls that did their part have a score to come.
    while (live_->scoring() > 0) {
      if (const Status taken = take(live_->step()); !taken) return taken.error();
    }
    // The last farewells belong to the trace.
    for (int n = 0; n < kFarewellSteps; ++n) {
      if (const Status taken = take(live_->step()); !taken) return taken.error();
    }
    CallsDone done;
    if (ramp_) done.ramp = ramp_->found();
    done.cancelled = cancelled_ && !is_over();
    return done;
  }

 private:
  double passed_s() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }
  std::size_t at_once() const { return ramp_ ? ramp_->at_once() : plan_.at_once; }

  bool may_begin_more() const {
    if (ramp_ && ramp_->done()) return false;
    // A call that failed counts too: else a target that is away would be called for ever.
    if (plan_.total > 0 && ended_ + live_->under_way() + live_->scoring() >= plan_.total) return false;
    return plan_.for_s <= 0 || passed_s() < plan_.for_s;
  }

  bool is_over() const { return !may_begin_more() && live_->under_way() == 0 && live_->scoring() == 0; }

  Status begin_calls() {
    const double now_s = passed_s();
    if (ramp_) ramp_->up(live_->up(), now_s, usual_s_);
    const auto registration = live_->registration();
    const bool open = registration == SipCalls::Registration::none || registration == SipCalls::Registration::held;
    while (open && may_begin_more() && live_->under_way() < at_once() && live_->scoring() < 2 * at_once() &&
           pacer_.may_begin(now_s)) {
      pacer_.began(now_s);
      CallOutcome outcome;
      outcome.number = ++number_;
      outcome.at_once = static_cast<std::uint32_t>(at_once());
      outcome.started_s = before_.last_s + now_s;
      outcome.started_utc = utc_text(utc_now_s());
      if (const Status dialled = live_->dial(std::move(outcome)); !dialled) return dialled;
    }
    return success();
  }

  CallRole role_of(std::uint32_t number) {
    CallRole role;
    role.scores = plan_.far_end != FarEnd::listen;
    role.expected.most = role.scores ? plan_.each : 0;
    role.expected.narrowband_too = plan_.narrowband_too;
    double speech_s = 0;
    if (plan_.far_end == FarEnd::send) {
      role.expected.sender = End::b;
      speech_s = kFarBegins_s + static_cast<double>(plan_.each * corpus_.longest()) / kLineRateHz;
    } else {
      // Each call has its own, so that speech of another call is not taken for its own.
      const std::uint32_t run_id = (run_ids_ + number) & kRunIds;
      for (const NumberedStimulus& one : numbered_rounds(corpus_, run_id, plan_.each)) {
        if (role.part.says.size() == plan_.each) break;
        const MarkData data{End::a, run_id, static_cast<std::uint8_t>(one.stimulus),
                            static_cast<std::uint16_t>(one.number), corpus_.digest()};
        role.part.says.push_back(corpus_.spoken(data));
        speech_s += static_cast<double>(role.part.says.back().size()) / line_.media.rate_hz;
        if (role.scores) role.expected.own.push_back(data);
      }
    }
    role.part.stays = blocks(speech_s + kTail_s);
    usual_s_ = speech_s + kTail_s + 1;
    if (role.scores) role.part.most_recorded = role.part.stays + blocks(kUntilSpeech_s);
    return role;
  }

  Status take(std::vector<LiveCalls::Ended> ended) {
    for (LiveCalls::Ended& one : ended) {
      ++ended_;
      if (ramp_) ramp_->ended(one.outcome);
      if (const Status told = events_.ended(std::move(one.outcome), one.recording); !told) return told;
    }
    return success();
  }

  void tell() {
    const auto now = Clock::now();
    if (!events_.progressed || now - told_ < kTold) return;
    told_ = now;
    events_.progressed({at_once(), live_->dialling(), live_->up(), live_->scoring(), ended_, passed_s()});
  }

  const CallsPlan& plan_;
  const SipLineOptions& line_;
  const CallCorpus& corpus_;
  const CallsBefore before_;
  const CallsEvents& events_;
  const std::atomic<bool>& cancelled_;
  CallPacer pacer_;
  std::uint32_t number_;
  std::size_t ended_;
  const std::uint32_t run_ids_ = std::random_device{}();
  std::optional<CallsRamp> ramp_;
  double usual_s_ = 10;
  const Clock::time_point began_ = Clock::now();
  Clock::time_point told_{};
  std::unique_ptr<LiveCalls> live_;
};

}  // namespace

Status check_calls(const CallsPlan& plan, const Corpus& corpus) {
  if (Status valid = validate(plan); !valid) return valid;
  return CallCorpus::check(corpus, plan.stimuli, parse_sip_line(plan.line)->media.rate_hz);
}

Result<CallsDone> run_calls(const CallsPlan& plan, const Corpus& corpus, const CallsBefore& before,
                            const CallsEvents& events, const std::atomic<bool>& cancelled) {
  const auto line = parse_sip_line(plan.line);
  if (!line) return line.error();
  const auto loaded = CallCorpus::load(corpus, plan.stimuli, line->media.rate_hz);
  if (!loaded) return loaded.error();
  return Calling(plan, *line, *loaded, before, events, cancelled).run();
}

}  // namespace vqas
