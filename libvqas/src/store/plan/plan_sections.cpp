#include "store/plan/plan_sections.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace vqas::store {
namespace {

constexpr std::size_t kMostWords = 64, kMostAttempts = 100;

/// A program and its arguments. One with a "/" in its name is relative to the plan, one without is looked for in PATH.
void read_program(TomlSection& section, std::string_view key, std::vector<std::string>& words,
                  const std::filesystem::path& plan) {
  section.texts(key, words);
  if (words.empty()) return;
  if (words.front().empty() || words.size() > kMostWords)
    return section.fault(key, fmt::format("{} needs a program, with at most {} arguments", key, kMostWords - 1));
  if (words.front().find('/') == std::string::npos) return;
  std::filesystem::path program(words.front());
  beside(program, plan);
  words.front() = program.lexically_normal().string();
  // Of a plan in the current folder nothing but the name is left, which would be looked for in PATH.
  if (words.front().find('/') == std::string::npos) words.front().insert(0, "./");
}

}  // namespace

void ranged(TomlSection& section, std::string_view key, double& value, double lowest, double highest) {
  section.number(key, value);
  if (!(value >= lowest) || !(value <= highest))
    section.fault(key, fmt::format("{} is {}; it must lie within {} and {}", key, value, lowest, highest));
}

void beside(std::filesystem::path& path, const std::filesystem::path& plan) {
  if (!path.empty() && path.is_relative()) path = plan.parent_path() / path;
}

void read_keep(TomlSection& section, KeepRules& rules) {
  std::string recordings = "all";
  double cap_mb = 0;
  section.text("recordings", recordings);
  section.integer("worst", rules.worst);
  section.integer("sample", rules.sample);
  ranged(section, "days", rules.days, 0, 36600);
  ranged(section, "cap_mb", cap_mb, 0, 1e9);
  if (recordings != "all" && recordings != "chosen")
    section.fault("recordings", fmt::format("recordings is \"{}\"; give \"all\" or \"chosen\"", recordings));
  rules.chosen = recordings == "chosen";
  rules.cap_bytes = static_cast<std::uint64_t>(cap_mb * 1e6);
}

void read_hooks(TomlSection& section, CampaignPlan& plan, const std::filesystem::path& file) {
  PlannedHooks& hooks = plan.hooks;
  read_program(section, "run_ended", hooks.run_ended, file);
  read_program(section, "verdict_changed", hooks.verdict_changed, file);
  read_program(section, "line_changed", hooks.line_changed, file);
  read_program(section, "disk_full", hooks.disk_full, file);
  ranged(section, "time_limit_s", hooks.time_limit_s, 1, 600);
  section.integer("attempts", hooks.attempts);
  ranged(section, "dead_after_s", hooks.dead_after_s, 0, 86000);
  if (hooks.attempts < 1 || hooks.attempts > kMostAttempts)
    section.fault("attempts", fmt::format("attempts must lie within 1 and {}", kMostAttempts));
  if (!hooks.verdict_changed.empty() && !plan.limit_mos)
    section.fault("verdict_changed", "verdict_changed needs limit_mos in [precision], which gives the verdict");
  hooks.folder = file.parent_path();
}

}  // namespace vqas::store
