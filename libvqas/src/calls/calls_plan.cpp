#include "vqas/calls/calls_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "channel/parse_toml.h"
#include "channel/toml_section.h"
#include "line/sip/sip_name.h"
#include "vqas/run/mos_scale.h"
#include "vqas/signal/input_file.h"

namespace vqas {
namespace {

constexpr std::size_t kLargestPlan = 1U << 20U;
constexpr double kLongest_s = 86400 * 31;
constexpr std::size_t kMostEach = 100, kMostWorst = 1000;
constexpr double kFastest = 100;  // calls begun per second

constexpr Words<FarEnd, 3> kFarEnds{{{"echo", FarEnd::echo}, {"send", FarEnd::send}, {"listen", FarEnd::listen}}};

// Without one, scores have the scale of the line.
constexpr Words<bool, 1> kModes{{{"both", true}}};

void read_calls(TomlSection& section, CallsPlan& plan) {
  section.text("name", plan.name);
  section.text("line", plan.line);
  section.choice("far_end", plan.far_end, kFarEnds);
  section.choice("mode", plan.narrowband_too, kModes);
  section.integer("at_once", plan.at_once);
  section.number("per_s", plan.per_s);
  section.integer("total", plan.total);
  double for_min = 0;
  section.number("for_min", for_min);
  plan.for_s = 60 * for_min;
  std::string ramp;
  section.text("ramp", ramp);
  if (ramp.empty()) return;
  if (const Status read = read_ramp(ramp, plan); !read) section.fault("ramp", read.error().message);
}

void read_stimuli(TomlSection& section, CallsPlan& plan) {
  std::string corpus;
  section.text("corpus", corpus);
  plan.corpus = corpus;
  section.texts("stimuli", plan.stimuli);
  section.integer("each", plan.each);
}

void read_limits(TomlSection& section, CallsPlan& plan) {
  double percent = 100 * plan.confidence, mos = 0, failed = 0;
  section.number("mos", mos);
  if (section.has("mos")) plan.limit_mos = mos;
  section.number("failed_percent", failed);
  if (section.has("failed_percent")) plan.limit_failed_percent = failed;
  section.number("confidence_percent", percent);
  section.number("late_ms", plan.late_ms);
  plan.confidence = percent / 100;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

Error wrong(const std::string& what) {
  return {ErrorCode::bad_input, what};
}

}  // namespace

const char* word_of(FarEnd far_end) {
  return word_of(kFarEnds, far_end).data();
}

const char* score_of_what(FarEnd far_end) {
  switch (far_end) {
    case FarEnd::echo:
      return "round trip (both directions in series)";
    case FarEnd::send:
      return "far end to this end";
    case FarEnd::listen:
      break;
  }
  return "none at this end; the far end has the scores";
}

ScoreMode mode_of(const CallsPlan& plan) {
  const auto line = parse_sip_line(plan.line);
  return line ? mode_for_rates(line->media.rate_hz, line->media.rate_hz) : ScoreMode::narrowband;
}

const char* mos_name(ScoreMode mode) {
  return mode == ScoreMode::wideband ? "MOS-LQOW" : "MOS";
}

Status read_ramp(const std::string& text, CallsPlan& plan) {
  const std::size_t dots = text.find("..");
  const auto number = [&text](std::size_t from, std::size_t to) -> std::size_t {
    std::size_t value = 0;
    const auto [end, fault] = std::from_chars(text.data() + from, text.data() + to, value);
    return fault == std::errc() && end == text.data() + to ? value : 0;
  };
  if (dots != std::string::npos) {
    plan.ramp_from = number(0, dots);
    plan.ramp_to = number(dots + 2, text.size());
  }
  if (dots != std::string::npos && plan.ramp_from >= 1 && plan.ramp_to > plan.ramp_from &&
      plan.ramp_to <= kMostCallsAtOnce)
    return success();
  return wrong(
      fmt::format("the ramp \"{}\" must be two numbers of calls, such as 1..200, up to {}", text, kMostCallsAtOnce));
}

Result<CallsPlan> parse_calls_plan(const std::string& text, const std::filesystem::path& name) {
  if (text.size() > kLargestPlan) return wrong(fmt::format("{} is too large for a plan", name.string()));
  const auto table = parse_toml(text, name);
  if (!table) return table.error();
  TomlFaults faults(name);
  CallsPlan plan;
  TomlSection root(*table, "", faults);
  if (!root.section("calls", [&](TomlSection& section) { read_calls(section, plan); }))
    faults.add_at(1, "the table [calls] is missing; libvqas/doc/calls.md has an example");
  root.section("stimuli", [&](TomlSection& section) { read_stimuli(section, plan); });
  root.section("limits", [&](TomlSection& section) { read_limits(section, plan); });
  root.section("keep", [&](TomlSection& section) { section.integer("worst", plan.worst); });
  root.finish();
  if (faults.first()) return *faults.first();
  return plan;
}

Result<CallsPlan> read_calls_plan(const std::filesystem::path& file) {
  const auto text = read_whole_file(file, {"plan", kLargestPlan, "libvqas/doc/calls.md has an example"});
  if (!text) return text.error();
  auto plan = parse_calls_plan(*text, file);
  if (plan && !plan->corpus.empty() && plan->corpus.is_relative()) plan->corpus = file.parent_path() / plan->corpus;
  return plan;
}

std::string calls_plan_text(const CallsPlan& plan) {
  std::string text = "[calls]\n";
  if (!plan.name.empty()) text += fmt::format("name = {}\n", quoted(plan.name));
  text += fmt::format("line = {}\nfar_end = \"{}\"\nat_once = {}\nper_s = {}\ntotal = {}\nfor_min = {}\n",
                      quoted(plan.line), word_of(plan.far_end), plan.at_once, plan.per_s, plan.total, plan.for_s / 60);
  if (plan.ramp_to > 0) text += fmt::format("ramp = \"{}..{}\"\n", plan.ramp_from, plan.ramp_to);
  if (plan.narrowband_too) text += "mode = \"both\"\n";
  text += "[stimuli]\n";
  if (!plan.corpus.empty()) text += fmt::format("corpus = {}\n", quoted(plan.corpus.string()));
  std::string stimuli;
  for (const std::string& one : plan.stimuli) stimuli += (stimuli.empty() ? "" : ", ") + quoted(one);
  text += fmt::format("stimuli = [{}]\neach = {}\n[limits]\nlate_ms = {}\nconfidence_percent = {}\n", stimuli,
                      plan.each, plan.late_ms, 100 * plan.confidence);
  if (plan.limit_mos) text += fmt::format("mos = {}\n", *plan.limit_mos);
  if (plan.limit_failed_percent) text += fmt::format("failed_percent = {}\n", *plan.limit_failed_percent);
  return text + fmt::format("[keep]\nworst = {}\n", plan.worst);
}

Status validate(const CallsPlan& plan) {
  const auto line = parse_sip_line(plan.line);
  if (!line) return line.error();
  if (!line->dial) return wrong(fmt::format("the line \"{}\" needs dial=USER@HOST: whom to call", plan.line));
  if (!line->digits.empty())
    return wrong(fmt::format("the line \"{}\": many calls dial no digits; leave them out", plan.line));
  if (plan.at_once < 1 || plan.at_once > kMostCallsAtOnce)
    return wrong(fmt::format("at_once is {}; it must lie within 1 and {}", plan.at_once, kMostCallsAtOnce));
  if (!(plan.per_s > 0) || plan.per_s > kFastest)
    return wrong(fmt::format("per_s is {}; it must be above 0 and at most {}", plan.per_s, kFastest));
  if (plan.total > kMostCalls) return wrong(fmt::format("total is {}; it must be at most {}", plan.total, kMostCalls));
  if (!(plan.for_s >= 0) || plan.for_s > kLongest_s) return wrong("the duration must lie within 0 and 31 days");
  if (plan.total == 0 && plan.for_s <= 0 && plan.ramp_to == 0)
    return wrong("the calls have no end: give a total, a duration or a ramp");
  if (plan.each < 1 || plan.each > kMostEach)
    return wrong(fmt::format("each is {}; it must lie within 1 and {}", plan.each, kMostEach));
  if (!(plan.late_ms >= 0.1) || plan.late_ms > 1000)
    return wrong(fmt::format("late_ms is {}; it must lie within 0.1 and 1000", plan.late_ms));
  if (!(plan.confidence >= 0.5) || plan.confidence > 0.9999)
    return wrong("confidence_percent must lie within 50 and 99.99");
  if (const double highest = highest_mos(mode_of(plan));
      plan.limit_mos && (!(*plan.limit_mos >= kLowestMos) || *plan.limit_mos > highest))
    return wrong(fmt::format("mos is {:g}; the scale of this line's {} ends at {:g}, so it must lie within 1 and that",
                             *plan.limit_mos, mos_name(mode_of(plan)), highest));
  if (plan.narrowband_too && plan.far_end == FarEnd::listen)
    return wrong("the far end has the scores where it listens; the mode \"both\" belongs there");
  if (plan.narrowband_too && mode_of(plan) != ScoreMode::wideband)
    return wrong(fmt::format("{}: the mode \"both\" needs a line for HD voice; give it hd=yes", plan.line));
  if (plan.limit_mos && plan.far_end == FarEnd::listen)
    return wrong("the far end has the scores where it listens; a limit of the MOS belongs there");
  if (plan.limit_failed_percent && (!(*plan.limit_failed_percent >= 0) || *plan.limit_failed_percent > 100))
    return wrong("failed_percent must lie within 0 and 100");
  if (plan.ramp_to > 0 && !plan.limit_mos && !plan.limit_failed_percent)
    return wrong("a ramp needs a limit: mos or failed_percent");
  if (plan.worst > kMostWorst) return wrong(fmt::format("worst must be at most {}", kMostWorst));
  return success();
}

}  // namespace vqas
