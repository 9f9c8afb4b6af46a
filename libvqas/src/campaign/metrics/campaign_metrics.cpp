#include "vqas/campaign/campaign_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "campaign/tell.h"
#include "node/agent/metrics_page.h"
#include "vqas/report/summary.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/rounding.h"
#include "vqas/store/utc_text.h"

namespace vqas {
namespace {

using campaign::tell;

constexpr std::array kVerdicts = {RunVerdict::pass, RunVerdict::undecided, RunVerdict::fail, RunVerdict::not_measured};

struct DirectionFigures {
  std::optional<double> mean;  ///< of the last slot
  double half_width = 0, model_error = 0;
  std::optional<double> scored_s;  ///< start of the last run with a score
  bool out = false;                ///< the last slot has no score
  std::size_t outages = 0;
  std::map<std::string, std::size_t> outcomes;

  void lose() {
    if (!std::exchange(out, true)) ++outages;
    mean.reset();
  }
};

}  // namespace

struct CampaignMetrics::Figures {
  RunAbout about;
  std::string line, score_version, software_version = current_provenance().software_version;
  std::optional<double> started_s, finished_s;  ///< of the last run
  std::optional<double> slot_due_s, next_due_s;
  std::optional<RunVerdict> last;
  std::optional<SlotOutcome> slot;
  bool away = false;
  std::map<RunVerdict, std::size_t> runs;
  std::map<SlotOutcome, std::size_t> slot_counts;
  std::map<End, DirectionFigures> directions;
};

CampaignMetrics::CampaignMetrics(std::filesystem::path file, std::filesystem::path folder, const CampaignPlan& plan)
    : file_(std::move(file)), folder_(std::move(folder)), figures_(std::make_shared<Figures>()) {
  figures_->about.campaign = plan.name;
  figures_->about.tags = plan.tags;
  figures_->about.limit_mos = plan.limit_mos;
  figures_->score_version = current_provenance(plan.mode).score_version;
  if (plan.a_to_b) figures_->directions[End::a];
  if (plan.b_to_a) figures_->directions[End::b];
}

void CampaignMetrics::add(const RunResults& results, const Provenance& provenance) {
  Figures& all = *figures_;
  all.last = verdict_of(results, provenance);
  all.about.limit_mos = results.about.limit_mos;  // the plan's may have changed since
  ++all.runs[*all.last];
  all.line = results.line;
  all.score_version = provenance.score_version;
  all.software_version = provenance.software_version;
  all.started_s = utc_from_text(results.started_utc);
  all.finished_s = utc_from_text(results.finished_utc);
  for (const DirectionRun& direction : results.directions) {
    const DirectionSummary summary = summarise(direction, results.sampling);
    DirectionFigures& figures = all.directions[direction.from];
    for (const Outcome outcome : kAllOutcomes)
      figures.outcomes[std::string(to_string(outcome))] += summary.outcomes.of(outcome);
    if (summary.mean.strata == 0) {
      figures.lose();
      continue;
    }
    figures.out = false;
    figures.mean = rounded_to(summary.mean.mean, kMosStep);
    figures.half_width = std::max(rounded_to(summary.mean.half_width, kMosStep), kMosStep);
    figures.model_error = provenance.model_error_mos;
    figures.scored_s = all.started_s;
  }
}

void CampaignMetrics::add(const SlotRecord& slot) {
  figures_->slot = slot.outcome;
  figures_->slot_due_s = slot.due_s;
  ++figures_->slot_counts[slot.outcome];
  if (slot.run.empty() && !was_left_out(slot.outcome)) add_failure();
}

void CampaignMetrics::add_failure() {
  figures_->last = RunVerdict::not_measured;
  for (auto& [from, figures] : figures_->directions) figures.lose();
}

void CampaignMetrics::expect(std::optional<double> due_s) {
  figures_->next_due_s = due_s;
}

void CampaignMetrics::set_away(bool away) {
  figures_->away = away;
}

std::string CampaignMetrics::text() const {
  const Figures& all = *figures_;
  const std::string campaign = fmt::format("campaign=\"{}\"", metrics_label(all.about.campaign));
  MetricsPage page;
  const auto single = [&](const char* name, const char* type, const char* help, std::optional<double> number) {
    page.begin(name, type, help);
    if (number) page.value(*number, campaign);
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
  const auto at_score = [](double DirectionFigures::*member) {
    return [member](const DirectionFigures& one) { return one.mean ? std::optional(one.*member) : std::nullopt; };
  };
  by_direction("vqas_campaign_mos_lqo",
               "Mean of the last slot, MOS-LQON, or MOS-LQOW of a wideband score_version; absent if it has no score.",
               [](const DirectionFigures& one) { return one.mean; });
  by_direction("vqas_campaign_mos_half_width", "Half-width of repeatability of that mean, MOS.",
               at_score(&DirectionFigures::half_width));
  by_direction("vqas_campaign_model_error_mos", "Error of the score itself, 1 sigma, MOS.",
               at_score(&DirectionFigures::model_error));
  by_direction("vqas_campaign_last_score_timestamp_seconds", "Start of the last run with a score.",
               [](const DirectionFigures& one) { return one.scored_s; });
  by_direction("vqas_campaign_without_score", "1 while the last slot has no score in this direction.",
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
  if (all.about.limit_mos) {
    single("vqas_campaign_limit_mos", "gauge", "Limit of that verdict, MOS.", all.about.limit_mos);
    page.begin("vqas_campaign_verdict", "gauge", "1 for the verdict on the last slot, 0 for the others.");
    for (const RunVerdict verdict : kVerdicts)
      page.value(all.last == verdict ? 1 : 0, fmt::format("{},verdict=\"{}\"", campaign, to_string(verdict)));
  }
  page.begin("vqas_campaign_runs_total", "counter", "Runs that ended, by verdict.");
  for (const auto& [verdict, count] : all.runs)
    page.value(static_cast<double>(count), fmt::format("{},verdict=\"{}\"", campaign, to_string(verdict)));
  page.begin("vqas_campaign_slots_total", "counter", "Slots that are over, by outcome.");
  for (const auto& [outcome, count] : all.slot_counts)
    page.value(static_cast<double>(count), fmt::format("{},outcome=\"{}\"", campaign, to_string(outcome)));
  if (all.slot) {
    page.begin("vqas_campaign_last_slot", "gauge", "1 for the outcome of the last slot.");
    page.value(1, fmt::format("{},outcome=\"{}\"", campaign, to_string(*all.slot)));
  }
  single("vqas_campaign_last_slot_timestamp_seconds", "gauge", "When the last slot that is over was due.",
         all.slot_due_s);
  // Without a slot no rule on its age may fire: a comparison with NaN is false.
  single("vqas_campaign_next_slot_timestamp_seconds", "gauge", "When the slot is due that is measured or waited for.",
         all.next_due_s.value_or(std::numeric_limits<double>::quiet_NaN()));
  single("vqas_campaign_line_away", "gauge", "1 while the line or a node is away.", all.away ? 1 : 0);
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
  // A run may be tried several times in its slot; the last try counts.
  const auto last = std::make_shared<std::optional<RunResults>>();
  const auto anything = std::make_shared<bool>(false);
  const auto take_last = [metrics, last, anything] {
    if (!*last) return;
    metrics->add(**last, current_provenance((*last)->mode));
    last->reset();
    *anything = true;
  };
  events.run_begins = [last, begins = std::move(events.run_begins)](const CampaignRun& run) {
    RunEvents told = begins ? begins(run) : RunEvents();
    told.finished = [last, finished = std::move(told.finished)](const EndOfRun& end) {
      if (end.begun) *last = end.results;
      tell(finished, end);
    };
    return told;
  };
  events.had_ended = [metrics, anything, had_ended = std::move(events.had_ended)](const CampaignRun& run,
                                                                                  const StoredRun& stored) {
    metrics->add(stored.results, stored.provenance);
    *anything = true;
    tell(had_ended, run, stored);
  };
  events.slot_was_over = [metrics, anything, was_over = std::move(events.slot_was_over)](const SlotRecord& slot) {
    metrics->add(slot);
    *anything = true;
    tell(was_over, slot);
  };
  events.slot_over = [metrics, write, anything, take_last, over = std::move(events.slot_over)](const SlotRecord& slot) {
    take_last();
    metrics->add(slot);
    *anything = true;
    write();
    tell(over, slot);
  };
  events.next_slot = [metrics, write, next = std::move(events.next_slot)](std::optional<double> due_s) {
    metrics->expect(due_s);
    write();
    tell(next, due_s);
  };
  events.away = [metrics, write, away = std::move(events.away)](const std::string& why) {
    metrics->set_away(!why.empty());
    write();
    tell(away, why);
  };
  events.finished = [metrics, write, anything, take_last,
                     finished = std::move(events.finished)](const EndOfCampaign& end) {
    take_last();
    if (!*anything && end.verdict != RunVerdict::cancelled) metrics->add_failure();
    write();
    tell(finished, end);
  };
  return events;
}

}  // namespace vqas
