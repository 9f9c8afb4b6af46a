#include "vqas/calls/call_json.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "run/json_members.h"
#include "run/line_statistics_json.h"
#include "vqas/signal/csv.h"

namespace vqas {
namespace {

constexpr double kMost = std::numeric_limits<std::uint32_t>::max();
constexpr double kLongest_s = 1e9;
constexpr const char* kNarrowbandMos = "narrowband_mos";

double rounded(double value, double steps) {
  return std::round(value * steps) / steps;
}

Json or_null(const std::optional<double>& value, double steps) {
  return value ? Json(rounded(*value, steps)) : Json();
}

std::optional<double> optional_at(const Json& json, const char* key, double most) {
  const double value = number_at(json, key, -1, most);
  return value < 0 ? std::nullopt : std::optional(value);
}

std::uint32_t count_at(const Json& json, const char* key) {
  return static_cast<std::uint32_t>(number_at(json, key, 0, kMost));
}

Json packets_json(const CallPackets& packets) {
  const LineStatistics& heard = packets.heard;
  Json json = {{"sent", packets.sent},
               {"refused", packets.refused},
               {"received", heard.packets},
               {"lost", heard.packets_lost},
               {"late", heard.packets_late},
               {"repeated", heard.packets_repeated},
               {"discarded", heard.packets_discarded},
               {"concealed_ms", rounded(heard.concealed_samples / 8.0, 1)},
               {"worst_jitter_ms", rounded(packets.worst_jitter_ms, 1e3)},
               {"moves", packets.moves}};
  if (heard.far) json["far"] = to_json(*heard.far);
  return json;
}

CallPackets packets_from(const Json& json) {
  CallPackets packets;
  packets.sent = count_at(json, "sent");
  packets.refused = count_at(json, "refused");
  packets.heard.packets = count_at(json, "received");
  packets.heard.packets_lost = count_at(json, "lost");
  packets.heard.packets_late = count_at(json, "late");
  packets.heard.packets_repeated = count_at(json, "repeated");
  packets.heard.packets_discarded = count_at(json, "discarded");
  packets.heard.concealed_samples = static_cast<std::uint32_t>(8 * number_at(json, "concealed_ms", 0, kMost / 8));
  packets.worst_jitter_ms = number_at(json, "worst_jitter_ms", 0, kMost);
  packets.moves = count_at(json, "moves");
  if (json.contains("far")) packets.heard.far = far_report_from(json["far"]);
  return packets;
}

Json sentence_json(const CallSentence& sentence) {
  Json json = {{"stimulus", sentence.stimulus},
               {"outcome", to_string(sentence.outcome)},
               {"mos", or_null(sentence.mos, 1e4)},
               {"marks_confidence", or_null(sentence.marks_confidence, 1e4)},
               {"reason", sentence.reason}};
  if (sentence.lacks_upper_band) json["lacks_upper_band"] = true;
  if (sentence.narrowband_mos) json[kNarrowbandMos] = rounded(*sentence.narrowband_mos, 1e4);
  return json;
}

std::string in_cell(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : std::string();
}

}  // namespace

Json to_json(const CallOutcome& call) {
  Json sentences = Json::array();
  for (const CallSentence& one : call.sentences) sentences.push_back(sentence_json(one));
  Json json = {{"call", call.number},
               {"at_once", call.at_once},
               {"started_utc", call.started_utc},
               {"started_s", rounded(call.started_s, 1e3)},
               {"other", call.other},
               {"result", to_string(call.result)},
               {"end", call.end},
               {"code", call.code},
               {"reason", call.reason},
               {"ring_s", or_null(call.ring_s, 1e4)},
               {"answer_s", or_null(call.answer_s, 1e4)},
               {"talked_s", rounded(call.talked_s, 1e3)},
               {"mos", or_null(call.mos(), 1e4)},
               {"expected", call.expected},
               {"sentences", sentences},
               {"packets", packets_json(call.packets)},
               {"sent_late", call.lateness.late},
               {"worst_late_ms", rounded(call.lateness.worst_ms, 1e3)},
               {"recording", call.recording}};
  if (call.mode != ScoreMode::narrowband) json["score_mode"] = to_string(call.mode);
  if (!call.narrow.empty()) json["narrow"] = call.narrow;
  if (const auto mos = call.narrowband_mos()) json[kNarrowbandMos] = rounded(*mos, 1e4);
  return json;
}

Result<CallOutcome> call_from_json(const Json& json) {
  const Error wrong{ErrorCode::bad_input, "not a call"};
  if (!json.is_object()) return wrong;
  const auto result = call_result_from_string(text_at(json, "result"));
  CallOutcome call;
  call.number = count_at(json, "call");
  if (!result || call.number == 0) return wrong;
  call.result = *result;
  call.at_once = count_at(json, "at_once");
  call.started_utc = text_at(json, "started_utc");
  call.started_s = number_at(json, "started_s", 0, kLongest_s);
  call.other = text_at(json, "other");
  call.end = text_at(json, "end");
  call.code = static_cast<int>(number_at(json, "code", 0, 999));
  call.reason = text_at(json, "reason");
  call.ring_s = optional_at(json, "ring_s", kLongest_s);
  call.answer_s = optional_at(json, "answer_s", kLongest_s);
  call.talked_s = number_at(json, "talked_s", 0, kLongest_s);
  call.expected = count_at(json, "expected");
  const Json sentences = json.value("sentences", Json());
  if (!sentences.is_array()) return wrong;
  for (const Json& one : sentences) {
    const auto outcome = one.is_object() ? outcome_from_string(text_at(one, "outcome")) : std::nullopt;
    if (!outcome) return wrong;
    call.sentences.push_back({text_at(one, "stimulus"), *outcome, optional_at(one, "mos", 5),
                              optional_at(one, "marks_confidence", 1), text_at(one, "reason"),
                              one.value("lacks_upper_band", Json()) == true, optional_at(one, kNarrowbandMos, 5)});
  }
  call.packets = packets_from(object_at(json, "packets"));
  call.lateness = {count_at(json, "sent_late"), number_at(json, "worst_late_ms", 0, 1e9)};
  call.recording = text_at(json, "recording");
  if (json.contains("score_mode")) {
    const auto mode = score_mode_from_string(text_at(json, "score_mode"));
    if (!mode) return wrong;
    call.mode = *mode;
  }
  call.narrow = text_at(json, "narrow");
  // A score in narrowband stands beside one in wideband.
  for (const CallSentence& one : call.sentences) {
    if (one.narrowband_mos && (call.mode == ScoreMode::narrowband || !one.mos)) return wrong;
  }
  // A score without its sentences would be no score.
  if (call.result == CallResult::scored && !call.mos()) return wrong;
  return call;
}

std::string csv_heading(ScoreMode mode) {
  const std::string heading =
      "call,at_once,started_utc,started_s,other,result,end,code,reason,ring_s,answer_s,talked_s,mos,stimuli,"
      "expected,scored,packets_sent,packets_received,packets_lost,packets_late,worst_jitter_ms,sent_late,"
      "worst_late_ms,recording,relative_mos,far_lost,far_jitter_ms,round_trip_ms";
  return heading + (mode == ScoreMode::wideband ? ",score_mode,narrow,narrowband_mos\n" : "\n");
}

std::string csv_row(const CallOutcome& call, std::optional<double> relative_mos) {
  std::string stimuli;
  std::size_t scored = 0;
  for (const CallSentence& one : call.sentences) {
    scored += one.mos ? 1 : 0;
    stimuli += (stimuli.empty() ? "" : " ") + one.stimulus;
  }
  const LineStatistics& heard = call.packets.heard;
  CsvRow row = {std::to_string(call.number),
                std::to_string(call.at_once),
                call.started_utc,
                fmt::format("{:.3f}", call.started_s),
                call.other,
                std::string(to_string(call.result)),
                call.end,
                call.code == 0 ? std::string() : std::to_string(call.code),
                call.reason,
                in_cell(call.ring_s, 4),
                in_cell(call.answer_s, 4),
                fmt::format("{:.3f}", call.talked_s),
                in_cell(call.mos(), 4),
                stimuli,
                std::to_string(call.expected),
                std::to_string(scored),
                std::to_string(call.packets.sent),
                std::to_string(heard.packets),
                std::to_string(heard.packets_lost),
                std::to_string(heard.packets_late),
                fmt::format("{:.3f}", call.packets.worst_jitter_ms),
                std::to_string(call.lateness.late),
                fmt::format("{:.3f}", call.lateness.worst_ms),
                call.recording,
                in_cell(relative_mos, 4),
                heard.far ? std::to_string(heard.far->packets_lost) : std::string(),
                heard.far ? fmt::format("{:.3f}", heard.far->jitter_ms) : std::string(),
                heard.far ? in_cell(heard.far->round_trip_ms, 3) : std::string()};
  if (call.mode == ScoreMode::wideband)
    row.insert(row.end(), {std::string(to_string(call.mode)), call.narrow, in_cell(call.narrowband_mos(), 4)});
  return csv_line(row);
}

}  // namespace vqas
