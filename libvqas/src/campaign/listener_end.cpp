#include "vqas/campaign/listener_end.h"

#include <fmt/format.h>

namespace vqas {
namespace {

// Empty when the run is complete, whatever ended this listening: a sender that leaves after its last transmission may
// end the line.
std::string why_it_ended(const ListenResults& heard, const ListenPlan& plan) {
  if (heard.reached + heard.abandoned == heard.results.directions.front().stimuli.size()) return {};
  switch (heard.end) {
    case ListenEnd::enough:
    case ListenEnd::sender_finished:
      return {};
    case ListenEnd::silence:
      return fmt::format("no mark came for {:g} s", plan.silence_s);
    case ListenEnd::over:
      return "its time was over";
    case ListenEnd::line_lost:
      return heard.line_fault;
    case ListenEnd::cancelled:
      break;
  }
  return "stopped by the user";
}

}  // namespace

void conclude_listening(ListenResults& heard, const ListenPlan& plan, const std::string& finished_utc,
                        double wall_seconds) {
  RunResults& results = heard.results;
  results.ended_because = why_it_ended(heard, plan);
  results.finished_utc = finished_utc;
  results.wall_seconds = wall_seconds;
  if (!plan.earlier) return;
  results.wall_seconds += plan.earlier->wall_seconds;
  results.line_seconds += plan.earlier->line_seconds;
}

}  // namespace vqas
