#include "vqas/calls/calls_ramp.h"

#include <fmt/format.h>

#include <algorithm>

namespace vqas {
namespace {

constexpr std::size_t kLeastCalls = 10;     // of a step
constexpr double kMostSpoilt_percent = 10;  // of a step; more says that this machine is the limit
constexpr double kFillsWithin_calls = 3;    // a step that is not full after the time of so many calls never will be

std::string why_not(const CallsSummary& summary, const CallsPlan& plan) {
  if (summary.calls > 0 &&
      100.0 * static_cast<double>(summary.spoilt) / static_cast<double>(summary.calls) > kMostSpoilt_percent) {
    return fmt::format("this machine sent too late in {} of {} calls (worst {:.1f} ms)", summary.spoilt, summary.calls,
                       summary.worst_late_ms);
  }
  if (summary.failed_percent > plan.limit_failed_percent.value_or(0))
    return fmt::format("{:.1f} % of the calls have no score", summary.failed_percent);
  if (plan.limit_mos && summary.mos && summary.mos->mean < *plan.limit_mos)
    return fmt::format("the mean {} is {:.2f}, below {:g}", mos_name(summary.mode), summary.mos->mean, *plan.limit_mos);
  return {};
}

}  // namespace

std::string RampFound::in_words() const {
  if (!held && !not_held) return "no step was completed";
  if (!not_held) return fmt::format("held at all steps, to {} calls at a time", *held);
  const std::string why = steps.empty() ? std::string() : ": " + steps.back().why;
  if (!held) return fmt::format("did not hold at {} calls at a time{}", *not_held, why);
  return fmt::format("held at {} calls at a time, not at {}{}", *held, *not_held, why);
}

CallsRamp::CallsRamp(const CallsPlan& plan) : plan_(plan) {
  steps_.push_back(plan.ramp_from);
  for (std::size_t tens = 1; tens <= plan.ramp_to; tens *= 10) {
    for (const std::size_t one : {tens, 2 * tens, 5 * tens}) {
      if (one > plan.ramp_from && one < plan.ramp_to) steps_.push_back(one);
    }
  }
  steps_.push_back(plan.ramp_to);
}

void CallsRamp::up(std::size_t calls, double now_s, double usual_s) {
  if (done_) return;
  if (!began_s_) began_s_ = now_s;
  // While calls end and begin, some of them are always being set up.
  if (!full_ && 20 * calls >= 19 * at_once()) {
    full_ = true;
    // These met a smaller load.
    std::erase_if(calls_, [](const CallOutcome& call) { return call.result != CallResult::failed; });
  }
  const double fill_s = static_cast<double>(at_once()) / plan_.per_s;
  const double passed_s = now_s - *began_s_;
  // Calls that fail end sooner than those that are scored, which are waited for.
  if (calls_.size() >= std::max(kLeastCalls, at_once()) && passed_s > fill_s + usual_s) return conclude();
  if (!full_ && passed_s > fill_s + kFillsWithin_calls * usual_s) conclude();
}

void CallsRamp::ended(const CallOutcome& call) {
  if (done_ || call.at_once != at_once() || call.result == CallResult::cancelled) return;
  calls_.push_back(call);
}

void CallsRamp::conclude() {
  RampStep step;
  step.at_once = at_once();
  step.summary = summarise(calls_, plan_);
  step.why = why_not(step.summary, plan_);
  const bool too_slow = step.why.empty() && !full_;
  if (too_slow) step.why = fmt::format("so many were never up; calls begin at {:g} per second at most", plan_.per_s);
  step.held = step.why.empty();
  found_.steps.push_back(step);
  calls_.clear();
  full_ = false;
  began_s_.reset();
  if (!step.held) {
    found_.not_held = step.at_once;
    found_.by_this_machine = step.why.starts_with("this machine") || too_slow;
    done_ = true;
    return;
  }
  found_.held = step.at_once;
  if (++step_ == steps_.size()) {
    --step_;
    done_ = true;
  }
}

}  // namespace vqas
