#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "run/about_json.h"
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
  direction.from = reader.text("from", 64);
  direction.to = reader.text("to", 64);
  if (!store::is_name(direction.from) || !store::is_name(direction.to)) reader.fail("has an end without a valid name");
  std::set<std::uint32_t> sequences;
  std::set<std::string> names;
  for (const Json& part : reader.array("stimuli")) {
    auto stimulus = stimulus_from_json(part, where, sequences);
    if (!stimulus) return stimulus.error();
    if (!names.insert(stimulus->stimulus).second) reader.fail("has the stimulus " + stimulus->stimulus + " twice");
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

}  // namespace

Result<StoredRun> parse_results(const std::string& json, const std::string& name) {
  const auto parsed = store::parse_json(json, name);
  if (!parsed) return parsed.error();
  Reader reader(*parsed, name);
  StoredRun run;
  RunResults& results = run.results;
  if (reader.text("schema", 64) != kResultsSchema)
    reader.fail(fmt::format("does not have the schema {}; use the version of VQAS that wrote it", kResultsSchema));
  run.provenance.software_version = reader.text("software_version", 64);
  run.provenance.score_version = reader.text("score_version", 64);
  results.seed = reader.whole("seed", 0, UINT64_MAX);
  // Older files lack it; those runs used the default.
  if (reader.has("guard_s")) results.guard_s = reader.number("guard_s", 0.05, 1);
  results.corpus_digest = reader.optional_text("corpus_digest", 128);
  results.ended_because = reader.optional_text("ended_because", 4096);
  if (reader.has("about")) {
    auto about = store::about_from_json(parsed->at("about"), name + ", about");
    if (!about) return about.error();
    results.about = *std::move(about);
  }
  if (reader.has("notes")) {
    for (const Json& part : reader.array("notes")) {
      auto note = store::note_from_json(part, name + ", notes");
      if (!note) return note.error();
      results.notes.push_back(*std::move(note));
    }
  }
  const Json& directions = reader.array("directions");
  const Json& sampling = reader.object("sampling");
  if (reader.fault()) return *reader.fault();

  auto options = store::sampling_from_json(sampling, name + ", sampling");
  if (!options) return options.error();
  results.sampling = *options;
  for (const Json& part : directions) {
    const std::string where = fmt::format("{}, direction {}", name, results.directions.size() + 1);
    auto direction = direction_from_json(part, where, results.sampling);
    if (!direction) return direction.error();
    results.directions.push_back(std::move(*direction));
  }
  if (Status taken = store::line_from_json(reader.object("line"), name + ", line", results); !taken)
    return taken.error();
  if (Status taken = store::model_error_from_json(reader.object("model_error"), name + ", model_error", run.provenance);
      !taken)
    return taken.error();
  if (Status taken = timing_from_json(reader.object("timing"), name + ", timing", results); !taken)
    return taken.error();
  if (reader.fault()) return *reader.fault();
  return run;
}

Result<RunResults> parse_results_json(const std::string& json) {
  auto run = parse_results(json);
  if (!run) return run.error();
  return std::move(run->results);
}

}  // namespace vqas
