#include "vqas/campaign/hook_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "campaign/hooks/hook_documents.h"
#include "signal/words.h"
#include "vqas/report/findings.h"
#include "vqas/report/summary.h"

namespace vqas {

using campaign::direction_names_without_score;

namespace {

constexpr Words<HookEvent, 5> kEvents{{{"run_ended", HookEvent::run_ended},
                                       {"verdict_changed", HookEvent::verdict_changed},
                                       {"line_dead", HookEvent::line_dead},
                                       {"line_back", HookEvent::line_back},
                                       {"disk_full_soon", HookEvent::disk_full_soon}}};

}  // namespace

std::string_view to_string(HookEvent event) {
  return word_of(kEvents, event);
}
std::optional<HookEvent> hook_event_from_string(std::string_view name) {
  return value_of(kEvents, name);
}

const std::vector<std::string>& program_for(HookEvent event, const PlannedHooks& hooks) {
  switch (event) {
    case HookEvent::run_ended:
      return hooks.run_ended;
    case HookEvent::verdict_changed:
      return hooks.verdict_changed;
    case HookEvent::line_dead:
    case HookEvent::line_back:
      return hooks.line_changed;
    case HookEvent::disk_full_soon:
      break;
  }
  return hooks.disk_full;
}

RunEnd run_end_of(const RunResults& results, const Provenance& provenance) {
  RunEnd end;
  end.verdict = verdict_of(results, provenance);
  end.uuid = results.about.uuid;
  end.started_utc = results.started_utc;
  end.finished_utc = results.finished_utc;
  end.ended_because = results.ended_because;
  end.line_seconds = results.line_seconds;
  end.mode = results.mode;
  end.limit_mos = results.about.limit_mos;
  for (const DirectionRun& direction : results.directions) {
    const DirectionSummary summary = summarise(direction, results.sampling);
    DirectionEnd one{direction.from, {}, 0, 0, 0, summary.outcomes.of(Outcome::scored), summary.outcomes.total()};
    if (summary.mean.strata > 0) {
      one.mean = summary.mean.mean;
      one.half_width = summary.mean.half_width;
      one.confidence = summary.mean.confidence;
      one.with_model_error = with_model_error(one.half_width, one.confidence, provenance.model_error_mos);
    }
    end.directions.push_back(one);
  }
  return end;
}

HookMessage HookWatch::message(HookEvent event, const std::string& utc, const std::string& member,
                               const std::string& content) {
  const std::uint64_t number = state_.next++;
  HookMessage message{fmt::format("{}-{}", state_.campaign, number), event, {}};
  message.document = campaign::hook_document(campaign_, message, number, utc, member, content);
  return message;
}

void HookWatch::skip(const RunEnd& end) {
  if (end.number < state_.last_number) return;
  state_.last_number = end.number;
  state_.last_finished_utc = end.finished_utc;
}

std::vector<HookMessage> HookWatch::run_ended(const RunEnd& end, bool anew, const std::string& utc) {
  const bool told = end.number < state_.last_number ||
                    (end.number == state_.last_number && end.finished_utc == state_.last_finished_utc);
  if (!anew && told) return {};
  skip(end);
  std::vector<HookMessage> messages{message(HookEvent::run_ended, utc, "run", campaign::run_json(end))};
  change_verdict(end, utc, messages);
  if (was_measured(end.verdict) && state_.line_dead) {
    state_.away_only = true;
    for (HookMessage& one : line_there(utc)) messages.push_back(std::move(one));
  }
  // A run that was broken off for another reason says nothing of the line.
  const bool has_silence = std::ranges::any_of(end.directions, [](const DirectionEnd& one) { return !one.mean; });
  const bool without_score = end.ended_as == RunVerdict::not_measured && end.ended_because.empty() && has_silence;
  if (end.ended_as == RunVerdict::line_lost || without_score) {
    const std::string why = end.ended_because.empty() ? direction_names_without_score(end) : end.ended_because;
    const std::string& since = !end.away_since_utc.empty() ? end.away_since_utc
                               : !end.started_utc.empty()  ? end.started_utc
                                                           : utc;
    for (HookMessage& one : line_away(why, utc, since)) messages.push_back(std::move(one));
    state_.away_only = false;
  }
  return messages;
}

void HookWatch::change_verdict(const RunEnd& end, const std::string& utc, std::vector<HookMessage>& messages) {
  if (!end.limit_mos || !was_measured(end.verdict)) return;
  const auto before = state_.verdict;
  if (before == end.verdict || (before && end.verdict == RunVerdict::undecided)) return;
  state_.verdict = end.verdict;
  messages.push_back(message(HookEvent::verdict_changed, utc, "verdict", campaign::verdict_json(before, end)));
}

std::vector<HookMessage> HookWatch::line_away(const std::string& why, const std::string& utc,
                                              const std::string& since_utc) {
  if (state_.line_dead) return {};
  state_.line_dead = state_.away_only = true;
  state_.line_dead_since_utc = since_utc;
  return {message(HookEvent::line_dead, utc, "line", campaign::line_json(why, since_utc))};
}

std::vector<HookMessage> HookWatch::line_there(const std::string& utc) {
  if (!state_.line_dead || !state_.away_only) return {};
  state_.line_dead = state_.away_only = false;
  const std::string since = std::exchange(state_.line_dead_since_utc, {});
  return {message(HookEvent::line_back, utc, "line", campaign::line_json({}, since))};
}

std::vector<HookMessage> HookWatch::disk(const DiskForecast& forecast, const std::string& utc) {
  const bool soon = !forecast.fits || (forecast.full_in_s && *forecast.full_in_s < kFullSoon_s);
  if (!forecast.full_in_s && forecast.fits) state_.disk_told = false;
  if (!soon || std::exchange(state_.disk_told, true)) return {};
  return {message(HookEvent::disk_full_soon, utc, "disk", campaign::disk_json(forecast))};
}

}  // namespace vqas
