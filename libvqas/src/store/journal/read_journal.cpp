#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "run/about_json.h"
#include "run/measurement_limits.h"
#include "run/run_json.h"
#include "run/sampling_of_run.h"
#include "store/journal/line_seal.h"
#include "store/journal/read_file.h"
#include "store/journal/rebuild.h"
#include "vqas/store/journal.h"
#include "vqas/store/notes.h"

namespace vqas::store {
namespace {

Error fault_of(SealChain::Fault fault, const std::string& where) {
  const char* what = fault == SealChain::Fault::behind_a_gap ? "follows a missing line; a line was removed"
                     : fault == SealChain::Fault::unsealed
                         ? "has no digest, unlike the lines before it; it was changed after it was written"
                         : "does not match its digest; it was changed after it was written";
  return {ErrorCode::bad_input, fmt::format("{}: {}", where, what)};
}

Status status_of(const Reader& reader) {
  if (reader.fault()) return *reader.fault();
  return success();
}

}  // namespace

std::vector<MeasurementNumber> lost_before(const Json& resumed) {
  const Json* const inner = resumed.contains("resumed") ? &resumed.at("resumed") : nullptr;
  if (inner == nullptr || !inner->is_object() || !inner->contains("without")) return {};
  const Json& without = inner->at("without");
  if (!without.is_array()) return {};
  std::vector<MeasurementNumber> lost;
  for (const Json& direction : without) {
    if (!direction.is_object()) return {};
    const Json from = direction.value("from", Json()), to = direction.value("to", Json());
    const Json numbers = direction.value("sequences", Json());
    const auto end = from.is_string() ? end_of_name(from.get<std::string>()) : std::nullopt;
    if (!end || to != name_of(other_end(*end)) || !numbers.is_array()) return {};
    for (const Json& number : numbers) {
      if (!number.is_number_unsigned() || number.get<std::uint64_t>() > UINT32_MAX) return {};
      lost.push_back({*end, number.get<std::uint32_t>()});
    }
  }
  return lost;
}

Status Rebuilder::header(const Json& json, const std::string& where) {
  Reader reader(json, where);
  if (reader.text("schema", 64) != kJournalSchema)
    reader.fail(
        fmt::format("is not a journal with the schema {}; use the version of VQAS that wrote it", kJournalSchema));
  if (reader.fault()) return *reader.fault();
  RunResults& results = run_.results;
  if (Status head = head_from_json(json, where, results, run_.provenance); !head) return head;
  results.started_utc = reader.optional_text("started_utc", 64);
  results.about.uuid = reader.optional_text("uuid", 36);
  if (!results.about.uuid.empty() && !is_uuid(results.about.uuid)) reader.fail("has an invalid uuid");
  for (const Json& part : reader.array("directions")) {
    Reader inner(part, where + ", directions");
    DirectionRun direction{.from = direction_from(inner), .stimuli = {}};
    for (const Json& name : inner.array("stimuli")) {
      if (!name.is_string()) {
        inner.fail("has a stimulus without a name");
        break;
      }
      direction.stimuli.push_back({.stimulus = name.get<std::string>(), .measurements = {}, .interval = {}});
    }
    if (inner.fault()) return *inner.fault();
    results.directions.push_back(std::move(direction));
  }
  if (reader.fault()) return *reader.fault();
  return check_plan(results.directions, where);
}

StimulusRun* Rebuilder::find(Reader& reader) {
  const End from = direction_from(reader);
  const std::string name = reader.text("stimulus", 64);
  for (DirectionRun& direction : run_.results.directions) {
    if (direction.from != from) continue;
    for (StimulusRun& stimulus : direction.stimuli) {
      if (stimulus.stimulus == name) return &stimulus;
    }
  }
  reader.fail("names a direction or a stimulus that is not in the plan");
  return nullptr;
}

Status Rebuilder::line(const Json& json, const std::string& where) {
  if (json.is_object() && json.contains("end")) return end(json, where);
  if (json.is_object() && json.contains("resumed")) return resumed(json, where);
  return measurement(json, where);
}

// From here on the plan may have other goals and labels. Unreadable measurements of earlier lines were
// planned again.
Status Rebuilder::resumed(const Json& json, const std::string& where) {
  Reader line(json, where);
  Reader reader(line.object("resumed"), where);
  if (line.fault()) return *line.fault();
  ended_ = false;
  RunResults& results = run_.results;
  results.ended_because.clear();
  if (reader.has("sampling")) {
    auto sampling = sampling_from_json(reader.object("sampling"), where + ", sampling");
    if (!sampling) return sampling.error();
    results.sampling = *sampling;
  }
  if (reader.has("about")) {
    auto about = about_from_json(json.at("resumed").at("about"), where + ", about");
    if (!about) return about.error();
    about->uuid = results.about.uuid;
    results.about = *std::move(about);
  }
  // Lines damaged after this one count as lost. Without the number, none were damaged before it.
  const std::size_t all = left_out_ + replaced_;
  const std::size_t known = reader.has("damaged") ? reader.whole("damaged", 0, UINT32_MAX) : 0;
  if (reader.fault()) return *reader.fault();
  replaced_ = std::min(all, std::max(replaced_, known));
  left_out_ = all - replaced_;
  for (const MeasurementNumber& lost : lost_before(json)) measured_.erase({lost.from, lost.sequence});
  return success();
}

// A number that is not in the session's record may be valid: lines of the record may be lost, too.
bool Rebuilder::was_planned(const StimulusRun& stimulus, std::uint32_t sequence) const {
  for (std::size_t d = 0; d < std::min(planned_.size(), run_.results.directions.size()); ++d) {
    const auto& stimuli = run_.results.directions[d].stimuli;
    const auto here = std::ranges::find(stimuli, &stimulus, [](const StimulusRun& one) { return &one; });
    if (here == stimuli.end()) continue;
    const auto found = planned_[d].find(sequence);
    return found == planned_[d].end() || static_cast<std::size_t>(here - stimuli.begin()) == found->second;
  }
  return true;
}

Status Rebuilder::measurement(const Json& json, const std::string& where) {
  Reader reader(json, where);
  StimulusRun* stimulus = find(reader);
  if (stimulus == nullptr) return status_of(reader);
  auto one = measurement_from_json(reader.object("measurement"), where);
  if (!one) return one.error();
  if (reader.fault()) return *reader.fault();
  if (const auto why = on_other_scale(*one, run_.results.mode)) {
    reader.fail(*why);
    return status_of(reader);
  }
  if (!was_planned(*stimulus, one->sequence)) {
    reader.fail(fmt::format("has number {} with the stimulus {}, for which it was not planned", one->sequence,
                            stimulus->stimulus));
    return status_of(reader);
  }
  const std::pair key(direction_from(reader), one->sequence);
  const auto before = measured_.find(key);
  if (before != measured_.end()) {
    const auto& [its_stimulus, known] = before->second;
    if (its_stimulus != stimulus || !was_abandoned(known.outcome))
      reader.fail(fmt::format("repeats the sequence number {}", one->sequence));
  }
  if (!reader.fault()) measured_.insert_or_assign(key, std::pair(stimulus, *std::move(one)));
  return status_of(reader);
}

// Takes all of it, or nothing.
Status Rebuilder::end(const Json& json, const std::string& where) {
  Reader outer(json, where);
  Reader reader(outer.object("end"), where);
  const std::string ended_because = reader.optional_text("ended_because", kLongestReason);
  const std::string finished_utc = reader.optional_text("finished_utc", 64);
  const double wall_seconds = reader.optional_number("wall_seconds", 0, 1e12).value_or(0);
  const double line_seconds = reader.optional_number("line_seconds", 0, 1e12).value_or(0);
  const double lost_seconds = reader.has("lost_seconds") ? reader.number("lost_seconds", 0, 1e12) : 0;
  const Duplex duplex = duplex_from(reader);
  const std::string baseline = reader.optional_text("baseline", kLongestReason);
  std::vector<std::pair<StimulusRun*, StopReason>> stops;
  for (const Json& part : reader.array("stops")) {
    Reader inner(part, where + ", stops");
    StimulusRun* stimulus = find(inner);
    const auto reason = stop_reason_from_string(inner.text("stopped_because", 64));
    if (!reason) inner.fail("has an unknown stopped_because");
    if (inner.fault()) return *inner.fault();
    stops.emplace_back(stimulus, *reason);
  }
  if (outer.fault()) return *outer.fault();
  if (reader.fault()) return *reader.fault();
  RunResults& results = run_.results;
  results.ended_because = ended_because;
  results.finished_utc = finished_utc;
  results.wall_seconds = wall_seconds;
  results.line_seconds = line_seconds;
  results.lost_seconds = lost_seconds;
  if (duplex != Duplex::automatic) results.duplex = duplex;
  if (!baseline.empty()) results.baseline = baseline;
  for (const auto& [stimulus, reason] : stops) stimulus->stopped_because = reason;
  ended_ = true;
  return success();
}

void Rebuilder::leave_out(const Error& why) {
  if (left_out_++ == 0) first_fault_ = why.message;
}

StoredRun Rebuilder::finish() {
  RunResults& results = run_.results;
  run_.damaged = left_out_;
  run_.replaced = replaced_;
  if (!ended_) results.ended_because = "the run was broken off; these are the measurements that its journal kept";
  if (left_out_ > 0) {
    if (!results.ended_because.empty()) results.ended_because += "; ";
    results.ended_because =
        as_sentence_part(fmt::format("{}{} of its journal {} damaged and {} left out ({})", results.ended_because,
                                     left_out_ == 1 ? "one line" : fmt::format("{} lines", left_out_),
                                     left_out_ == 1 ? "was" : "were", left_out_ == 1 ? "is" : "are", first_fault_));
  }
  for (auto& [number, place] : measured_) place.first->measurements.push_back(std::move(place.second));
  for (DirectionRun& direction : results.directions) {
    if (!ended_) replay_stops(direction, results.sampling);
    set_intervals(direction, results.sampling);
  }
  return std::move(run_);
}

Result<StoredRun> rebuild_run(const std::filesystem::path& folder,
                              const std::function<void(const std::string& line, const Json& json)>& take) {
  const std::filesystem::path path = folder / kJournalFile;
  const auto text = read_file(path);
  if (!text) return text.error();

  Rebuilder rebuilder;
  if (const auto session = read_session_record(folder)) rebuilder.expect(*session);
  std::string_view rest = *text;
  SealChain chain;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    const std::string line(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const std::string where = fmt::format("{}, line {}", path.string(), number);
    const SealedLine sealed = unseal(line);
    const auto json = parse_json_text(sealed.object, where);
    // The program was killed while it wrote the last line: that measurement does not exist.
    if (!json && end == std::string_view::npos && number > 1) break;
    const SealChain::Fault broken = chain.next(sealed);
    // The missing line was between two whole lines.
    if (broken == SealChain::Fault::behind_a_gap) {
      const Error gap = fault_of(broken, where);
      if (number == 1) return gap;
      rebuilder.leave_out(gap);
    }
    const bool is_spoilt = broken == SealChain::Fault::changed || broken == SealChain::Fault::unsealed;
    const Status taken = !json         ? Status(json.error())
                         : is_spoilt   ? Status(fault_of(broken, where))
                         : number == 1 ? rebuilder.header(*json, where)
                                       : rebuilder.line(*json, where);
    if (number == 1 && !taken) return taken.error();
    // One bad line must not discard the others.
    if (taken) {
      take(sealed.object, *json);
    } else {
      rebuilder.leave_out(taken.error());
    }
  }
  if (text->empty())
    return Error{ErrorCode::bad_input,
                 fmt::format("{} is empty; the run was broken off before it began", path.string())};
  StoredRun run = rebuilder.finish();
  run.sealed = chain.is_sealed();
  return run;
}

}  // namespace vqas::store

namespace vqas {

Result<StoredRun> read_stored_run(const std::filesystem::path& folder) {
  auto run = store::rebuild_run(folder, [](const std::string&, const store::Json&) {});
  if (run) run->results.notes = read_notes(folder);
  return run;
}

}  // namespace vqas
