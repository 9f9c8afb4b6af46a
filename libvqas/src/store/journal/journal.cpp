#include "vqas/store/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "run/about_json.h"
#include "run/run_json.h"
#include "signal/read_beneath.h"
#include "store/journal/append_file.h"
#include "store/journal/line_seal.h"
#include "store/journal/read_file.h"
#include "store/journal/recording_file.h"
#include "vqas/corpus/digest.h"

namespace vqas {

using store::Json;

struct RunJournal::File {
  store::AppendFile file;
  std::set<std::pair<End, std::string>> stimuli;      ///< by direction
  std::set<std::pair<End, std::uint32_t>> sequences;  ///< by direction
  std::string last;                                   ///< digest of the last line
  std::filesystem::path folder = {};                  ///< of the run

  /// Adds lines that belong together, each with its digest; `before` ends the line that precedes them.
  Status add(const std::vector<std::string>& objects, const std::string& before = "") {
    std::string text = before, after = last;
    for (const std::string& object : objects) {
      const std::string line = store::seal(object, after);
      after = store::unseal(line).digest;
      text += line + "\n";
    }
    Status written = file.append(text);
    if (written) last = std::move(after);
    return written;
  }
};

namespace {

Json header_of(const RunResults& plan) {
  const Provenance provenance = current_provenance(plan.mode);
  Json json;
  json["schema"] = kJournalSchema;
  json["software_version"] = provenance.software_version;
  if (plan.mode != ScoreMode::narrowband) json["score_mode"] = to_string(plan.mode);
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
    json["directions"].push_back(
        {{"from", name_of(direction.from)}, {"to", name_of(direction.to())}, {"stimuli", names}});
  }
  return json;
}

using Number = std::pair<End, std::uint32_t>;

std::set<Number> numbers_of(const RunResults& run) {
  std::set<Number> numbers;
  for (const DirectionRun& direction : run.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) numbers.emplace(direction.from, one.sequence);
    }
  }
  return numbers;
}

// Numbers that were assigned but have no measurement, by direction.
Json lost_numbers(const RunResults& so_far, const std::vector<std::uint32_t>& next_sequence) {
  const std::set<Number> known = numbers_of(so_far);
  Json lost = Json::array();
  for (std::size_t d = 0; d < std::min(so_far.directions.size(), next_sequence.size()); ++d) {
    const DirectionRun& direction = so_far.directions[d];
    Json numbers = Json::array();
    for (std::uint32_t number = 1; number < next_sequence[d]; ++number) {
      if (!known.contains({direction.from, number})) numbers.push_back(number);
    }
    if (!numbers.empty())
      lost.push_back(
          {{"from", name_of(direction.from)}, {"to", name_of(direction.to())}, {"sequences", std::move(numbers)}});
  }
  return lost;
}

std::string line_of(End from, const std::string& stimulus, const Measurement& measurement,
                    const std::filesystem::path& folder) {
  Json json{{"from", name_of(from)},
            {"to", name_of(other_end(from))},
            {"stimulus", stimulus},
            {"measurement", store::to_json(measurement)}};
  // Detects a replaced recording.
  const auto recording = read_beneath(folder, measurement.recording, store::kLargestRecording);
  if (recording) json[store::kRecordingDigest] = sha256_hex(*recording);
  return store::to_line(json);
}

// The digest that a line written after the first `length` bytes of a journal refers to.
std::string last_digest(std::string_view text, std::size_t length) {
  store::SealChain chain;
  for (std::string_view rest = text.substr(0, length); !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    chain.next(store::unseal(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return chain.last();
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
  if (const Status valid = store::check_plan(plan.directions, "the plan"); !valid) return valid.error();
  std::set<std::pair<End, std::string>> stimuli;
  for (const DirectionRun& direction : plan.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) stimuli.emplace(direction.from, stimulus.stimulus);
  }

  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    return Error{ErrorCode::io,
                 fmt::format("cannot make the folder {}: {}; name another one", folder.string(), failed.message())};
  auto file = store::AppendFile::create(folder / kJournalFile);
  if (!file) return file.error();
  auto state = std::make_unique<File>(File{std::move(*file), std::move(stimuli), {}, {}});
  state->folder = folder;
  if (const Status written = state->add({store::to_line(header_of(plan))}); !written) return written.error();
  return RunJournal(std::move(state));
}

Result<RunJournal> RunJournal::resume(const std::filesystem::path& folder, const RunResults& so_far,
                                      const std::vector<std::uint32_t>& next_sequence) {
  const auto before = read_stored_run(folder);
  if (!before) return before.error();
  const std::filesystem::path path = folder / kJournalFile;
  const auto text = store::read_file(path);
  if (!text) return text.error();
  const std::size_t last = text->rfind('\n');
  if (last == std::string::npos) return bad(fmt::format("{} holds no run that can be resumed", path.string()));
  // Removes a torn line. A whole line that only lacks its end was read, and stays.
  const std::string rest = text->substr(last + 1);
  const bool ends_whole = !rest.empty() && parse_json_text(rest, path.string());
  auto file = store::AppendFile::reopen(path, static_cast<std::int64_t>(ends_whole ? text->size() : last + 1));
  if (!file) return file.error();
  auto state =
      std::make_unique<File>(File{std::move(*file), {}, {}, last_digest(*text, ends_whole ? text->size() : last + 1)});
  state->folder = folder;
  for (const DirectionRun& direction : so_far.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      state->stimuli.emplace(direction.from, stimulus.stimulus);
      for (const Measurement& one : stimulus.measurements) {
        if (!was_abandoned(one.outcome)) state->sequences.emplace(direction.from, one.sequence);
      }
    }
  }
  Json json{{"resumed", {{"measurements", state->sequences.size()}, {"sampling", store::to_json(so_far.sampling)}}}};
  if (Json about = store::to_json(so_far.about); !about.is_null()) json["resumed"]["about"] = std::move(about);
  json["resumed"]["damaged"] = before->damaged + before->replaced;
  if (Json lost = lost_numbers(so_far, next_sequence); !lost.empty()) json["resumed"]["without"] = std::move(lost);
  std::vector<std::string> lines{store::to_line(json)};
  const std::set<Number> readable = numbers_of(before->results);
  for (const DirectionRun& direction : so_far.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) {
        if (!readable.contains({direction.from, one.sequence}))
          lines.push_back(line_of(direction.from, stimulus.stimulus, one, folder));
      }
    }
  }
  if (const Status written = state->add(lines, ends_whole ? "\n" : ""); !written) return written.error();
  return RunJournal(std::move(state));
}

Status RunJournal::append(End from, const std::string& stimulus, const Measurement& measurement) {
  if (!file_->stimuli.contains({from, stimulus}))
    return bad(
        fmt::format("the measurement of \"{}\" from {} is not in the journal's plan", stimulus, direction_words(from)));
  const std::pair sequence(from, measurement.sequence);
  if (file_->sequences.contains(sequence))
    return bad(fmt::format("the measurement {} from {} is in the journal already", measurement.sequence,
                           direction_words(from)));
  Status written = file_->add({line_of(from, stimulus, measurement, file_->folder)});
  if (written) file_->sequences.insert(sequence);
  return written;
}

Status RunJournal::close(const RunResults& results) {
  Json stops = Json::array();
  for (const DirectionRun& direction : results.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      stops.push_back({{"from", name_of(direction.from)},
                       {"to", name_of(direction.to())},
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
  // Not known when the header was written.
  Json& end = json["end"];
  if (results.lost_seconds > 0) end["lost_seconds"] = store::rounded(results.lost_seconds, 1e-3);
  if (results.duplex != Duplex::automatic) end["duplex"] = name_of(results.duplex);
  if (!results.baseline.empty()) end["baseline"] = results.baseline;
  return file_->add({store::to_line(json)});
}

}  // namespace vqas
