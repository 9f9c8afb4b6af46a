#include "run/line_statistics_json.h"

#include <array>
#include <limits>
#include <utility>

namespace vqas {
namespace {

using Json = nlohmann::ordered_json;
using Count = std::uint32_t LineStatistics::*;

constexpr double kLongestJitter_ms = 1e6;
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

}  // namespace

Json to_json(const LineStatistics& statistics) {
  Json json = Json::object();
  for (const auto& [name, count] : kCounts) json[name] = statistics.*count;
  json["jitter_ms"] = statistics.jitter_ms;
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
  const auto jitter = json.find("jitter_ms");
  if (jitter == json.end()) return statistics;
  if (!jitter->is_number() || !(jitter->get<double>() >= 0 && jitter->get<double>() <= kLongestJitter_ms))
    return std::nullopt;
  statistics.jitter_ms = jitter->get<double>();
  return statistics;
}

}  // namespace vqas
