// A node's metrics for Prometheus (text format 0.0.4).
#include <fmt/format.h>

#include "node/agent/metrics_page.h"
#include "node/agent/node_service.h"

namespace vqas {

std::string NodeService::metrics(const std::map<std::string, std::uint64_t>& refused, std::size_t connections) const {
  MetricsPage page;
  page.begin("vqas_node_info", "gauge", "Versions and end of this node; always 1.");
  page.value(1, fmt::format("end=\"{}\",software_version=\"{}\",score_version=\"{}\"", name_of(options_.end),
                            VQAS_VERSION, metrics_label(std::string(kScoreVersion))));
  page.begin("vqas_node_measurements_total", "counter", "Transmissions received or abandoned, by outcome.");
  for (const auto& [outcome, count] : outcomes_) {
    page.value(static_cast<double>(count), fmt::format("outcome=\"{}\"", metrics_label(outcome)));
  }
  page.single("vqas_node_transmissions_total", "counter", "Transmissions that this end started to send.",
              static_cast<double>(transmissions_));
  page.single("vqas_node_sessions_total", "counter", "Sessions opened.", static_cast<double>(sessions_));
  page.single("vqas_node_rounds_failed_total", "counter", "Rounds that failed because of the line or a disk.",
              static_cast<double>(rounds_failed_));
  page.single("vqas_node_line_seconds_total", "counter", "Line time of all rounds, by the line's clock.",
              static_cast<double>(earlier_line_time_ns_ + line_time_ns()) * 1e-9);
  page.single("vqas_node_held", "gauge", "1 while a controller holds this node.", session_ ? 1 : 0);
  const auto left = session_ ? session_->lease - (Clock::now() - heard_) : Clock::duration::zero();
  page.single("vqas_node_lease_seconds", "gauge", "Time until the holder's lease expires without a sign of life.",
              std::chrono::duration<double>(left).count());
  page.single("vqas_node_round_running", "gauge", "1 while a round is under way.", round_.running() ? 1 : 0);
  page.single("vqas_node_scoring", "gauge", "Captures waiting to be scored.", static_cast<double>(scoring_));
  page.single("vqas_node_line_lost", "gauge", "1 while the line is lost.", line_lost_ ? 1 : 0);
  page.single("vqas_node_connections", "gauge", "Connections to the control socket.", static_cast<double>(connections));
  page.begin("vqas_node_refused_total", "counter", "Connections, messages and tokens refused, by reason.");
  for (const auto& [reason, count] : refused) {
    page.value(static_cast<double>(count), fmt::format("reason=\"{}\"", metrics_label(reason)));
  }
  return page.text;
}

}  // namespace vqas
