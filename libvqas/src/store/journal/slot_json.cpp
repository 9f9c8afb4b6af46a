#include "store/journal/slot_json.h"

#include <algorithm>
#include <utility>

#include "vqas/store/plan.h"
#include "vqas/store/utc_text.h"

namespace vqas {

using Name = std::pair<SlotOutcome, std::string_view>;
constexpr std::array kNames = {
    Name{SlotOutcome::measured, "measured"},     Name{SlotOutcome::cut_short, "cut_short"},
    Name{SlotOutcome::line_away, "line_away"},   Name{SlotOutcome::disk_full, "disk_full"},
    Name{SlotOutcome::failed, "failed"},         Name{SlotOutcome::overran, "overran"},
    Name{SlotOutcome::stopped, "stopped"},       Name{SlotOutcome::not_running, "not_running"},
    Name{SlotOutcome::clock_step, "clock_step"}, Name{SlotOutcome::not_recorded, "not_recorded"}};
static_assert(kNames.size() == kSlotOutcomes.size());

std::string_view to_string(SlotOutcome outcome) {
  return std::ranges::find(kNames, outcome, &Name::first)->second;
}

std::optional<SlotOutcome> slot_outcome_from_string(std::string_view name) {
  const auto found = std::ranges::find(kNames, name, &Name::second);
  return found == kNames.end() ? std::nullopt : std::optional(found->first);
}

std::array<std::size_t, kSlotOutcomes.size()> count_slots(std::span<const SlotRecord> records) {
  std::array<std::size_t, kSlotOutcomes.size()> counts{};
  for (const SlotRecord& slot : records)
    ++counts.at(static_cast<std::size_t>(std::ranges::find(kSlotOutcomes, slot.outcome) - kSlotOutcomes.begin()));
  return counts;
}

namespace store {
namespace {

constexpr std::size_t kLongestWhy = 1000;
constexpr int kMinutesOfADay = 24 * 60;

double utc_of(Reader& reader, const char* key) {
  const auto found = utc_from_text(reader.text(key, 40));
  if (!found && !reader.fault()) reader.fail(std::string(key) + " is no time");
  return found.value_or(0);
}

std::optional<double> optional_utc_of(Reader& reader, const char* key) {
  return reader.has(key) ? std::optional(utc_of(reader, key)) : std::nullopt;
}

SlotTimes times_from(Reader& reader) {
  SlotTimes times;
  times.first = reader.whole("first", 1, 10 * kMostRuns);
  times.from_s = utc_of(reader, "from_utc");
  if (reader.has("every_s")) times.every_s = reader.number("every_s", 0, 1e9);
  if (reader.has("at_min")) {
    for (const Json& one : reader.array("at_min")) {
      if (one.is_number_integer() && one >= 0 && one < kMinutesOfADay) times.at_min.push_back(one.get<int>());
    }
  }
  times.zone = reader.optional_text("zone", 64);
  if (times.every_s <= 0 && times.at_min.empty()) reader.fail("names no times");
  return times;
}

SlotRecord slot_from(Reader& reader) {
  SlotRecord slot;
  slot.number = reader.whole("number", 1, 10 * kMostRuns);
  slot.due_s = utc_of(reader, "due_utc");
  const auto outcome = slot_outcome_from_string(reader.text("outcome", 40));
  if (!outcome) reader.fail("has an unknown outcome");
  slot.outcome = outcome.value_or(SlotOutcome::not_recorded);
  slot.run = reader.optional_text("run", 64);
  if (slot.run.find('/') != std::string::npos) reader.fail("names a run outside its folder");
  slot.verdict = reader.optional_text("verdict", 40);
  slot.began_s = optional_utc_of(reader, "began_utc");
  slot.ended_s = optional_utc_of(reader, "ended_utc");
  slot.tries = reader.has("tries") ? reader.whole("tries", 0, UINT32_MAX) : 0;
  slot.why = reader.optional_text("why", 4 * kLongestWhy);
  slot.not_stored = reader.has("not_stored") && reader.flag("not_stored");
  return slot;
}

}  // namespace

std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char one) { return static_cast<unsigned char>(one) < 0x20 || one == 0x7f; }, ' ');
  if (text.size() > kLongestWhy) text.resize(kLongestWhy);
  return text;
}

Json to_json(const SlotTimes& times) {
  Json json{{"first", times.first}, {"from_utc", utc_text(times.from_s)}};
  if (times.every_s > 0) json["every_s"] = times.every_s;
  if (!times.at_min.empty()) json["at_min"] = times.at_min;
  if (!times.zone.empty()) json["zone"] = times.zone;
  return json;
}

Json to_json(const SlotRecord& slot) {
  Json json{{"number", slot.number}, {"due_utc", utc_text(slot.due_s)}, {"outcome", to_string(slot.outcome)}};
  if (!slot.run.empty()) json["run"] = slot.run;
  if (!slot.verdict.empty()) json["verdict"] = slot.verdict;
  if (slot.began_s) json["began_utc"] = utc_text(*slot.began_s);
  if (slot.ended_s) json["ended_utc"] = utc_text(*slot.ended_s);
  if (slot.tries > 0) json["tries"] = slot.tries;
  if (!slot.why.empty()) json["why"] = one_line(slot.why);
  if (slot.not_stored) json["not_stored"] = true;
  return json;
}

Json to_json(const ClockStep& step) {
  return {{"utc", utc_text(step.at_s)}, {"step_s", rounded(step.step_s, 1e-3)}};
}

Status add_line(const Json& json, const std::string& where, SlotLog& log) {
  if (!json.is_object() || json.empty()) return Error{ErrorCode::bad_input, where + " is no object"};
  const std::string what = json.begin().key();
  Reader line(json, where);
  Reader reader(line.object(what.c_str()), where + ", " + what);
  if (line.fault()) return *line.fault();
  if (what == "times") {
    SlotTimes times = times_from(reader);
    if (!log.times.empty() && times.first < log.times.back().first) reader.fail("does not follow the times before");
    if (!reader.fault()) log.times.push_back(std::move(times));
  } else if (what == "slot") {
    SlotRecord slot = slot_from(reader);
    const auto place = std::ranges::lower_bound(log.records, slot.number, {}, &SlotRecord::number);
    if (place != log.records.end() && place->number == slot.number) reader.fail("is there already");
    if (!reader.fault()) log.records.insert(place, std::move(slot));
  } else if (what == "started") {
    SlotSession session{utc_of(reader, "utc"), reader.optional_text("boot", 64)};
    if (!reader.fault()) log.sessions.push_back(std::move(session));
  } else if (what == "stopped") {
    const double utc_s = utc_of(reader, "utc");
    if (!reader.fault() && !log.sessions.empty()) log.sessions.back().stopped_s = utc_s;
  } else if (what == "clock") {
    const ClockStep step{utc_of(reader, "utc"), reader.number("step_s", -1e12, 1e12)};
    if (!reader.fault()) log.steps.push_back(step);
  } else if (what == "away") {
    SlotOutage outage{utc_of(reader, "utc"), {}, reader.optional_text("why", 4 * kLongestWhy)};
    if (!reader.fault()) log.outages.push_back(std::move(outage));
  } else if (what == "back") {
    const double utc_s = utc_of(reader, "utc");
    if (!reader.fault() && !log.outages.empty()) log.outages.back().until_s = utc_s;
  } else {
    return Error{ErrorCode::bad_input, where + " is of no known kind"};
  }
  return reader.fault() ? Status(*reader.fault()) : success();
}

}  // namespace store
}  // namespace vqas
