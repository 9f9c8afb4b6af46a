#include "node/wire_json.h"

#include <fmt/format.h>

namespace vqas {
namespace {

// More than a round of two hours; keeps a message and the memory for it small.
constexpr std::size_t kMostTransmissions = 1000;
constexpr std::uint32_t kLastSequence = 65535;  // 16 bits in a mark
constexpr double kLongestWait_s = 600;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <typename T>
std::optional<T> optional_at(const Json& json, const char* key) {
  const Json& value = json.at(key);
  if (value.is_null()) return std::nullopt;
  return value.get<T>();
}

struct Malformed {
  std::string message;
};

const Json& member(const Json& json, const char* key) {
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

double seconds(const Json& json, const char* key, double most) {
  const Json& value = member(json, key);
  if (!value.is_number() || !(value.get<double>() > 0) || value.get<double>() > most) {
    throw Malformed{fmt::format("\"{}\" must be above 0 and at most {}", key, most)};
  }
  return value.get<double>();
}

}  // namespace

Json to_json(const ReceivedMeasurement& received) {
  const Measurement& m = received.measurement;
  return {{"sequence", m.sequence},
          {"stimulus", received.stimulus},
          {"outcome", to_string(m.outcome)},
          {"reason", m.reason},
          {"mos_lqo", or_null(m.mos_lqo)},
          {"auditory_distance", or_null(m.auditory_distance)},
          {"clock_drift_ppm", or_null(m.clock_drift_ppm)},
          {"level_difference_db", or_null(m.level_difference_db)},
          {"marks_found", m.marks_found},
          {"recording", m.recording},
          {"arrived_at_ns", or_null(received.arrived_at_ns)}};
}

Result<ReceivedMeasurement> received_measurement_from(const Json& json) {
  try {
    ReceivedMeasurement received;
    Measurement& m = received.measurement;
    json.at("sequence").get_to(m.sequence);
    json.at("stimulus").get_to(received.stimulus);
    const auto outcome = outcome_from_string(json.at("outcome").get<std::string>());
    if (!outcome) return Error{ErrorCode::protocol, "a node named an unknown outcome"};
    m.outcome = *outcome;
    json.at("reason").get_to(m.reason);
    m.mos_lqo = optional_at<double>(json, "mos_lqo");
    m.auditory_distance = optional_at<double>(json, "auditory_distance");
    m.clock_drift_ppm = optional_at<double>(json, "clock_drift_ppm");
    m.level_difference_db = optional_at<double>(json, "level_difference_db");
    json.at("marks_found").get_to(m.marks_found);
    json.at("recording").get_to(m.recording);
    received.arrived_at_ns = optional_at<std::int64_t>(json, "arrived_at_ns");
    if ((m.outcome == Outcome::scored) != m.mos_lqo.has_value()) {
      return Error{ErrorCode::protocol, "a node sent a score without the outcome \"scored\", or this without a score"};
    }
    return received;
  } catch (const Json::exception& fault) {
    return Error{ErrorCode::protocol, std::string("a node's measurement cannot be read: ") + fault.what()};
  }
}

Json to_json(const RoundRequest& request) {
  Json send = Json::array(), expect = Json::array();
  for (const auto& one : request.send) send.push_back({{"stimulus", one.stimulus}, {"sequence", one.sequence}});
  for (const auto& one : request.expect) {
    expect.push_back({{"stimulus", one.stimulus}, {"sequence", one.sequence}, {"within_s", one.within_s}});
  }
  return {{"number", request.number}, {"send", send}, {"expect", expect}};
}

Result<RoundRequest> round_request_from(const Json& json) {
  try {
    RoundRequest request;
    request.number = whole_number<std::uint64_t>(json, "number", 1, std::uint64_t{1} << 53);
    for (const Json& one : list(json, "send")) {
      request.send.push_back({word(one, "stimulus"), whole_number<std::uint32_t>(one, "sequence", 1, kLastSequence)});
    }
    for (const Json& one : list(json, "expect")) {
      request.expect.push_back({word(one, "stimulus"), whole_number<std::uint32_t>(one, "sequence", 1, kLastSequence),
                                seconds(one, "within_s", kLongestWait_s)});
    }
    return request;
  } catch (const Malformed& fault) {
    return Error{ErrorCode::bad_input, fault.message};
  }
}

}  // namespace vqas
