#pragma once

#include "vqas/calls/call_outcome.h"

namespace vqas::test {

/// A call with one sentence and this score.
inline CallOutcome scored_call(std::uint32_t number, double mos, std::uint32_t at_once = 1) {
  CallOutcome call;
  call.number = number;
  call.at_once = at_once;
  call.started_utc = "2026-11-23T06:30:00.000Z";
  call.started_s = number;
  call.result = CallResult::scored;
  call.ring_s = 0.01 * number;
  call.answer_s = 0.02 * number;
  call.expected = 1;
  call.sentences = {{"F4", Outcome::scored, mos, 0.9, ""}};
  call.packets.sent = 500;
  return call;
}

inline CallOutcome failed_call(std::uint32_t number, const std::string& end, std::uint32_t at_once = 1) {
  CallOutcome call;
  call.number = number;
  call.at_once = at_once;
  call.result = CallResult::failed;
  call.end = end;
  call.code = 486;
  call.reason = "Busy Here";
  return call;
}

}  // namespace vqas::test
