#include "vqas/campaign/campaign_metrics.h"

#include <fmt/format.h>

#include <QDateTime>
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "campaign/tell.h"
#include "node/agent/metrics_page.h"
#include "vqas/report/summary.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/rounding.h"

namespace vqas {
namespace {

using campaign::tell;

constexpr std::array kVerdicts = {RunVerdict::pass,         RunVerdict::undecided,   RunVerdict::fail,
                                  RunVerdict::not_measured, RunVerdict::cancelled,   RunVerdict::line_lost,
                                  RunVerdict::bad_input,    RunVerdict::in_use,      RunVerdict::io,
                                  RunVerdict::internal,     RunVerdict::unknown_peer};

/// Seconds since 1970 of an ISO 8601 text; 0 for anything else.
double seconds_of(const std::string& utc) {
  const QDateTime time = QDateTime::fromString(QString::fromStdString(utc), Qt::ISODate);
  return time.isValid() ? 1e-3 * static_cast<double>(time.toMSecsSinceEpoch()) : 0;
}

struct DirectionFigures {
  std::optional<double> mean;  ///< of the last run with a score
  double half_width = 0, model_error = 0, scored_s = 0;
  bool out = false;  ///< the last run has no score
  std::size_t outages = 0;
  std::map<std::string, std::size_t> outcomes;
};

}  // namespace

struct CampaignMetrics::Figures {
  RunAbout about;
  std::string line, score_version, software_version;
  double started_s = 0, finished_s = 0;
  std::optional<double> limit;
  std::optional<RunVerdict> last;
  std::map<RunVerdict, std::size_t> runs;
  std::map<End, DirectionFigures> directions;
};

CampaignMetrics::CampaignMetrics(std::filesystem::path file, std::filesystem::path folder)
    : file_(std::move(file)), folder_(std::move(folder)), figures_(std::make_shared<Figures>()) {}

void CampaignMetrics::add(const RunResults& results, const Provenance& provenance, RunVerdict verdict) {
  Figures& all = *figures_;
  ++all.runs[verdict];
  const double started_s = seconds_of(results.started_utc);
  const bool newest = started_s >= all.started_s;
  if (newest) {
    all.about = results.about;
    all.line = results.line;
    all.score_version = provenance.score_version;
    all.software_version = provenance.software_version;
    all.started_s = started_s;
    all.finished_s = seconds_of(results.finished_utc);
    all.limit = results.about.limit_mos;
    all.last = verdict;
  }
  for (const DirectionRun& direction : results.directions) {
    const DirectionSummary summary = summarise(direction, results.sampling);
    DirectionFigures& figures = all.directions[direction.from];
    for (const Outcome outcome : kAllOutcomes)
      figures.outcomes[std::string(to_string(outcome))] += summary.outcomes.of(outcome);
    const bool scored = summary.mean.strata > 0;
    if (!scored && !figures.out) ++figures.outages;
    figures.out = !scored;
    if (!scored || started_s < figures.scored_s) continue;
    figures.mean = rounded_to(summary.mean.mean, kMosStep);
    figures.half_width = std::max(rounded_to(summary.mean.half_width, kMosStep), kMosStep);
    figures.model_error = provenance.model_error_mos;
    figures.scored_s = started_s;
  }
}

std::string CampaignMetrics::text() const {
  const Figures& all = *figures_;
  const std::string campaign = fmt::format("campaign=\"{}\"", metrics_label(all.about.campaign));
  MetricsPage page;
  const auto single = [&](const char* name, const char* type, const char* help, double number) {
    page.begin(name, type, help);
    page.value(number, campaign);
  };
  const auto by_direction = [&](const char* name, const char* help, auto&& value) {
    page.begin(name, "gauge", help);
    for (const auto& [from, figures] : all.directions) {
      if (const std::optional<double> number = value(figures))
        page.value(*number, fmt::format("{},direction=\"{}\"", campaign, direction_name(from)));
    }
  };
  std::string labels = campaign;
  for (const char* const name : {"customer", "site", "circuit"}) {
    const auto tag = all.about.tags.find(name);
    labels += fmt::format(",{}=\"{}\"", name, tag == all.about.tags.end() ? "" : metrics_label(tag->second));
  }
  page.begin("vqas_campaign_info", "gauge", "Labels of the last run; always 1.");
  page.value(1,
             fmt::format("{},line=\"{}\",score_version=\"{}\",software_version=\"{}\"", labels, metrics_label(all.line),
                         metrics_label(all.score_version), metrics_label(all.software_version)));
  by_direction("vqas_campaign_mos_lqo", "Mean of the last run with a score, MOS-LQON.",
               [](const DirectionFigures& one) { return one.mean; });
  by_direction("vqas_campaign_mos_half_width", "Half-width of repeatability of that mean, MOS.",
               [](const DirectionFigures& one) { return one.mean ? std::optional(one.half_width) : std::nullopt; });
  by_direction("vqas_campaign_model_error_mos", "Error of the score itself, 1 sigma, MOS.",
               [](const DirectionFigures& one) { return one.mean ? std::optional(one.model_error) : std::nullopt; });
  by_direction("vqas_campaign_last_score_timestamp_seconds", "Start of the last run with a score.",
               [](const DirectionFigures& one) { return one.mean ? std::optional(one.scored_s) : std::nullopt; });
  by_direction("vqas_campaign_without_score", "1 while the last run has no score in this direction.",
               [](const DirectionFigures& one) { return std::optional(one.out ? 1.0 : 0.0); });
  page.begin("vqas_campaign_outages_total", "counter", "Times that runs without a score began.");
  for (const auto& [from, figures] : all.directions)
    page.value(static_cast<double>(figures.outages),
               fmt::format("{},direction=\"{}\"", campaign, direction_name(from)));
  page.begin("vqas_campaign_measurements_total", "counter", "Transmissions of the runs, by outcome.");
  for (const auto& [from, figures] : all.directions) {
    for (const auto& [outcome, count] : figures.outcomes)
      page.value(static_cast<double>(count),
                 fmt::format("{},direction=\"{}\",outcome=\"{}\"", campaign, direction_name(from), outcome));
  }
  if (all.limit) single("vqas_campaign_limit_mos", "gauge", "Limit of the plan, MOS.", *all.limit);
  page.begin("vqas_campaign_verdict", "gauge", "1 for the verdict on the last run, 0 for the others.");
  for (const RunVerdict verdict : kVerdicts)
    page.value(all.last == verdict ? 1 : 0, fmt::format("{},verdict=\"{}\"", campaign, to_string(verdict)));
  page.begin("vqas_campaign_runs_total", "counter", "Runs that ended, by verdict.");
  for (const auto& [verdict, count] : all.runs)
    page.value(static_cast<double>(count), fmt::format("{},verdict=\"{}\"", campaign, to_string(verdict)));
  single("vqas_campaign_last_run_timestamp_seconds", "gauge", "Start of the last run.", all.started_s);
  single("vqas_campaign_last_run_end_timestamp_seconds", "gauge", "End of the last run.", all.finished_s);
  std::error_code failed;
  const std::filesystem::space_info disk = std::filesystem::space(folder_, failed);
  if (!failed)
    single("vqas_campaign_disk_free_bytes", "gauge", "Free space on the disk of the campaign's folder.",
           static_cast<double>(disk.available));
  return page.text;
}

Status CampaignMetrics::write() const {
  return write_file_atomically(file_, text());
}

CampaignEvents with_metrics(CampaignEvents events, std::shared_ptr<CampaignMetrics> metrics) {
  const auto write = [metrics, failed = events.failed] {
    if (const Status written = metrics->write(); !written) tell(failed, written.error());
  };
  events.run_begins = [metrics, write, begins = std::move(events.run_begins)](const CampaignRun& run) {
    RunEvents told = begins ? begins(run) : RunEvents();
    told.finished = [metrics, write, finished = std::move(told.finished)](const EndOfRun& end) {
      if (end.begun) {
        metrics->add(end.results, current_provenance(), end.verdict);
        write();
      }
      tell(finished, end);
    };
    return told;
  };
  events.had_ended = [metrics, write, had_ended = std::move(events.had_ended)](const CampaignRun& run,
                                                                               const StoredRun& stored) {
    metrics->add(stored.results, stored.provenance, verdict_of(stored.results, stored.provenance));
    write();
    tell(had_ended, run, stored);
  };
  return events;
}

}  // namespace vqas
