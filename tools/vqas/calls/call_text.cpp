#include "calls/call_text.h"

#include <fmt/format.h>

#include <chrono>

#include "vqas/calls/calls_plan.h"
#include "vqas/store/utc_text.h"

namespace vqas::cli {

std::string call_in_words(const CallOutcome& call) {
  std::string words = fmt::format("call {}", call.number);
  if (!call.other.empty()) words += " from " + call.other;
  words += fmt::format(": {}", to_string(call.result));
  if (const auto mos = call.mos()) words += fmt::format(", {} {:.2f}", mos_name(call.mode), *mos);
  if (const auto mos = call.narrowband_mos())
    words += fmt::format(", {} {:.2f}", scale_name(ScoreMode::narrowband), *mos);
  for (const CallSentence& one : call.sentences)
    words += fmt::format(", {} {}", one.stimulus,
                         one.mos ? fmt::format("{:.2f}", *one.mos) : std::string(to_string(one.outcome)));
  if (!call.end.empty()) words += ", " + call.end;
  if (call.code != 0) words += fmt::format(" ({})", call.code);
  if (!call.reason.empty()) words += ": " + call.reason;
  if (!call.narrow.empty()) words += "; " + call.narrow;
  if (call.answer_s) {
    words += fmt::format("; {:.1f} s, {} packets sent, {} received, {} lost, {} sent late (worst {:.2f} ms)",
                         call.talked_s, call.packets.sent, call.packets.heard.packets, call.packets.heard.packets_lost,
                         call.lateness.late, call.lateness.worst_ms);
  }
  return words;
}

std::string now_utc() {
  return utc_text(std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count());
}

std::size_t files_for_calls(std::size_t calls) {
  return 2 * calls + 64;
}

}  // namespace vqas::cli
