// Plans of campaigns: TOML text. What was read lies within the documented limits.
#include "vqas/store/plan.h"

#include "fuzz.h"

using namespace vqas;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of({data, size});
  const auto plan = parse_plan(text, "/folder/fuzz.toml");
  if (!plan) {
    fuzz::require(plan.error().message.find("fuzz.toml") != std::string::npos, "a refusal names the file");
    return 0;
  }
  fuzz::require(static_cast<bool>(validate(plan->sampling)), "the goals are valid");
  fuzz::require(plan->a_to_b || plan->b_to_a, "a direction is measured");
  fuzz::require(plan->notes.size() <= kLongestNotes, "notes are short");
  fuzz::require(plan->ber >= 0 && plan->ber <= 0.5 && plan->delay_s >= 0.05 && plan->cap_line_time_s >= 0,
                "numbers lie within their ranges");
  const std::size_t runs = count_of_runs(*plan);
  fuzz::require(runs >= 1 && runs <= kMostRuns, "the number of runs is bounded");
  return 0;
}
