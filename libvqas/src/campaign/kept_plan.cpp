#include "vqas/campaign/kept_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <system_error>

#include "vqas/signal/audio_file.h"
#include "vqas/signal/end.h"
#include "vqas/signal/input_file.h"
#include "vqas/signal/json_text.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

// Empty if it cannot be read.
std::string text_of(const fs::path& file) {
  constexpr std::uint64_t kMostBytes = 16U << 20U;
  const auto text = read_whole_file(file, {"plan", kMostBytes, "name the plan"});
  return text ? *text : std::string();
}

std::string in_words(double value) {
  return fmt::format("{:g}", value);
}
std::string in_words(std::size_t value) {
  return std::to_string(value);
}
std::string in_words(const std::string& value) {
  return '"' + value + '"';
}
std::string in_words(Duplex value) {
  return fmt::format("\"{}\"", name_of(value));
}
std::string in_words(const std::optional<double>& value) {
  return value ? in_words(*value) : "not given";
}
std::string in_words(const std::vector<std::string>& values) {
  return values.empty() ? "all" : fmt::format("{}", fmt::join(values, ", "));
}
std::string in_words(const std::map<std::string, std::string>& tags) {
  std::vector<std::string> words;
  for (const auto& [key, value] : tags) words.push_back(key + "=" + value);
  return fmt::format("\"{}\"", fmt::join(words, ", "));
}

template <typename T>
void compare(std::vector<std::string>& changes, const char* key, const T& before, const T& now) {
  if (before != now) changes.push_back(fmt::format("{} was {} and is {}", key, in_words(before), in_words(now)));
}

std::string mode_of(const CampaignPlan& plan) {
  return plan.narrowband_too ? "both" : std::string(to_string(plan.mode));
}

std::string directions_of(const CampaignPlan& plan) {
  return !plan.a_to_b ? direction_name(End::b) : !plan.b_to_a ? direction_name(End::a) : "both";
}

std::string fallback_of(const SamplerOptions& sampling) {
  if (!sampling.fallback) return "none";
  return fmt::format("{:g} at {:g} %", sampling.fallback->half_width, 100 * sampling.fallback->confidence);
}

std::string times_of(const CampaignPlan& plan) {
  std::vector<std::string> times;
  for (const int minute : plan.at_min) times.push_back(fmt::format("{:02}:{:02}", minute / 60, minute % 60));
  return times.empty() ? "not given" : fmt::format("{}", fmt::join(times, ", "));
}

std::string recordings_of(const ArchiveOptions& archive) {
  return fmt::format("{}, {:g} MB", to_string(archive.keep), static_cast<double>(archive.cap_bytes) * 1e-6);
}

}  // namespace

Result<PlanOnDisk> open_plan(const fs::path& file) {
  auto plan = read_plan(file);
  if (!plan) return plan.error();
  std::error_code failed;
  PlanOnDisk opened{*std::move(plan), fs::absolute(file, failed).lexically_normal(), text_of(file), {}};
  // Relative names in it do not depend on where the command is started.
  if (auto whole = parse_plan(opened.text, opened.file)) {
    whole->stimuli_at = opened.plan.stimuli_at;
    opened.plan = *std::move(whole);
  }
  if (opened.plan.profile.ends_with(".toml")) opened.profile_text = text_of(opened.plan.profile);
  return opened;
}

Status keep_plan(const fs::path& folder, const PlanOnDisk& plan) {
  const Json json{{"file", plan.file.string()}, {"text", plan.text}, {"profile_text", plan.profile_text}};
  const fs::path file = folder / kPlanFile;
  Status written = write_file_atomically(file, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  // The store's address may hold a password.
  std::error_code failed;
  if (written) fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write, failed);
  return written;
}

Result<std::optional<PlanOnDisk>> kept_plan(const fs::path& folder) {
  std::error_code failed;
  const fs::path file = folder / kPlanFile;
  if (!fs::exists(file, failed)) return std::optional<PlanOnDisk>();
  const auto json = parse_json_text(text_of(file), file.string());
  const auto member = [&](const char* key) {
    const Json found = json && json->is_object() ? json->value(key, Json()) : Json();
    return found.is_string() ? found.get<std::string>() : std::string();
  };
  PlanOnDisk kept{{}, member("file"), member("text"), member("profile_text")};
  if (kept.text.empty())
    return Error{ErrorCode::bad_input,
                 fmt::format("{} is damaged; name the plan: vqas measure PLAN --resume {}, or remove this file first",
                             file.string(), folder.string())};
  auto plan = parse_plan(kept.text, kept.file);
  if (!plan) return Error{ErrorCode::bad_input, fmt::format("{}: {}", file.string(), plan.error().message)};
  kept.plan = *std::move(plan);
  return std::optional(std::move(kept));
}

std::optional<fs::path> campaign_of(const fs::path& run) {
  std::error_code failed;
  if (fs::exists(run / kPlanFile, failed)) return run;
  const fs::path whole = fs::absolute(run, failed).lexically_normal();
  const fs::path above = whole.has_filename() ? whole.parent_path() : whole.parent_path().parent_path();
  return fs::exists(above / kPlanFile, failed) ? std::optional(above) : std::nullopt;
}

PlanChanges changes_between(const PlanOnDisk& before, const PlanOnDisk& now) {
  const CampaignPlan& was = before.plan;
  const CampaignPlan& is = now.plan;
  PlanChanges changes;
  auto& measured = changes.of_measurement;
  compare(measured, "kind", was.line, is.line);
  compare(measured, "node_a", was.node_a, is.node_a);
  compare(measured, "node_b", was.node_b, is.node_b);
  compare(measured, "profile", was.profile, is.profile);
  if (was.profile == is.profile && before.profile_text != now.profile_text)
    measured.push_back(fmt::format("the profile {} has changed", is.profile));
  compare(measured, "codec", std::string(to_string(was.codec)), std::string(to_string(is.codec)));
  compare(measured, "mode", mode_of(was), mode_of(is));
  compare(measured, "ber", was.ber, is.ber);
  compare(measured, "delay_s", was.delay_s, is.delay_s);
  compare(measured, "gain_db", was.gain_db, is.gain_db);
  compare(measured, "guard_s", was.guard_s, is.guard_s);
  compare(measured, "within_s", was.within_s, is.within_s);
  compare(measured, "corpus", was.corpus.string(), is.corpus.string());
  compare(measured, "stimuli", was.stimuli, is.stimuli);
  compare(measured, "directions", directions_of(was), directions_of(is));
  compare(measured, "seed", static_cast<std::size_t>(was.seed), static_cast<std::size_t>(is.seed));
  auto& others = changes.others;
  compare(others, "goal", std::string(to_string(was.sampling.goal_of)), std::string(to_string(is.sampling.goal_of)));
  compare(others, "half_width_mos", was.sampling.goal.half_width, is.sampling.goal.half_width);
  compare(others, "confidence_percent", 100 * was.sampling.goal.confidence, 100 * is.sampling.goal.confidence);
  compare(others, "fallback", fallback_of(was.sampling), fallback_of(is.sampling));
  compare(others, "first_count", was.sampling.first_count, is.sampling.first_count);
  compare(others, "step", was.sampling.step, is.sampling.step);
  compare(others, "cap_count", was.sampling.cap_count, is.sampling.cap_count);
  compare(others, "max_unscored", was.sampling.max_failures, is.sampling.max_failures);
  compare(others, "cap_line_time_min", was.cap_line_time_s / 60, is.cap_line_time_s / 60);
  compare(others, "limit_mos", was.limit_mos, is.limit_mos);
  compare(others, "echo_loss_db", was.echo_loss_db, is.echo_loss_db);
  compare(others, "link_patience_s", was.link_patience_s, is.link_patience_s);
  compare(others, "duplex", was.duplex, is.duplex);
  compare(others, "redial", was.redial, is.redial);
  compare(others, "redial_s", was.redial_s, is.redial_s);
  compare(others, "name", was.name, is.name);
  compare(others, "notes", was.notes, is.notes);
  compare(others, "tags", was.tags, is.tags);
  compare(others, "every_min", was.every_s / 60, is.every_s / 60);
  compare(others, "for_h", was.for_s / 3600, is.for_s / 3600);
  compare(others, "at", times_of(was), times_of(is));
  compare(others, "zone", was.zone, is.zone);
  compare(others, "late_min", was.late_s / 60, is.late_s / 60);
  compare(others, "retry_min", was.retry_s / 60, is.retry_s / 60);
  // Without its words: it may hold a password.
  if (was.store != is.store) others.emplace_back("[store] url has changed");
  compare(others, "recordings", recordings_of(was.archive), recordings_of(is.archive));
  if (was.keep != is.keep) others.emplace_back("[keep] has changed");
  // Without its words: the arguments of a hook may hold a token.
  if (was.hooks != is.hooks) others.emplace_back("[hooks] has changed");
  return changes;
}

}  // namespace vqas
