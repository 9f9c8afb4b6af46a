#include "vqas/node/run_forecast.h"

#include <algorithm>
#include <numeric>

#include "node/controller/run_preparation.h"

namespace vqas {

Result<RunForecast> forecast_run(const RunPlan& plan) {
  const auto planned = check_planned_corpus(plan);
  if (!planned) return planned.error();
  const SamplerOptions& sampling = plan.sampling;
  RunForecast forecast;
  forecast.in_turn = plan.duplex == Duplex::one && plan.a_to_b && plan.b_to_a;
  const double each_s =
      std::accumulate(planned->line_seconds.begin(), planned->line_seconds.end(), 0.0) * (forecast.in_turn ? 2 : 1);
  forecast.least_s = each_s * static_cast<double>(std::min(sampling.first_count, sampling.cap_count));
  forecast.most_s = each_s * static_cast<double>(sampling.cap_count);
  if (plan.cap_line_time_s <= 0) return forecast;
  forecast.most_s = std::min(forecast.most_s, plan.cap_line_time_s);
  forecast.least_s =
      sampling.goal_of == GoalOf::line_time ? forecast.most_s : std::min(forecast.least_s, plan.cap_line_time_s);
  return forecast;
}

}  // namespace vqas
