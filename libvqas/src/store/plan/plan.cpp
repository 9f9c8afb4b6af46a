#include "vqas/store/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "channel/parse_toml.h"
#include "channel/toml_section.h"
#include "run/run_json.h"
#include "store/plan/plan_sections.h"
#include "vqas/run/node_address.h"
#include "vqas/run/provenance.h"
#include "vqas/sampling/mean_sampler.h"
#include "vqas/signal/input_file.h"
#include "vqas/store/local_time.h"

namespace vqas {

using store::beside;
using store::ranged;

namespace {

constexpr std::size_t kLargestPlan = 1U << 20U;
constexpr double kLongestCampaign_s = 366 * 86400.0;
constexpr double kShortestInterval_s = 1;
constexpr double kDay_s = 86400;
constexpr std::size_t kMostMeasurements = 1000;  // of a stimulus in a direction: sequence numbers have 16 bits

void optional_ranged(TomlSection& section, std::string_view key, std::optional<double>& value, double lowest,
                     double highest) {
  double given = lowest;
  ranged(section, key, given, lowest, highest);
  if (section.has(key)) value = given;
}

/// Node addresses must be those of control sockets.
void node_address(TomlSection& section, std::string_view key, std::string& address) {
  section.text(key, address);
  if (address.empty()) return;
  if (const Status usable = check_node_address(std::string(key.substr(key.size() - 1)), address); !usable)
    section.fault(key, usable.error().message);
}

/// One of the words of an enum.
template <typename T>
void read_word(TomlSection& section, std::string_view key, T& value, std::optional<T> (*meaning)(std::string_view),
               std::string_view words) {
  std::string word(to_string(value));
  section.text(key, word);
  if (const auto known = meaning(word)) {
    value = *known;
  } else {
    section.fault(key, fmt::format("{} is \"{}\"; give {}", key, word, words));
  }
}

void read_mode(TomlSection& section, CampaignPlan& plan) {
  std::string word(to_string(plan.mode));
  section.text("mode", word);
  plan.narrowband_too = word == "both";
  const auto mode = plan.narrowband_too ? ScoreMode::wideband : score_mode_from_string(word);
  if (!mode) section.fault("mode", fmt::format("mode is \"{}\"; give \"nb\", \"wb\" or \"both\"", word));
  plan.mode = mode.value_or(plan.mode);
}

void read_campaign(TomlSection& section, CampaignPlan& plan) {
  section.text("name", plan.name);
  section.text("notes", plan.notes);
  if (plan.name.size() > 256 || plan.notes.size() > kLongestNotes)
    section.fault("notes", fmt::format("name has at most 256 bytes, notes at most {}", kLongestNotes));
}

void read_tags(TomlSection& section, CampaignPlan& plan) {
  section.every_text([&](std::string_view key, const std::string& value) {
    if (!store::is_name(std::string(key)) || value.size() > 1024)
      section.fault(key, fmt::format("\"{}\" is not a valid tag; use letters, digits, _ and -", key));
    plan.tags[std::string(key)] = value;
  });
}

void read_line(TomlSection& section, CampaignPlan& plan) {
  section.text("kind", plan.line);
  node_address(section, "node_a", plan.node_a);
  node_address(section, "node_b", plan.node_b);
  section.text("profile", plan.profile);
  read_word(section, "codec", plan.codec, line_codec_from_string, R"("g711", "gateway", "g722" or "l16")");
  read_mode(section, plan);
  const bool plain = section.has("ber") || section.has("delay_s") || section.has("gain_db");
  ranged(section, "ber", plan.ber, 0, 0.5);
  ranged(section, "delay_s", plan.delay_s, 0.05, 10);
  ranged(section, "gain_db", plan.gain_db, -40, 40);
  ranged(section, "within_s", plan.within_s, 1, 600);
  ranged(section, "guard_s", plan.guard_s, 0.05, 1);
  optional_ranged(section, "echo_loss_db", plan.echo_loss_db, 5, 65);
  const bool of_nodes =
      section.has("duplex") || section.has("redial") || section.has("redial_s") || section.has("link_patience_s");
  std::string duplex(name_of(plan.duplex));
  section.text("duplex", duplex);
  section.text("redial", plan.redial);
  ranged(section, "redial_s", plan.redial_s, 0, 600);
  ranged(section, "link_patience_s", plan.link_patience_s, 0, 86000);
  if (const auto known = duplex_from_string(duplex)) {
    plan.duplex = *known;
  } else {
    section.fault("duplex", fmt::format("duplex is \"{}\"; give \"auto\", \"both\" or \"one\"", duplex));
  }
  if (plan.line == "sim:" && plan.mode == ScoreMode::wideband && plan.codec == LineCodec::g711)
    section.fault(
        "mode",
        "mode is \"wb\", and a simulated line of G.711 carries 8 kHz; set codec to \"g722\", \"l16\" or \"gateway\"");
  if (plan.line == "sim:") {
    if (!plan.node_a.empty() || !plan.node_b.empty())
      section.fault("node_a", "a simulated line has its own nodes; leave node_a and node_b out");
    if (plain && !plan.profile.empty())
      section.fault("profile", "a profile describes the whole line; leave ber, delay_s and gain_db out");
    if (of_nodes) section.fault("kind", "duplex, redial, redial_s and link_patience_s are for nodes; leave them out");
  } else if (plan.line != "nodes") {
    section.fault("kind", fmt::format("kind is \"{}\"; give \"sim:\" or \"nodes\"", plan.line));
  } else if (plan.node_a.empty() || plan.node_b.empty()) {
    section.fault("kind", "nodes need their addresses: node_a and node_b");
  } else if (plain || !plan.profile.empty() || section.has("codec")) {
    section.fault("kind", "ber, delay_s, gain_db, profile and codec are for a simulated line");
  }
}

void read_what(TomlSection& section, CampaignPlan& plan) {
  std::string corpus;
  std::string directions = "both";
  section.text("corpus", corpus);
  section.texts("stimuli", plan.stimuli);
  plan.stimuli_at = fmt::format("{}: stimuli", section.place("stimuli"));
  section.text("directions", directions);
  plan.corpus = corpus;
  if (directions != "both" && directions != "a-to-b" && directions != "b-to-a")
    section.fault("directions",
                  fmt::format("directions is \"{}\"; give \"both\", \"a-to-b\" or \"b-to-a\"", directions));
  plan.a_to_b = directions != "b-to-a";
  plan.b_to_a = directions != "a-to-b";
}

void read_precision(TomlSection& section, CampaignPlan& plan) {
  SamplerOptions& sampling = plan.sampling;
  double percent = 100 * sampling.goal.confidence;
  PrecisionGoal fallback = sampling.fallback.value_or(PrecisionGoal{0.15, 0.95});
  double fallback_percent = 100 * fallback.confidence;
  bool fall_back = true;
  std::string goal(to_string(sampling.goal_of));
  section.text("goal", goal);
  const auto goal_of = goal_of_from_string(goal);
  if (!goal_of)
    section.fault("goal",
                  fmt::format("goal is \"{}\"; give \"mean\", \"each-stimulus\", \"line-time\" or \"above\"", goal));
  sampling.goal_of = goal_of.value_or(sampling.goal_of);
  if (sampling.goal_of == GoalOf::line_time) sampling.cap_count = kMostMeasurements;
  ranged(section, "half_width_mos", sampling.goal.half_width, 0.001, 4);
  ranged(section, "confidence_percent", percent, 50, 99.99);
  section.flag("fallback", fall_back);
  ranged(section, "fallback_half_width_mos", fallback.half_width, 0.001, 4);
  ranged(section, "fallback_confidence_percent", fallback_percent, 50, 99.99);
  section.integer("first_count", sampling.first_count);
  section.integer("step", sampling.step);
  section.integer("cap_count", sampling.cap_count);
  section.integer("max_unscored", sampling.max_failures);
  section.integer("seed", plan.seed);
  double cap_min = 0;
  ranged(section, "cap_line_time_min", cap_min, 0, kLongestCampaign_s / 60);
  optional_ranged(section, "limit_mos", plan.limit_mos, 1, 5);
  plan.cap_line_time_s = 60 * cap_min;
  sampling.goal.confidence = percent / 100;
  fallback.confidence = fallback_percent / 100;
  sampling.fallback = fall_back ? std::optional(fallback) : std::nullopt;
  bool together = false;
  section.flag("together", together);
  if (together && sampling.goal_of != GoalOf::mean)
    section.fault("together", "together is for goal = \"mean\": the means of both directions hold together");
  if (together && plan.a_to_b && plan.b_to_a) {
    sampling.goal = simultaneous_goal(sampling.goal, 2);
    if (sampling.fallback) sampling.fallback = simultaneous_goal(*sampling.fallback, 2);
  }
  if (sampling.goal_of == GoalOf::line_time && cap_min <= 0)
    section.fault("goal", "goal is \"line-time\", which needs cap_line_time_min above 0");
  if (sampling.goal_of == GoalOf::above && !plan.limit_mos)
    section.fault("goal", "goal is \"above\", which needs limit_mos");
  if (plan.limit_mos) sampling.limit = {*plan.limit_mos, current_provenance(plan.mode).model_error_mos};
  if (sampling.cap_count > kMostMeasurements)
    section.fault("cap_count", fmt::format("cap_count must be at most {}", kMostMeasurements));
  if (const Status valid = validate(sampling); !valid) section.fault("first_count", valid.error().message);
}

/// Minutes after midnight of "09:30".
std::optional<int> minute_of_day(const std::string& text) {
  const auto digit = [&text](std::size_t at) { return text[at] >= '0' && text[at] <= '9'; };
  if (text.size() != 5 || text[2] != ':' || !digit(0) || !digit(1) || !digit(3) || !digit(4)) return std::nullopt;
  const int hours = 10 * (text[0] - '0') + (text[1] - '0'), minutes = 10 * (text[3] - '0') + (text[4] - '0');
  if (hours > 23 || minutes > 59) return std::nullopt;
  return 60 * hours + minutes;
}

void read_times_of_day(TomlSection& section, CampaignPlan& plan) {
  std::vector<std::string> at;
  section.texts("at", at);
  section.text("zone", plan.zone);
  for (const std::string& one : at) {
    const auto minute = minute_of_day(one);
    if (!minute) return section.fault("at", fmt::format("\"{}\" is no time of day; write \"09:30\"", one));
    plan.at_min.push_back(*minute);
  }
  std::ranges::sort(plan.at_min);
  if (std::ranges::adjacent_find(plan.at_min) != plan.at_min.end()) section.fault("at", "at names a time of day twice");
  if (section.has("zone") && at.empty()) section.fault("zone", "zone is for the times of day in at; leave it out");
  if (!at.empty() && section.has("every_min"))
    section.fault("at", "at and every_min are two ways to repeat; leave one out");
  if (plan.zone.empty() || !LocalTime::of_zone(plan.zone))
    section.fault("zone", fmt::format("the time zone \"{}\" is not known on this machine; give a name such as "
                                      "\"Europe/Berlin\" (package tzdata)",
                                      plan.zone));
}

void read_repeats(TomlSection& section, CampaignPlan& plan) {
  double every_min = 0;
  double for_h = 0;
  double late_min = 0;
  double retry_min = plan.retry_s / 60;
  read_times_of_day(section, plan);
  ranged(section, "late_min", late_min, 0, kLongestCampaign_s / 60);
  ranged(section, "retry_min", retry_min, 0, kLongestCampaign_s / 60);
  plan.late_s = 60 * late_min;
  plan.retry_s = 60 * retry_min;
  ranged(section, "every_min", every_min, 0, kLongestCampaign_s / 60);
  ranged(section, "for_h", for_h, 0, kLongestCampaign_s / 3600);
  plan.every_s = 60 * every_min;
  plan.for_s = 3600 * for_h;
  if (!plan.at_min.empty()) {
    if (plan.for_s < kDay_s) section.fault("at", "at needs for_h, of a day (24) or more");
    if (count_of_runs(plan) == 1) section.fault("for_h", "at and for_h give one run only; raise for_h");
  } else if ((plan.every_s > 0) != (plan.for_s > 0)) {
    section.fault("every_min", "repeats need both every_min and for_h");
  }
  if (plan.every_s > 0 && plan.every_s < kShortestInterval_s) section.fault("every_min", "every_min is below a second");
  if (plan.for_s > 0 && plan.for_s < plan.every_s) section.fault("for_h", "for_h is shorter than every_min");
  if (const std::size_t runs = count_of_runs(plan); runs > kMostRuns)
    section.fault("every_min", fmt::format("every_min and for_h ask for {} runs, and a campaign has {} at most; raise "
                                           "every_min or lower for_h",
                                           runs, kMostRuns));
}

void read_store(TomlSection& section, CampaignPlan& plan) {
  std::string keep = "all";
  double cap_mb = 0;
  section.text("url", plan.store);
  section.text("recordings", keep);
  ranged(section, "recordings_cap_mb", cap_mb, 0, 1e9);
  const auto policy = keep_recordings_from_string(keep);
  if (!policy)
    section.fault("recordings", fmt::format("recordings is \"{}\"; give \"all\", \"failed\" or \"none\"", keep));
  plan.archive.keep = policy.value_or(KeepRecordings::all);
  plan.archive.cap_bytes = static_cast<std::uint64_t>(cap_mb * 1e6);
}

}  // namespace

Result<CampaignPlan> parse_plan(const std::string& text, const std::filesystem::path& name) {
  if (text.size() > kLargestPlan)
    return Error{ErrorCode::bad_input, fmt::format("{} is too large for a plan", name.string())};
  const auto table = parse_toml(text, name);
  if (!table) return table.error();
  TomlFaults faults(name);
  CampaignPlan plan;
  plan.sampling.goal_of = GoalOf::mean;
  TomlSection root(*table, "", faults);
  root.section("campaign", [&](TomlSection& section) { read_campaign(section, plan); });
  root.section("tags", [&](TomlSection& section) { read_tags(section, plan); });
  if (!root.section("line", [&](TomlSection& section) { read_line(section, plan); }))
    faults.add_at(1, "the table [line] is missing; \"vqas plan new\" prints a complete plan");
  root.section("stimuli", [&](TomlSection& section) { read_what(section, plan); });
  root.section("precision", [&](TomlSection& section) { read_precision(section, plan); });
  root.section("repeats", [&](TomlSection& section) { read_repeats(section, plan); });
  root.section("store", [&](TomlSection& section) { read_store(section, plan); });
  root.section("keep", [&](TomlSection& section) { store::read_keep(section, plan.keep); });
  root.section("hooks", [&](TomlSection& section) { store::read_hooks(section, plan, name); });
  root.finish();
  if (faults.first()) return *faults.first();
  beside(plan.corpus, name);
  if (plan.profile.ends_with(".toml")) {
    std::filesystem::path profile(plan.profile);
    beside(profile, name);
    plan.profile = profile.string();
  }
  return plan;
}

Result<CampaignPlan> read_plan(const std::filesystem::path& file) {
  const std::string cure = fmt::format("\"vqas plan new > {}\" makes one", file.string());
  const auto text = read_whole_file(file, {"plan", kLargestPlan, cure.c_str()});
  return text ? parse_plan(*text, file) : Result<CampaignPlan>(text.error());
}

std::size_t count_of_runs(const CampaignPlan& plan) {
  // A run due exactly at the end is not started: 24 h every 15 min make 96.
  if (!plan.at_min.empty()) {
    const double days = plan.for_s / kDay_s;
    return static_cast<std::size_t>(std::max(1.0, std::round(days * static_cast<double>(plan.at_min.size()))));
  }
  if (plan.every_s <= 0) return 1;
  return static_cast<std::size_t>(std::max(1.0, std::ceil(plan.for_s / plan.every_s - 1e-9)));
}

}  // namespace vqas
