#include "node/wire/wire_json.h"

#include <fmt/format.h>

#include <cmath>

#include "node/wire/idle_input_json.h"
#include "run/findings_json.h"
#include "run/line_statistics_json.h"
#include "run/mark_fields.h"
#include "run/measurement_limits.h"
#include "run/placement_json.h"

namespace vqas {
namespace {

// More than a round of two hours; keeps messages and their memory small.
constexpr std::size_t kMostTransmissions = 1000;
constexpr std::uint64_t kMostRounds = std::uint64_t{1} << 53;
constexpr std::int64_t kLongestRound_ns = 1'000'000'000'000'000;  // 11 days

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

struct Malformed {
  std::string message;
};

const Json& member(const Json& json, const char* key) {
  if (!json.is_object()) throw Malformed{"it is not an object"};
  const auto found = json.find(key);
  if (found == json.end()) throw Malformed{fmt::format("\"{}\" is missing", key)};
  return *found;
}

template <typename T>
T whole_number(const Json& json, const char* key, std::uint64_t least, std::uint64_t most) {
  const Json& value = member(json, key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() < least || value.get<std::uint64_t>() > most) {
    throw Malformed{fmt::format("\"{}\" must be a whole number from {} to {}", key, least, most)};
  }
  return static_cast<T>(value.get<std::uint64_t>());
}

const Json& list(const Json& json, const char* key) {
  const Json& value = member(json, key);
  if (!value.is_array()) throw Malformed{fmt::format("\"{}\" must be a list", key)};
  if (value.size() > kMostTransmissions) {
    throw Malformed{fmt::format("\"{}\" has more than {} entries; use several rounds", key, kMostTransmissions)};
  }
  for (const Json& entry : value) {
    if (!entry.is_object()) throw Malformed{fmt::format("the entries of \"{}\" must be objects", key)};
  }
  return value;
}

std::string word(const Json& json, const char* key) {
  const Json& value = member(json, key);
  if (!value.is_string()) throw Malformed{fmt::format("\"{}\" must be a string", key)};
  return value.get<std::string>();
}

std::optional<double> optional_number(const Json& json, const char* key) {
  const Json& value = member(json, key);
  if (value.is_null()) return std::nullopt;
  if (!value.is_number()) throw Malformed{fmt::format("\"{}\" must be a number or null", key)};
  return value.get<double>();
}

double number(const Json& json, const char* key, double most) {
  const auto value = optional_number(json, key);
  if (!value || std::fabs(*value) > most) throw Malformed{fmt::format("\"{}\" must be a number up to {}", key, most)};
  return *value;
}

// 0 if missing.
double ms_or_0(const Json& json, const char* key) {
  return json.contains(key) ? std::fabs(number(json, key, kLongestWait_s * 1e3)) : 0;
}

LineStatistics statistics(const Json& json) {
  const auto read = line_statistics_from(member(json, "line"));
  if (!read) throw Malformed{"\"line\" cannot be read"};
  return *read;
}

std::int64_t offset(const Json& json) {
  const Json& value = member(json, "clock_offset_ns");
  constexpr std::int64_t kMost = 4'000'000'000'000'000;  // 46 days: two clocks apart by 1 % for years
  if (!value.is_number_integer() || std::abs(value.get<double>()) > static_cast<double>(kMost)) {
    throw Malformed{"\"clock_offset_ns\" is not a time"};
  }
  return value.get<std::int64_t>();
}

std::int64_t nanoseconds(const Json& json, const char* key) {
  return whole_number<std::int64_t>(json, key, 0, kLatest_ns);
}

double seconds(const Json& json, const char* key, double most) {
  const Json& value = member(json, key);
  if (!value.is_number() || !(value.get<double>() > 0) || value.get<double>() > most) {
    throw Malformed{fmt::format("\"{}\" must be above 0 and at most {}", key, most)};
  }
  return value.get<double>();
}

PlayedNotice played(const Json& json) {
  PlayedNotice told;
  told.sequence = whole_number<std::uint32_t>(json, "sequence", 1, kLastSequence);
  told.notes.real_device = true;
  told.notes.noticed = statistics(json);
  told.notes.lag_ms = optional_number(json, "lag_ms").value_or(0);
  told.notes.clock_step_ms = ms_or_0(json, "clock_step_ms");
  if (json.contains("clock_offset_ns")) told.notes.clock_offset_ns = offset(json);
  told.notes.echo_delay_ms = optional_number(json, "echo_delay_ms");
  told.notes.echo_return_loss_db = optional_number(json, "echo_return_loss_db");
  return told;
}

}  // namespace

Json to_json(const ReceivedMeasurement& received) {
  const Measurement& m = received.measurement;
  Json json{{"sequence", m.sequence},
            {"stimulus", received.stimulus},
            {"outcome", to_string(m.outcome)},
            {"reason", m.reason},
            {"mos_lqo", or_null(m.mos_lqo)},
            {"auditory_distance", or_null(m.auditory_distance)},
            {"clock_drift_ppm", or_null(m.clock_drift_ppm)},
            {"level_difference_db", or_null(m.level_difference_db)},
            {"findings", findings_json(m.findings)},
            {"marks_found", m.marks_found ? to_string(*m.marks_found) : ""},
            {"recording", m.recording},
            {"arrived_at_ns", or_null(received.arrived_at_ns)}};
  if (m.mode != ScoreMode::narrowband) json["score_mode"] = to_string(m.mode);
  if (m.narrowband_mos_lqo) json["narrowband_mos_lqo"] = *m.narrowband_mos_lqo;
  if (received.number_guessed) json["number_guessed"] = true;
  if (received.heard_until_ns) json["heard_until_ns"] = *received.heard_until_ns;
  if (m.placement) json["placement"] = placement_json(*m.placement);
  for (const MarkField& field : kMarkFields) {
    if (m.*field.value) json[field.name] = *(m.*field.value);
  }
  if (!m.note.empty()) json["note"] = m.note;
  for (const DelayPiece& one : m.delay_track) {
    json["delay_track"].push_back({{"start_s", one.start_s}, {"length_s", one.length_s}, {"delay_ms", one.delay_ms}});
  }
  if (received.heard) json["heard"] = idle_input_json(*received.heard);
  if (!m.line) return json;
  json["line"] = to_json(*m.line);
  json["clock_offset_ns"] = received.clock_offset_ns;
  json["clock_step_ms"] = received.clock_step_ms;
  json["mark_drift_ppm"] = or_null(received.evidence.drift_ppm);
  json["zeroed_ms"] = received.evidence.zeroed_ms;
  json["repeated_ms"] = received.evidence.repeated_ms;
  return json;
}

Json to_json(const PlayedNotice& played) {
  Json json{{"sequence", played.sequence},
            {"line", to_json(played.notes.noticed)},
            {"lag_ms", played.notes.lag_ms},
            {"clock_step_ms", played.notes.clock_step_ms},
            {"echo_delay_ms", or_null(played.notes.echo_delay_ms)},
            {"echo_return_loss_db", or_null(played.notes.echo_return_loss_db)}};
  if (played.notes.clock_offset_ns) json["clock_offset_ns"] = *played.notes.clock_offset_ns;
  return json;
}

Result<PlayedNotice> played_from(const Json& json) {
  try {
    return played(json);
  } catch (const Malformed& fault) {
    return Error{ErrorCode::protocol, "it sent an unreadable notice of what was played: " + fault.message};
  }
}

Result<ReceivedMeasurement> received_measurement_from(const Json& json) {
  try {
    ReceivedMeasurement received;
    Measurement& m = received.measurement;
    m.sequence = whole_number<std::uint32_t>(json, "sequence", 1, kLastSequence);
    received.stimulus = word(json, "stimulus");
    const auto outcome = outcome_from_string(word(json, "outcome"));
    if (!outcome) throw Malformed{"\"outcome\" is unknown"};
    m.outcome = *outcome;
    m.reason = word(json, "reason");
    if (json.contains("score_mode")) {
      const auto mode = score_mode_from_string(word(json, "score_mode"));
      if (!mode) throw Malformed{"\"score_mode\" is unknown"};
      m.mode = *mode;
    }
    m.mos_lqo = optional_number(json, "mos_lqo");
    if (json.contains("narrowband_mos_lqo")) m.narrowband_mos_lqo = optional_number(json, "narrowband_mos_lqo");
    m.auditory_distance = optional_number(json, "auditory_distance");
    m.clock_drift_ppm = optional_number(json, "clock_drift_ppm");
    m.level_difference_db = optional_number(json, "level_difference_db");
    if (const auto found = json.find("findings"); found != json.end()) {
      auto findings = findings_from(*found);
      if (!findings) throw Malformed{"it " + findings.error().message};
      m.findings = *std::move(findings);
    }
    if (const auto found = json.find("placement"); found != json.end()) {
      m.placement = placement_from(*found);
      if (!m.placement) throw Malformed{"\"placement\" is not a place in a recording"};
    }
    if (const std::string marks = word(json, "marks_found"); !marks.empty()) {
      m.marks_found = marks_found_from_string(marks);
      if (!m.marks_found) throw Malformed{"\"marks_found\" is unknown"};
    }
    for (const MarkField& field : kMarkFields) {
      if (json.contains(field.name)) m.*field.value = optional_number(json, field.name);
    }
    if (json.contains("note")) m.note = word(json, "note");
    m.recording = word(json, "recording");
    // A trailing mark never carries a number, whatever release its node has.
    received.number_guessed =
        m.marks_found == MarksFound::trailing_only || json.value("number_guessed", Json()) == true;
    if (json.contains("heard_until_ns")) received.heard_until_ns = nanoseconds(json, "heard_until_ns");
    if (!member(json, "arrived_at_ns").is_null()) received.arrived_at_ns = nanoseconds(json, "arrived_at_ns");
    if (json.contains("delay_track")) {
      for (const Json& one : list(json, "delay_track")) {
        m.delay_track.push_back({number(one, "start_s", kLongestWait_s), number(one, "length_s", kLongestWait_s),
                                 number(one, "delay_ms", kLongestDelay_ms)});
      }
    }
    if (const auto found = json.find("heard"); found != json.end()) {
      received.heard = idle_input_from(*found);
      if (!received.heard) throw Malformed{"\"heard\" is not a possible input of an end"};
    }
    if (json.contains("line")) {
      m.line = statistics(json);
      received.clock_offset_ns = offset(json);
      received.clock_step_ms = ms_or_0(json, "clock_step_ms");
      received.evidence = {m.marks_found == MarksFound::both, optional_number(json, "mark_drift_ppm"),
                           largest_step_ms(m.delay_track), ms_or_0(json, "zeroed_ms"), ms_or_0(json, "repeated_ms")};
    }
    if (const auto why = impossible(m)) throw Malformed{"it " + *why};
    return received;
  } catch (const Malformed& fault) {
    return Error{ErrorCode::protocol, "it sent an impossible measurement: " + fault.message};
  }
}

Json to_json(const SilenceNotice& silence) {
  return {{"sequence", silence.sequence},
          {"waited_s", silence.waited_s},
          {"left_s", silence.left_s},
          {"heard", idle_input_json(silence.heard)}};
}

Result<SilenceNotice> silence_from(const Json& json) {
  try {
    SilenceNotice silence;
    silence.sequence = whole_number<std::uint32_t>(json, "sequence", 1, kLastSequence);
    constexpr double kLongest_s = 2 * kLongestWait_s;
    silence.waited_s = std::fabs(number(json, "waited_s", kLongest_s));
    silence.left_s = std::fabs(number(json, "left_s", kLongest_s));
    const auto heard = idle_input_from(member(json, "heard"));
    if (!heard) throw Malformed{"\"heard\" is not a possible input of an end"};
    silence.heard = *heard;
    return silence;
  } catch (const Malformed& fault) {
    return Error{ErrorCode::protocol, "it sent an unreadable notice of silence: " + fault.message};
  }
}

Result<std::string> warning_from(const Json& json) {
  try {
    return as_plain_text(word(json, "message"));
  } catch (const Malformed& fault) {
    return Error{ErrorCode::protocol, "it sent an unreadable warning: " + fault.message};
  }
}

Result<std::string> trace_from(const Json& json) {
  try {
    return word(json, "text");
  } catch (const Malformed& fault) {
    return Error{ErrorCode::protocol, "it sent an unreadable trace: " + fault.message};
  }
}

Result<DepartureNotice> departure_from(const Json& json) {
  try {
    DepartureNotice departure;
    departure.sequence = whole_number<std::uint32_t>(json, "sequence", 1, kLastSequence);
    departure.left_at_ns = nanoseconds(json, "left_at_ns");
    if (json.contains("clock_offset_ns")) departure.clock_offset_ns = offset(json);
    if (json.contains("played")) {
      departure.played = played(json["played"]);
      if (departure.played->sequence != departure.sequence)
        throw Malformed{"\"played\" belongs to another transmission"};
    }
    return departure;
  } catch (const Malformed& fault) {
    return Error{ErrorCode::protocol, "it sent an impossible departure: " + fault.message};
  }
}

Result<RoundDone> round_done_from(const Json& json) {
  try {
    return RoundDone{whole_number<std::uint64_t>(json, "number", 1, kMostRounds),
                     whole_number<std::int64_t>(json, "line_time_ns", 0, kLongestRound_ns)};
  } catch (const Malformed& fault) {
    return Error{ErrorCode::protocol, "it sent an impossible end of a round: " + fault.message};
  }
}

Result<RoundFailed> round_failed_from(const Json& json) {
  try {
    RoundFailed failed{word(json, "code") == "line_lost", as_plain_text(word(json, "message")), std::nullopt};
    if (json.contains("line_time_ns")) {
      failed.line_time_ns = whole_number<std::int64_t>(json, "line_time_ns", 0, kLongestRound_ns);
    }
    return failed;
  } catch (const Malformed& fault) {
    return Error{ErrorCode::protocol, "it sent an unreadable failure: " + fault.message};
  }
}

Json to_json(const RoundRequest& request) {
  Json send = Json::array(), expect = Json::array();
  for (const auto& one : request.send) send.push_back({{"stimulus", one.stimulus}, {"sequence", one.sequence}});
  for (const auto& one : request.expect) {
    expect.push_back({{"stimulus", one.stimulus}, {"sequence", one.sequence}, {"within_s", one.within_s}});
  }
  Json json = {{"number", request.number}, {"send", send}, {"expect", expect}};
  if (request.in_turn) json["in_turn"] = true;
  return json;
}

Result<RoundRequest> round_request_from(const Json& json) {
  try {
    RoundRequest request;
    request.number = whole_number<std::uint64_t>(json, "number", 1, kMostRounds);
    for (const Json& one : list(json, "send")) {
      request.send.push_back({word(one, "stimulus"), whole_number<std::uint32_t>(one, "sequence", 1, kLastSequence)});
    }
    for (const Json& one : list(json, "expect")) {
      request.expect.push_back({word(one, "stimulus"), whole_number<std::uint32_t>(one, "sequence", 1, kLastSequence),
                                seconds(one, "within_s", kLongestWait_s)});
    }
    const Json in_turn = json.value("in_turn", Json(false));
    if (!in_turn.is_boolean()) throw Malformed{"\"in_turn\" must be true or false"};
    request.in_turn = in_turn.get<bool>();
    return request;
  } catch (const Malformed& fault) {
    return Error{ErrorCode::bad_input, fault.message};
  }
}

}  // namespace vqas
