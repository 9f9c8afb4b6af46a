#include "calls/call_ends.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "line/machine_clock.h"
#include "vqas/run/narrow_path.h"

namespace vqas {
namespace {

constexpr double kNsPerS = 1e9;

double seconds(std::int64_t from_ns, std::int64_t to_ns) {
  return static_cast<double>(to_ns - from_ns) / kNsPerS;
}

// A gateway on the way: the codec that was agreed cannot tell it.
void enter_narrow(CallOutcome& outcome) {
  std::size_t scored = 0, narrow = 0;
  for (const CallSentence& one : outcome.sentences) {
    if (!one.mos) continue;
    ++scored;
    if (one.lacks_upper_band) ++narrow;
  }
  if (!outcome.narrow.empty() || !is_narrow_path(narrow, scored)) return;
  outcome.narrow = fmt::format("{} in {} of {} sentences, so the path is narrowband", kNarrowPath, narrow, scored);
}

}  // namespace

void enter_signalling(const SipCallState& state, CallOutcome& outcome) {
  outcome.other = state.other;
  if (state.other.empty() && state.rang_ns != 0) outcome.ring_s = seconds(state.begun_ns, state.rang_ns);
  if (state.answered_ns != 0) {
    outcome.answer_s = seconds(state.begun_ns, state.answered_ns);
    outcome.talked_s = seconds(state.answered_ns, state.ended_ns != 0 ? state.ended_ns : monotonic_ns());
  }
  if (state.end) enter_end(*state.end, outcome);
}

void enter_end(const CallEnd& end, CallOutcome& outcome) {
  outcome.end = name_of(end.kind);
  outcome.code = end.code;
  outcome.reason = end.reason;
}

void enter_media(const MediaCall::Taken& taken, const std::string& change, CallOutcome& outcome) {
  outcome.packets = taken.packets;
  outcome.lateness = taken.lateness;
  if (outcome.result == CallResult::failed || outcome.result == CallResult::cancelled) return;
  std::string why;
  if (taken.lateness.late > 0)
    why = fmt::format("this machine sent {} packets late, the worst by {:.1f} ms", taken.lateness.late,
                      taken.lateness.worst_ms);
  else if (taken.packets.refused > 0)
    why = fmt::format("this machine's system refused {} packets", taken.packets.refused);
  else if (taken.packets.heard.lost_samples > 0)
    why = "this machine took packets too late that had come in time";
  else if (taken.packets.moves > 0)
    why = "the far end changed the call: " + change;
  if (why.empty()) return;
  outcome.result = CallResult::spoilt;
  outcome.reason = why;
}

void enter_scores(std::vector<CallSentence> sentences, CallOutcome& outcome) {
  outcome.sentences = std::move(sentences);
  outcome.result = CallResult::scored;
  enter_narrow(outcome);
  if (outcome.mos()) return;
  outcome.result = CallResult::unscored;
  if (!outcome.sentences.empty()) outcome.reason = outcome.sentences.front().reason;
}

bool ended_well(const std::optional<CallEnd>& end) {
  return end && end->kind == CallEndKind::hung_up && end->bye;
}

CallEnd end_of_silence(MediaCall::Phase phase, const MediaOptions& options) {
  const bool none = phase == MediaCall::Phase::no_audio;
  return {CallEndKind::no_audio, 0,
          fmt::format("{} {:g} s", none ? "no packet of the codec came within" : "packets stopped, and none came for",
                      static_cast<double>(none ? options.first_packet_ns : options.patience_ns) / kNsPerS)};
}

}  // namespace vqas
