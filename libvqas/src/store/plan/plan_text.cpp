#include "vqas/store/plan_text.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace vqas {
namespace {

/// A basic string of TOML 1.0.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + '"';
}

std::string list_of(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& one : texts) out += (out.empty() ? "" : ", ") + quoted(one);
  return fmt::format("[{}]", out);
}

/// The text of a plan, table by table.
class PlanText {
 public:
  void table(const char* name) { out_ += fmt::format("{}[{}]\n", out_.empty() ? "" : "\n", name); }
  void text(const std::string& key, const std::string& value) { put(key, quoted(value)); }
  void texts(const char* key, const std::vector<std::string>& values) { put(key, list_of(values)); }
  // Ten digits hide the rounding of per cent and minutes.
  void number(const char* key, double value) { put(key, fmt::format("{:.10g}", value)); }
  void count(const char* key, std::uint64_t value) { put(key, fmt::format("{}", value)); }
  void flag(const char* key, bool value) { put(key, value ? "true" : "false"); }
  std::string take() { return std::move(out_); }

 private:
  void put(const std::string& key, const std::string& value) { out_ += fmt::format("{} = {}\n", key, value); }
  std::string out_;
};

void print_line(PlanText& out, const CampaignPlan& plan) {
  out.table("line");
  out.text("kind", plan.line);
  if (plan.line != "sim:") {
    out.text("node_a", plan.node_a);
    out.text("node_b", plan.node_b);
    out.text("duplex", std::string(name_of(plan.duplex)));
    out.text("redial", plan.redial);
    out.number("redial_s", plan.redial_s);
    out.number("link_patience_s", plan.link_patience_s);
  } else if (!plan.profile.empty()) {
    out.text("profile", plan.profile);
  } else {
    out.number("ber", plan.ber);
    out.number("delay_s", plan.delay_s);
    out.number("gain_db", plan.gain_db);
  }
  if (plan.codec != LineCodec::g711) out.text("codec", std::string(to_string(plan.codec)));
  if (plan.mode != ScoreMode::narrowband)
    out.text("mode", plan.narrowband_too ? "both" : std::string(to_string(plan.mode)));
  out.number("within_s", plan.within_s);
  out.number("guard_s", plan.guard_s);
  if (plan.echo_loss_db) out.number("echo_loss_db", *plan.echo_loss_db);
}

/// Of `statements` that hold together, as a plan has it; without what the root has rounded.
double percent_of(const PrecisionGoal& goal, std::size_t statements) {
  constexpr double kSteps = 1e9;
  if (statements == 1) return 100 * goal.confidence;
  return std::round(100 * kSteps * std::pow(goal.confidence, statements)) / kSteps;
}

void print_precision(PlanText& out, const CampaignPlan& plan) {
  const SamplerOptions& sampling = plan.sampling;
  out.table("precision");
  out.text("goal", std::string(to_string(sampling.goal_of)));
  out.number("half_width_mos", sampling.goal.half_width);
  // A form may have changed the goal's kind or the directions since.
  const bool both = sampling.goal_of == GoalOf::mean && plan.a_to_b && plan.b_to_a;
  const std::size_t statements = both ? sampling.goal.together : 1;
  out.number("confidence_percent", percent_of(sampling.goal, statements));
  out.flag("together", statements > 1);
  out.flag("fallback", sampling.fallback.has_value());
  if (sampling.fallback) {
    out.number("fallback_half_width_mos", sampling.fallback->half_width);
    out.number("fallback_confidence_percent", percent_of(*sampling.fallback, statements));
  }
  out.count("first_count", sampling.first_count);
  out.count("step", sampling.step);
  out.count("cap_count", sampling.cap_count);
  out.count("max_unscored", sampling.max_failures);
  out.number("cap_line_time_min", plan.cap_line_time_s / 60);
  out.count("seed", plan.seed);
  if (plan.limit_mos) out.number("limit_mos", *plan.limit_mos);
}

void print_repeats(PlanText& out, const CampaignPlan& plan) {
  if (count_of_runs(plan) == 1) return;
  out.table("repeats");
  if (plan.at_min.empty()) {
    out.number("every_min", plan.every_s / 60);
  } else {
    std::vector<std::string> at;
    for (const int minute : plan.at_min) at.push_back(fmt::format("{:02}:{:02}", minute / 60, minute % 60));
    out.texts("at", at);
    out.text("zone", plan.zone);
  }
  out.number("for_h", plan.for_s / 3600);
  out.number("late_min", plan.late_s / 60);
  out.number("retry_min", plan.retry_s / 60);
}

void print_keeping(PlanText& out, const CampaignPlan& plan) {
  if (!plan.store.empty()) {
    out.table("store");
    out.text("url", plan.store);
    out.text("recordings", std::string(to_string(plan.archive.keep)));
    out.number("recordings_cap_mb", static_cast<double>(plan.archive.cap_bytes) / 1e6);
  }
  if (!plan.keep.any()) return;
  out.table("keep");
  out.text("recordings", plan.keep.chosen ? "chosen" : "all");
  out.count("worst", plan.keep.worst);
  out.count("sample", plan.keep.sample);
  out.number("days", plan.keep.days);
  out.number("cap_mb", static_cast<double>(plan.keep.cap_bytes) / 1e6);
}

void print_hooks(PlanText& out, const PlannedHooks& hooks) {
  if (!hooks.any()) return;
  out.table("hooks");
  out.texts("run_ended", hooks.run_ended);
  out.texts("verdict_changed", hooks.verdict_changed);
  out.texts("line_changed", hooks.line_changed);
  out.texts("disk_full", hooks.disk_full);
  out.number("time_limit_s", hooks.time_limit_s);
  out.count("attempts", hooks.attempts);
  out.number("dead_after_s", hooks.dead_after_s);
}

}  // namespace

std::string plan_text(const CampaignPlan& plan) {
  PlanText out;
  out.table("campaign");
  out.text("name", plan.name);
  out.text("notes", plan.notes);
  if (!plan.tags.empty()) out.table("tags");
  for (const auto& [name, value] : plan.tags) out.text(name, value);
  print_line(out, plan);
  out.table("stimuli");
  if (!plan.corpus.empty()) out.text("corpus", plan.corpus.string());
  out.texts("stimuli", plan.stimuli);
  out.text("directions", plan.a_to_b == plan.b_to_a ? "both" : plan.a_to_b ? "a-to-b" : "b-to-a");
  print_precision(out, plan);
  print_repeats(out, plan);
  print_keeping(out, plan);
  print_hooks(out, plan.hooks);
  return out.take();
}

}  // namespace vqas
