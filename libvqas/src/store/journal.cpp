#include "vqas/store/journal.h"

#include <fmt/format.h>

#include <set>
#include <system_error>
#include <utility>

#include "store/about_json.h"
#include "store/append_file.h"
#include "store/read_file.h"
#include "store/run_json.h"

namespace vqas {

using store::Json;

struct RunJournal::File {
  store::AppendFile file;
  std::set<std::pair<std::string, std::string>> directions;
  std::set<std::string> stimuli;  ///< "from/to/stimulus": names hold no slash
  std::set<std::tuple<std::string, std::string, std::uint32_t>> sequences;
};

namespace {

std::string key_of(const std::string& from, const std::string& to, const std::string& stimulus) {
  return from + "/" + to + "/" + stimulus;
}

Json header_of(const RunResults& plan) {
  const Provenance provenance = current_provenance();
  Json json;
  json["schema"] = kJournalSchema;
  json["software_version"] = provenance.software_version;
  json["score_version"] = provenance.score_version;
  json["model_error"] = store::model_error_to_json(provenance);
  if (!plan.about.uuid.empty()) json["uuid"] = plan.about.uuid;
  if (Json about = store::to_json(plan.about); !about.is_null()) json["about"] = std::move(about);
  json["seed"] = plan.seed;
  json["corpus_digest"] = plan.corpus_digest;
  json["line"] = store::line_to_json(plan);
  json["sampling"] = store::to_json(plan.sampling);
  json["guard_s"] = plan.guard_s;
  json["started_utc"] = plan.started_utc;
  json["directions"] = Json::array();
  for (const DirectionRun& direction : plan.directions) {
    Json names = Json::array();
    for (const StimulusRun& stimulus : direction.stimuli) names.push_back(stimulus.stimulus);
    json["directions"].push_back({{"from", direction.from}, {"to", direction.to}, {"stimuli", names}});
  }
  return json;
}

Error bad(std::string message) {
  return {ErrorCode::bad_input, std::move(message)};
}

}  // namespace

RunJournal::RunJournal(std::unique_ptr<File> file) : file_(std::move(file)) {}
RunJournal::RunJournal(RunJournal&&) noexcept = default;
RunJournal& RunJournal::operator=(RunJournal&&) noexcept = default;
RunJournal::~RunJournal() = default;

Result<RunJournal> RunJournal::create(const std::filesystem::path& folder, const RunResults& plan) {
  if (const Status valid = validate(plan.sampling); !valid) return valid.error();
  std::set<std::pair<std::string, std::string>> directions;
  std::set<std::string> stimuli;
  for (const DirectionRun& direction : plan.directions) {
    if (!store::is_name(direction.from) || !store::is_name(direction.to) ||
        !directions.emplace(direction.from, direction.to).second)
      return bad(fmt::format("the direction \"{}\" to \"{}\" is planned twice or has a name that is not usable",
                             direction.from, direction.to));
    for (const StimulusRun& stimulus : direction.stimuli) {
      if (!store::is_name(stimulus.stimulus) ||
          !stimuli.insert(key_of(direction.from, direction.to, stimulus.stimulus)).second)
        return bad(
            fmt::format("the stimulus \"{}\" is planned twice or has a name that is not usable", stimulus.stimulus));
    }
  }

  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    return Error{ErrorCode::io,
                 fmt::format("cannot make the folder {}: {}; name another one", folder.string(), failed.message())};
  auto file = store::AppendFile::create(folder / kJournalFile);
  if (!file) return file.error();
  auto state = std::make_unique<File>(File{std::move(*file), std::move(directions), std::move(stimuli), {}});
  if (const Status written = state->file.append(store::to_line(header_of(plan)) + "\n"); !written)
    return written.error();
  return RunJournal(std::move(state));
}

Result<RunJournal> RunJournal::resume(const std::filesystem::path& folder, const RunResults& so_far) {
  const std::filesystem::path path = folder / kJournalFile;
  const auto text = store::read_file(path);
  if (!text) return text.error();
  const std::size_t last = text->rfind('\n');
  if (last == std::string::npos) return bad(fmt::format("{} holds no run that could be gone on with", path.string()));
  auto file = store::AppendFile::reopen(path, static_cast<std::int64_t>(last) + 1);
  if (!file) return file.error();
  auto state = std::make_unique<File>(File{std::move(*file), {}, {}, {}});
  for (const DirectionRun& direction : so_far.directions) {
    state->directions.emplace(direction.from, direction.to);
    for (const StimulusRun& stimulus : direction.stimuli) {
      state->stimuli.insert(key_of(direction.from, direction.to, stimulus.stimulus));
      for (const Measurement& one : stimulus.measurements) {
        if (one.outcome != Outcome::line_lost) state->sequences.emplace(direction.from, direction.to, one.sequence);
      }
    }
  }
  const Json json{{"resumed", {{"measurements", state->sequences.size()}}}};
  if (const Status written = state->file.append(store::to_line(json) + "\n"); !written) return written.error();
  return RunJournal(std::move(state));
}

Status RunJournal::append(const std::string& from, const std::string& to, const std::string& stimulus,
                          const Measurement& measurement) {
  if (!file_->stimuli.contains(key_of(from, to, stimulus)))
    return bad(fmt::format("the measurement of \"{}\" from \"{}\" to \"{}\" is not in the journal's plan", stimulus,
                           from, to));
  const std::tuple sequence(from, to, measurement.sequence);
  if (file_->sequences.contains(sequence))
    return bad(fmt::format("the measurement {} from \"{}\" to \"{}\" is in the journal already", measurement.sequence,
                           from, to));
  const Json json{{"from", from}, {"to", to}, {"stimulus", stimulus}, {"measurement", store::to_json(measurement)}};
  Status written = file_->file.append(store::to_line(json) + "\n");
  if (written) file_->sequences.insert(sequence);
  return written;
}

Status RunJournal::close(const RunResults& results) {
  Json stops = Json::array();
  for (const DirectionRun& direction : results.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      stops.push_back({{"from", direction.from},
                       {"to", direction.to},
                       {"stimulus", stimulus.stimulus},
                       {"stopped_because", to_string(stimulus.stopped_because)}});
    }
  }
  Json json{{"end",
             {{"ended_because", results.ended_because},
              {"finished_utc", results.finished_utc},
              {"wall_seconds", store::rounded(results.wall_seconds, 1e-3)},
              {"line_seconds", store::rounded(results.line_seconds, 1e-3)},
              {"stops", stops}}}};
  // What nobody knew yet when the header was written.
  Json& end = json["end"];
  if (results.lost_seconds > 0) end["lost_seconds"] = store::rounded(results.lost_seconds, 1e-3);
  if (!results.duplex.empty()) end["duplex"] = results.duplex;
  if (!results.baseline.empty()) end["baseline"] = results.baseline;
  return file_->file.append(store::to_line(json) + "\n");
}

}  // namespace vqas
