#include "campaign/hooks/hook_documents.h"

#include <fmt/format.h>

#include <cmath>

#include "vqas/campaign/exit_codes.h"
#include "vqas/report/summary.h"
#include "vqas/signal/json_text.h"
#include "vqas/signal/rounding.h"

namespace vqas {
namespace campaign {
namespace {

Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json number_or_null(double value, double step) {
  return std::isfinite(value) ? Json(rounded_to(value, step)) : Json();
}

Json direction_json(const DirectionEnd& end) {
  Json json{{"from", name_of(end.from)}, {"to", name_of(other_end(end.from))}};
  json["mean_mos"] = end.mean ? Json(rounded_to(*end.mean, kMosStep)) : Json();
  json["half_width_mos"] = end.mean ? number_or_null(end.half_width, kMosStep) : Json();
  json["half_width_with_model_error_mos"] = end.mean ? number_or_null(end.with_model_error, kMosStep) : Json();
  json["confidence_percent"] = end.mean ? Json(rounded_to(100 * end.confidence, 1e-6)) : Json();
  json["scored"] = end.scored;
  json["measured"] = end.measured;
  return json;
}

Json run_members(const RunEnd& end) {
  Json json{{"number", end.number}, {"runs", end.runs}, {"folder", end.folder.string()}};
  json["uuid"] = text_or_null(end.uuid);
  json["verdict"] = to_string(end.verdict);
  json["exit_code"] = static_cast<int>(exit_code_of(end.ended_as));
  json["started_utc"] = text_or_null(end.started_utc);
  json["finished_utc"] = text_or_null(end.finished_utc);
  json["ended_because"] = text_or_null(end.ended_because);
  json["line_seconds"] = rounded_to(end.line_seconds, 1e-3);
  if (end.mode != ScoreMode::narrowband) json["score_mode"] = to_string(end.mode);
  json["limit_mos"] = end.limit_mos ? Json(*end.limit_mos) : Json();
  json["directions"] = Json::array();
  for (const DirectionEnd& one : end.directions) json["directions"].push_back(direction_json(one));
  return json;
}

std::string to_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string hook_document(const HookCampaign& campaign, const HookMessage& message, std::uint64_t number,
                          const std::string& utc, const std::string& member, const std::string& content) {
  Json json{{"schema", kHookSchema},
            {"id", message.id},
            {"number", number},
            {"event", to_string(message.event)},
            {"utc", utc},
            {"example", campaign.example}};
  json["campaign"] = {{"name", campaign.name}, {"folder", campaign.folder.string()}, {"tags", Json(campaign.tags)}};
  json[member] = own_json(content);
  return to_text(json);
}

std::string run_json(const RunEnd& end) {
  return to_text(run_members(end));
}

std::string verdict_json(const std::optional<RunVerdict>& before, const RunEnd& end) {
  const bool recovered = before == RunVerdict::fail && end.verdict == RunVerdict::pass;
  Json json{{"now", to_string(end.verdict)}, {"before", before ? Json(to_string(*before)) : Json()}};
  json["change"] = recovered ? "recovered" : to_string(end.verdict);
  json["run"] = run_members(end);
  return to_text(json);
}

std::string line_json(const std::string& why, const std::string& dead_since_utc) {
  return to_text({{"why", text_or_null(why)}, {"dead_since_utc", dead_since_utc}});
}

std::string disk_json(const DiskForecast& forecast) {
  return to_text({{"free_bytes", forecast.free_bytes},
                  {"run_bytes", forecast.run_bytes},
                  {"next_run_fits", forecast.fits},
                  {"full_in_s", forecast.full_in_s ? Json(*forecast.full_in_s) : Json(0)}});
}

std::string direction_names_without_score(const RunEnd& end) {
  for (const DirectionEnd& one : end.directions) {
    if (one.scored == 0)
      return fmt::format("no transmission from {} to {} was scored", name_of(one.from), name_of(other_end(one.from)));
  }
  return "the line was lost";
}

}  // namespace campaign

std::vector<HookMessage> example_messages(const CampaignPlan& plan, const std::string& utc) {
  HookWatch watch({plan.name, plan.hooks.folder, plan.tags, true}, WatchState{.campaign = "example"});
  RunEnd end;
  end.runs = count_of_runs(plan);
  end.folder = plan.hooks.folder / "run-0001";
  end.verdict = end.ended_as = RunVerdict::fail;
  end.started_utc = end.finished_utc = utc;
  end.mode = plan.mode;
  end.limit_mos = plan.limit_mos.value_or(3.2);
  for (const End from : {End::a, End::b})
    end.directions.push_back({from, *end.limit_mos - 1, 0.1, 0.5, plan.sampling.goal.confidence, 96, 100});
  std::vector<HookMessage> messages = watch.run_ended(end, true, utc);
  const auto add = [&messages](const std::vector<HookMessage>& more) {
    messages.insert(messages.end(), more.begin(), more.end());
  };
  add(watch.line_away("an example: the call is gone", utc, utc));
  add(watch.line_there(utc));
  add(watch.disk({.free_bytes = 500'000'000, .run_bytes = 60'000'000, .fits = true, .full_in_s = 7200}, utc));
  return messages;
}

}  // namespace vqas
