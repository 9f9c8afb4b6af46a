#include "run/line_statistics_json.h"

#include <array>
#include <limits>
#include <utility>

namespace vqas {
namespace {

using Json = nlohmann::ordered_json;
using Count = std::uint32_t LineStatistics::*;

constexpr double kLongest_ms = 1e6;
constexpr std::array kTimes{
    std::pair<const char*, double LineStatistics::*>{"jitter_ms", &LineStatistics::jitter_ms},
    std::pair<const char*, double LineStatistics::*>{"sent_late_ms", &LineStatistics::sent_late_ms},
};
constexpr std::array kCounts{
    std::pair<const char*, Count>{"input_overflows", &LineStatistics::input_overflows},
    std::pair<const char*, Count>{"input_underflows", &LineStatistics::input_underflows},
    std::pair<const char*, Count>{"output_overflows", &LineStatistics::output_overflows},
    std::pair<const char*, Count>{"output_underflows", &LineStatistics::output_underflows},
    std::pair<const char*, Count>{"lost_samples", &LineStatistics::lost_samples},
    std::pair<const char*, Count>{"inserted_samples", &LineStatistics::inserted_samples},
    std::pair<const char*, Count>{"unsent_samples", &LineStatistics::unsent_samples},
    std::pair<const char*, Count>{"packets", &LineStatistics::packets},
    std::pair<const char*, Count>{"packets_lost", &LineStatistics::packets_lost},
    std::pair<const char*, Count>{"packets_late", &LineStatistics::packets_late},
    std::pair<const char*, Count>{"packets_repeated", &LineStatistics::packets_repeated},
    std::pair<const char*, Count>{"packets_discarded", &LineStatistics::packets_discarded},
    std::pair<const char*, Count>{"packets_of_others", &LineStatistics::packets_of_others},
    std::pair<const char*, Count>{"packets_contradicting", &LineStatistics::packets_contradicting},
    std::pair<const char*, Count>{"source_changes", &LineStatistics::source_changes},
    std::pair<const char*, Count>{"silence_samples", &LineStatistics::silence_samples},
    std::pair<const char*, Count>{"concealed_samples", &LineStatistics::concealed_samples},
    std::pair<const char*, Count>{"buffer_steps", &LineStatistics::buffer_steps},
    std::pair<const char*, Count>{"buffer_resets", &LineStatistics::buffer_resets},
};

constexpr std::array kFar{
    std::pair<const char*, std::optional<double> FarReport::*>{"round_trip_ms", &FarReport::round_trip_ms},
    std::pair<const char*, std::optional<double> FarReport::*>{"discard_fraction", &FarReport::discard_fraction},
    std::pair<const char*, std::optional<double> FarReport::*>{"buffer_ms", &FarReport::buffer_ms},
    std::pair<const char*, std::optional<double> FarReport::*>{"mos_lq", &FarReport::mos_lq},
};

// Within 0..most; nothing for anything else.
std::optional<double> number_in(const Json& json, const char* name, double most) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_number()) return std::nullopt;
  const auto value = found->get<double>();
  return value >= 0 && value <= most ? std::optional(value) : std::nullopt;
}

}  // namespace

Json to_json(const FarReport& far) {
  Json json{{"reports", far.reports},
            {"packets_lost", far.packets_lost},
            {"loss_fraction", far.loss_fraction},
            {"jitter_ms", far.jitter_ms}};
  for (const auto& [name, value] : kFar) {
    if (far.*value) json[name] = *(far.*value);
  }
  return json;
}

std::optional<FarReport> far_report_from(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  FarReport far;
  const auto reports = number_in(json, "reports", std::numeric_limits<std::uint32_t>::max());
  const auto fraction = number_in(json, "loss_fraction", 1), jitter = number_in(json, "jitter_ms", kLongest_ms);
  const auto lost = json.find("packets_lost");
  constexpr std::int64_t kMostLost = 1 << 23;  // RFC 3550, 6.4.1: 24 bits, signed
  if (!reports || !fraction || !jitter || lost == json.end() || !lost->is_number_integer()) return std::nullopt;
  if (lost->get<std::int64_t>() < -kMostLost || lost->get<std::int64_t>() >= kMostLost) return std::nullopt;
  far.reports = static_cast<std::uint32_t>(*reports);
  far.packets_lost = lost->get<std::int32_t>();
  far.loss_fraction = *fraction;
  far.jitter_ms = *jitter;
  for (const auto& [name, value] : kFar) {
    if (!json.contains(name)) continue;
    far.*value = number_in(json, name, kLongest_ms);
    if (!(far.*value)) return std::nullopt;
  }
  return far;
}

Json to_json(const LineStatistics& statistics) {
  Json json = Json::object();
  for (const auto& [name, count] : kCounts) json[name] = statistics.*count;
  for (const auto& [name, time_ms] : kTimes) json[name] = statistics.*time_ms;
  if (statistics.far) json["far"] = to_json(*statistics.far);
  return json;
}

std::optional<LineStatistics> line_statistics_from(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  LineStatistics statistics;
  for (const auto& [name, count] : kCounts) {
    const auto found = json.find(name);
    if (found == json.end()) continue;
    if (!found->is_number_unsigned() || found->get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
      return std::nullopt;
    statistics.*count = found->get<std::uint32_t>();
  }
  for (const auto& [name, time_ms] : kTimes) {
    if (!json.contains(name)) continue;
    const auto value = number_in(json, name, kLongest_ms);
    if (!value) return std::nullopt;
    statistics.*time_ms = *value;
  }
  if (json.contains("far")) {
    statistics.far = far_report_from(json["far"]);
    if (!statistics.far) return std::nullopt;
  }
  return statistics;
}

}  // namespace vqas
