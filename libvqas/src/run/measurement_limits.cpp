#include "run/measurement_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "vqas/run/mos_scale.h"
#include "vqas/signal/plain_text.h"

namespace vqas {
namespace {

constexpr double kLargestDistance = 1e6;
constexpr double kLargestDrift_ppm = 1e6;
constexpr double kLargestLevel_db = 1e3;

struct Range {
  const char* name;
  const std::optional<double> Measurement::*value;
  double lowest, highest;
};
constexpr std::array<Range, 10> kRanges{{
    {"narrowband_mos_lqo", &Measurement::narrowband_mos_lqo, kLowestMos, highest_mos(ScoreMode::narrowband)},
    {"auditory_distance", &Measurement::auditory_distance, 0, kLargestDistance},
    {"delay_ms", &Measurement::delay_ms, -kLongestDelay_ms, kLongestDelay_ms},
    {"clock_drift_ppm", &Measurement::clock_drift_ppm, -kLargestDrift_ppm, kLargestDrift_ppm},
    {"leading_confidence", &Measurement::leading_confidence, 0, 1},
    {"trailing_confidence", &Measurement::trailing_confidence, 0, 1},
    {"delay_step_ms", &Measurement::delay_step_ms, -kLongestDelay_ms, kLongestDelay_ms},
    {"echo_delay_ms", &Measurement::echo_delay_ms, 0, kLongestDelay_ms},
    {"echo_return_loss_db", &Measurement::echo_return_loss_db, -kLargestLevel_db, kLargestLevel_db},
    {"level_difference_db", &Measurement::level_difference_db, -kLargestLevel_db, kLargestLevel_db},
}};

bool is_short_and_plain(const std::string& text, std::size_t longest) {
  return text.size() <= longest && is_plain_text(text);
}

// A recording must lie within the run's folder.
bool is_inside(const std::string& path) {
  if (path.find('\\') != std::string::npos) return false;
  const std::filesystem::path parts(path);
  return parts.is_relative() && std::ranges::none_of(parts, [](const auto& part) { return part == ".."; });
}

}  // namespace

std::optional<std::string> impossible(const Measurement& measurement) {
  if (measurement.sequence < 1 || measurement.sequence > kLastSequence)
    return fmt::format("has a sequence outside 1..{}", kLastSequence);
  // The comparisons are false for NaN.
  const auto is_within = [](const std::optional<double>& value, double lowest, double highest) {
    return !value || (*value >= lowest && *value <= highest);
  };
  const double highest = highest_mos(measurement.mode);
  if (!is_within(measurement.mos_lqo, kLowestMos, highest))
    return fmt::format("has a mos_lqo outside {}..{}", kLowestMos, highest);
  for (const Range& range : kRanges) {
    if (!is_within(measurement.*range.value, range.lowest, range.highest))
      return fmt::format("has a {} outside {}..{}", range.name, range.lowest, range.highest);
  }
  if (measurement.narrowband_mos_lqo && (measurement.mode == ScoreMode::narrowband || !measurement.mos_lqo))
    return "has a narrowband_mos_lqo beside no score in wideband";
  if (measurement.mos_lqo.has_value() != (measurement.outcome == Outcome::scored))
    return "must have a mos_lqo when it is scored, and only then";
  if (!is_short_and_plain(measurement.reason, kLongestReason))
    return fmt::format("has a reason of more than {} bytes or with control characters", kLongestReason);
  if (!is_short_and_plain(measurement.note, kLongestReason))
    return fmt::format("has a note of more than {} bytes or with control characters", kLongestReason);
  if (!is_short_and_plain(measurement.recording, kLongestRecording))
    return fmt::format("has a recording's name of more than {} bytes or with control characters", kLongestRecording);
  if (!is_inside(measurement.recording)) return "has a recording outside the run's folder";
  return std::nullopt;
}

std::optional<std::string> on_other_scale(const Measurement& measurement, ScoreMode run) {
  if (!measurement.mos_lqo || measurement.mode == run) return std::nullopt;
  return fmt::format("has a score on the scale {} in a run of {}", scale_name(measurement.mode), scale_name(run));
}

void lose_score(Measurement& measurement, Outcome outcome, const std::string& reason) {
  measurement.outcome = outcome;
  measurement.reason = reason;
  measurement.mos_lqo.reset();
  measurement.narrowband_mos_lqo.reset();
  measurement.auditory_distance.reset();
}

std::string as_plain_text(const std::string& text) {
  std::string plain = text.substr(0, kLongestReason);
  // Removes a truncated UTF-8 character as a whole.
  if (plain.size() < text.size()) {
    while (!plain.empty() && (static_cast<unsigned char>(text[plain.size()]) & 0xC0) == 0x80) plain.pop_back();
  }
  return plain_text(plain);
}

std::string as_sentence_part(const std::string& text) {
  std::string part = as_plain_text(text);
  while (!part.empty() && (part.back() == '.' || part.back() == ' ')) part.pop_back();
  return part;
}

}  // namespace vqas
