#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "run/findings_json.h"
#include "run/line_statistics_json.h"
#include "run/mark_fields.h"
#include "run/measurement_limits.h"
#include "run/placement_json.h"
#include "run/run_json.h"
#include "signal/words.h"

namespace vqas::store {
namespace {

constexpr double kMosStep = 1e-4;
constexpr double kMillisecondStep = 1e-3;
constexpr double kPpmStep = 1e-3;
constexpr double kDecibelStep = 1e-3;

constexpr Words<FoundBy, 3> kFoundBy{
    {{"marks", FoundBy::marks}, {"trailing_mark", FoundBy::trailing_mark}, {"speech", FoundBy::speech}}};

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

template <typename Choice>
Json word_or_null(const std::optional<Choice>& value) {
  return value ? Json(to_string(*value)) : Json(nullptr);
}

}  // namespace

bool is_name(const std::string& text) {
  const auto allowed = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-' ||
           c == '.';
  };
  return !text.empty() && text.size() <= 64 && text.front() != '.' && std::ranges::all_of(text, allowed);
}

std::string_view to_string(FoundBy found_by) {
  return word_of(kFoundBy, found_by);
}

std::optional<FoundBy> found_by(const Measurement& measurement) {
  if (leading_mark(measurement.marks_found)) return FoundBy::marks;
  if (any_mark(measurement.marks_found)) return FoundBy::trailing_mark;
  return measurement.outcome == Outcome::scored ? std::optional(FoundBy::speech) : std::nullopt;
}

Json to_json(const Measurement& measurement) {
  Json json;
  json["sequence"] = measurement.sequence;
  json["outcome"] = to_string(measurement.outcome);
  if (measurement.mode != ScoreMode::narrowband) json["score_mode"] = to_string(measurement.mode);
  json["mos_lqo"] = rounded(measurement.mos_lqo, kMosStep);
  if (measurement.narrowband_mos_lqo) json["narrowband_mos_lqo"] = rounded(measurement.narrowband_mos_lqo, kMosStep);
  json["auditory_distance"] = rounded(measurement.auditory_distance, kMosStep);
  json["delay_ms"] = rounded(measurement.delay_ms, kMillisecondStep);
  json["delay_basis"] = to_string(measurement.delay_basis);
  json["clock_drift_ppm"] = rounded(measurement.clock_drift_ppm, kPpmStep);
  json["level_difference_db"] = rounded(measurement.level_difference_db, kDecibelStep);
  json["findings"] = findings_json(measurement.findings);
  if (measurement.placement) json["placement"] = placement_json(*measurement.placement);
  json["marks_found"] = word_or_null(measurement.marks_found);
  for (const MarkField& field : kMarkFields) {
    if (measurement.*field.value) json[field.name] = rounded(measurement.*field.value, field.step);
  }
  json["found_by"] = word_or_null(found_by(measurement));
  json["recording"] = text_or_null(measurement.recording);
  json["reason"] = text_or_null(measurement.reason);
  // Only for real lines.
  if (measurement.delay_uncertainty_ms && measurement.delay_basis != DelayBasis::virtual_time)
    json["delay_uncertainty_ms"] = rounded(measurement.delay_uncertainty_ms, kMillisecondStep);
  if (measurement.echo_return_loss_db) {
    json["echo_delay_ms"] = rounded(measurement.echo_delay_ms, kMillisecondStep);
    json["echo_return_loss_db"] = rounded(measurement.echo_return_loss_db, kDecibelStep);
  }
  if (!measurement.delay_track.empty()) {
    json["delay_track"] = Json::array();
    for (const DelayPiece& piece : measurement.delay_track) {
      json["delay_track"].push_back({{"start_s", rounded(piece.start_s, kMillisecondStep)},
                                     {"length_s", rounded(piece.length_s, kMillisecondStep)},
                                     {"delay_ms", rounded(piece.delay_ms, kMillisecondStep)}});
    }
  }
  if (measurement.line) json["line"] = vqas::to_json(*measurement.line);
  if (!measurement.note.empty()) json["note"] = measurement.note;
  if (measurement.call != 1) json["call"] = measurement.call;
  if (measurement.sent_as)
    json["sent_as"] = {{"run_id", measurement.sent_as->run_id}, {"number", measurement.sent_as->number}};
  return json;
}

Result<Measurement> measurement_from_json(const Json& json, const std::string& where) {
  Reader reader(json, where);
  Measurement measurement;
  measurement.sequence = static_cast<std::uint32_t>(reader.whole("sequence", 1, kLastSequence));
  const std::string outcome = reader.text("outcome", 64);
  if (const auto known = outcome_from_string(outcome)) {
    measurement.outcome = *known;
  } else {
    reader.fail("has an unknown outcome");
  }
  // Impossible values are checked in one place, below.
  constexpr double kAny = std::numeric_limits<double>::max();
  if (json.contains("score_mode")) {
    const auto mode = score_mode_from_string(reader.text("score_mode", 8));
    if (!mode) reader.fail("has an unknown score_mode");
    measurement.mode = mode.value_or(ScoreMode::narrowband);
  }
  measurement.mos_lqo = reader.optional_number("mos_lqo", -kAny, kAny);
  if (json.contains("narrowband_mos_lqo"))
    measurement.narrowband_mos_lqo = reader.optional_number("narrowband_mos_lqo", -kAny, kAny);
  measurement.auditory_distance = reader.optional_number("auditory_distance", -kAny, kAny);
  measurement.delay_ms = reader.optional_number("delay_ms", -kAny, kAny);
  if (const auto basis = delay_basis_from_string(reader.text("delay_basis", 64))) {
    measurement.delay_basis = *basis;
  } else {
    reader.fail("has an unknown delay_basis");
  }
  measurement.clock_drift_ppm = reader.optional_number("clock_drift_ppm", -kAny, kAny);
  measurement.level_difference_db = reader.optional_number("level_difference_db", -kAny, kAny);
  // Missing in runs of releases before 0.2.
  if (const auto found = json.find("findings"); found != json.end()) {
    auto findings = findings_from(*found);
    if (findings) {
      measurement.findings = *std::move(findings);
    } else {
      reader.fail(findings.error().message);
    }
  }
  if (const auto found = json.find("placement"); found != json.end()) {
    measurement.placement = placement_from(*found);
    if (!measurement.placement) reader.fail("has a placement that no mark can give");
  }
  if (const std::string marks = reader.optional_text("marks_found", 64); !marks.empty()) {
    measurement.marks_found = marks_found_from_string(marks);
    if (!measurement.marks_found) reader.fail("has an unknown marks_found");
  }
  for (const MarkField& field : kMarkFields) {
    if (json.contains(field.name)) measurement.*field.value = reader.optional_number(field.name, -kAny, kAny);
  }
  measurement.recording = reader.optional_text("recording", kLongestRecording);
  measurement.reason = reader.optional_text("reason", kLongestReason);
  if (json.contains("delay_uncertainty_ms"))
    measurement.delay_uncertainty_ms = reader.optional_number("delay_uncertainty_ms", 0, kLongestDelay_ms);
  if (json.contains("echo_return_loss_db")) {
    measurement.echo_delay_ms = reader.optional_number("echo_delay_ms", -kAny, kAny);
    measurement.echo_return_loss_db = reader.optional_number("echo_return_loss_db", -kAny, kAny);
  }
  if (json.contains("delay_track")) {
    for (const Json& part : reader.array("delay_track")) {
      Reader piece(part, where + ", delay_track");
      measurement.delay_track.push_back({piece.optional_number("start_s", -kAny, kAny).value_or(0),
                                         piece.optional_number("length_s", -kAny, kAny).value_or(0),
                                         piece.optional_number("delay_ms", -kAny, kAny).value_or(0)});
      if (piece.fault()) return *piece.fault();
    }
  }
  if (json.contains("note")) measurement.note = reader.optional_text("note", kLongestReason);
  if (json.contains("call")) measurement.call = static_cast<std::uint32_t>(reader.whole("call", 0, kLastSequence));
  if (json.contains("sent_as")) {
    Reader sent(reader.object("sent_as"), where + ", sent_as");
    measurement.sent_as = SentAs{static_cast<std::uint32_t>(sent.whole("run_id", 0, kLastRunId)),
                                 static_cast<std::uint32_t>(sent.whole("number", 1, kLastSequence))};
    if (sent.fault()) return *sent.fault();
  }
  if (json.contains("line")) {
    measurement.line = line_statistics_from(json["line"]);
    if (!measurement.line) reader.fail("has line statistics that cannot be read");
  }
  if (const auto why = impossible(measurement)) reader.fail(*why);
  if (reader.fault()) return *reader.fault();
  return measurement;
}

std::vector<double> scores_of(const std::vector<Measurement>& measurements) {
  std::vector<double> scores;
  for (const Measurement& one : measurements) {
    if (one.outcome == Outcome::scored && one.mos_lqo) scores.push_back(*one.mos_lqo);
  }
  return scores;
}

}  // namespace vqas::store
