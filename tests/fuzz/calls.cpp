// Plans of many calls (TOML), and lines of their journal (JSON). What is read prints and reads back the same.
#include "fuzz.h"
#include "vqas/calls/call_json.h"
#include "vqas/calls/calls_plan.h"

using namespace vqas;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of({data, size});
  const auto plan = parse_calls_plan(text, "/folder/fuzz.toml");
  if (plan) {
    const auto again = parse_calls_plan(calls_plan_text(*plan), "again.toml");
    fuzz::require(static_cast<bool>(again), "a plan that was read can be written and read");
    fuzz::require(again->line == plan->line && again->name == plan->name && again->at_once == plan->at_once &&
                      again->stimuli == plan->stimuli && again->ramp_to == plan->ramp_to,
                  "it is the same plan");
  } else {
    fuzz::require(plan.error().message.find("fuzz.toml") != std::string::npos, "a refusal names the file");
  }
  const auto json = parse_json_text(text, "fuzz");
  const auto call = json ? call_from_json(*json) : Result<CallOutcome>(json.error());
  if (!call) return 0;
  fuzz::require(call->result != CallResult::scored || call->mos(), "a scored call has a score");
  const Json printed = to_json(*call);
  const auto again = call_from_json(printed);
  fuzz::require(again && to_json(*again) == printed, "a call that was read can be written and read");
  return 0;
}
