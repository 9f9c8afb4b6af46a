#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "run/about_json.h"
#include "run/measurement_limits.h"
#include "run/run_json.h"
#include "run/sampling_of_run.h"
#include "vqas/report/report.h"

namespace vqas {
namespace {

using store::Json;
using store::Reader;

Result<StimulusRun> stimulus_from_json(const Json& json, const std::string& where, std::set<std::uint32_t>& sequences) {
  Reader reader(json, where);
  StimulusRun stimulus;
  stimulus.stimulus = reader.text("stimulus", 64);
  if (!store::is_name(stimulus.stimulus)) reader.fail("has no valid name");
  if (const auto reason = stop_reason_from_string(reader.text("stopped_because", 64))) {
    stimulus.stopped_because = *reason;
  } else {
    reader.fail("has an unknown stopped_because");
  }
  for (const Json& part : reader.array("measurements")) {
    const std::string place =
        fmt::format("{}, {}, measurement {}", where, stimulus.stimulus, stimulus.measurements.size() + 1);
    auto one = store::measurement_from_json(part, place);
    if (!one) return one.error();
    if (!sequences.insert(one->sequence).second)
      reader.fail(fmt::format("repeats the sequence number {}", one->sequence));
    stimulus.measurements.push_back(std::move(*one));
  }
  if (reader.fault()) return *reader.fault();
  std::ranges::sort(stimulus.measurements, {}, &Measurement::sequence);
  return stimulus;
}

Result<DirectionRun> direction_from_json(const Json& json, const std::string& where, const SamplerOptions& sampling) {
  Reader reader(json, where);
  DirectionRun direction;
  direction.from = store::direction_from(reader);
  std::set<std::uint32_t> sequences;
  for (const Json& part : reader.array("stimuli")) {
    auto stimulus = stimulus_from_json(part, where, sequences);
    if (!stimulus) return stimulus.error();
    direction.stimuli.push_back(std::move(*stimulus));
  }
  if (reader.fault()) return *reader.fault();
  store::set_intervals(direction, sampling);
  return direction;
}

Status timing_from_json(const Json& json, const std::string& where, RunResults& results) {
  Reader reader(json, where);
  results.about.uuid = reader.optional_text("uuid", 36);
  if (!results.about.uuid.empty() && !store::is_uuid(results.about.uuid)) reader.fail("has an invalid uuid");
  results.started_utc = reader.optional_text("started_utc", 64);
  results.finished_utc = reader.optional_text("finished_utc", 64);
  results.wall_seconds = reader.optional_number("wall_seconds", 0, 1e12).value_or(0);
  results.line_seconds = reader.optional_number("line_seconds", 0, 1e12).value_or(0);
  if (reader.fault()) return *reader.fault();
  return success();
}

Status check_scale(const DirectionRun& direction, ScoreMode mode, const std::string& where) {
  for (const StimulusRun& stimulus : direction.stimuli) {
    for (const Measurement& one : stimulus.measurements) {
      if (const auto why = on_other_scale(one, mode))
        return Error{ErrorCode::bad_input, fmt::format("{}, {} {}", where, stimulus.stimulus, *why)};
    }
  }
  return success();
}

}  // namespace

Result<StoredRun> parse_results(const std::string& json, const std::string& name) {
  const auto parsed = parse_json_text(json, name);
  if (!parsed) return parsed.error();
  Reader reader(*parsed, name);
  StoredRun run;
  RunResults& results = run.results;
  if (reader.text("schema", 64) != kResultsSchema)
    reader.fail(fmt::format("does not have the schema {}; use the version of VQAS that wrote it", kResultsSchema));
  if (reader.fault()) return *reader.fault();
  if (Status head = store::head_from_json(*parsed, name, results, run.provenance); !head) return head.error();
  results.ended_because = reader.optional_text("ended_because", 4096);
  if (reader.has("notes")) {
    for (const Json& part : reader.array("notes")) {
      auto note = store::note_from_json(part, name + ", notes");
      if (!note) return note.error();
      results.notes.push_back(*std::move(note));
    }
  }
  const Json& directions = reader.array("directions");
  if (reader.fault()) return *reader.fault();
  for (const Json& part : directions) {
    const std::string where = fmt::format("{}, direction {}", name, results.directions.size() + 1);
    auto direction = direction_from_json(part, where, results.sampling);
    if (!direction) return direction.error();
    if (Status one_scale = check_scale(*direction, results.mode, where); !one_scale) return one_scale.error();
    results.directions.push_back(std::move(*direction));
  }
  if (const Status valid = store::check_plan(results.directions, name); !valid) return valid.error();
  if (Status taken = timing_from_json(reader.object("timing"), name + ", timing", results); !taken)
    return taken.error();
  if (reader.fault()) return *reader.fault();
  return run;
}

}  // namespace vqas
