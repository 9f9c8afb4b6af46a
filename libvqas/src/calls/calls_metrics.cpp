#include "vqas/calls/calls_metrics.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "node/agent/metrics_page.h"

namespace vqas {

std::string calls_metrics(const CallsSummary& so_far, const CallsProgress& progress, const CallsPlan& plan) {
  MetricsPage page;
  const std::string calls = fmt::format("calls=\"{}\"", metrics_label(plan.name.empty() ? plan.line : plan.name));
  const auto with = [&](const char* label, std::string_view value) {
    return fmt::format("{},{}=\"{}\"", calls, label, metrics_label(std::string(value)));
  };
  using Counts = std::pair<const char*, double>;
  const auto count = [](const char* name, auto value) { return Counts{name, static_cast<double>(value)}; };

  page.begin("vqas_calls_now", "gauge", "Calls that are under way, by where they are, and those that are wanted.");
  for (const auto& [state, value] : std::array{count("wanted", progress.at_once), count("dialling", progress.dialling),
                                               count("up", progress.up), count("scoring", progress.scoring)})
    page.value(value, with("state", state));

  page.begin("vqas_calls_total", "counter", "Calls that are over, by result.");
  for (const auto& [result, value] :
       std::array{count("scored", so_far.scored), count("unscored", so_far.unscored),
                  count("answered", so_far.answered), count("spoilt", so_far.spoilt), count("failed", so_far.failed)})
    page.value(value, with("result", result));

  page.begin("vqas_calls_failed_total", "counter", "Calls that failed, by how they ended.");
  for (const auto& [end, calls_of_it] : so_far.ends) page.value(static_cast<double>(calls_of_it), with("end", end));

  if (so_far.mos) {
    const bool wide = so_far.mode == ScoreMode::wideband;
    std::vector means{std::pair{wide ? with("score_mode", to_string(so_far.mode)) : calls, *so_far.mos}};
    if (so_far.narrowband_mos)
      means.emplace_back(with("score_mode", to_string(ScoreMode::narrowband)), *so_far.narrowband_mos);
    page.begin("vqas_calls_mos_lqo", "gauge",
               "Mean MOS of the scored calls: MOS-LQOW where score_mode is wb, the same calls in narrowband where nb.");
    for (const auto& [scale, mos] : means) page.value(mos.mean, scale);
    std::erase_if(means, [](const auto& mean) { return !std::isfinite(mean.second.half_width); });
    if (!means.empty())
      page.begin("vqas_calls_mos_half_width", "gauge", "Half-width of the mean's interval, one value a call.");
    for (const auto& [scale, mos] : means) page.value(mos.half_width, scale);
  }
  if (so_far.mode == ScoreMode::wideband) {
    page.begin("vqas_calls_narrow_total", "counter", "Calls of an HD line that turned out to be narrowband ones.");
    page.value(static_cast<double>(so_far.narrow), calls);
  }
  for (const auto& [name, help, spread] :
       {std::tuple{"vqas_calls_ring_seconds", "From the INVITE to ringing.", &so_far.ring_s},
        std::tuple{"vqas_calls_answer_seconds", "From the INVITE to the answer.", &so_far.answer_s}}) {
    if (!*spread) continue;
    page.begin(name, "gauge", help);
    page.value((*spread)->median, with("quantile", "0.5"));
    page.value((*spread)->p95, with("quantile", "0.95"));
    page.value((*spread)->worst, with("quantile", "1"));
  }

  page.begin("vqas_calls_packets_total", "counter", "Packets of all calls at this end.");
  for (const auto& [what, value] :
       std::array{count("sent", so_far.packets_sent), count("received", so_far.packets_received),
                  count("lost", so_far.packets_lost), count("sent_late", so_far.sent_late)})
    page.value(value, with("what", what));
  page.begin("vqas_calls_worst_late_seconds", "gauge", "How late a packet left this machine, at most.");
  page.value(so_far.worst_late_ms * 1e-3, calls);
  return page.text;
}

}  // namespace vqas
