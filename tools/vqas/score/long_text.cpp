#include "score/long_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "score/score_text.h"
#include "vqas/batch/long_differences.h"
#include "vqas/signal/rounding.h"

namespace vqas::cli {
namespace {

constexpr std::size_t kMostLines = 10;
// Above lines of line_of().
constexpr const char* kHeading = "Segments that differ      MOS   impairments\n";

std::string line_of(const SegmentScore& segment) {
  const Score& one = segment.score;
  std::string text =
      fmt::format("{:>8.1f} s to {:>8.1f} s  {}", segment.start_s, segment.start_s + segment.length_s,
                  one.mos_lqo ? fmt::format("{:.2f}", *one.mos_lqo) : std::string(to_string(one.outcome)));
  for (const ImpairmentFinding& finding : one.impairments) text += fmt::format("  {}", to_string(finding.impairment));
  if (!one.reason.empty()) text += fmt::format("\n{:>26}reason: {}", "", one.reason);
  return text + "\n";
}

std::string more_than(std::size_t count, const char* what, const char* member) {
  if (count <= kMostLines) return "";
  return fmt::format("… and {} more {}; --json prints all, in {}\n", count - kMostLines, what, member);
}

Json number(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

std::string to_text(const LongScore& score) {
  const auto differing = differing_segments(score);
  const auto steps = delay_steps(score.overall);
  std::string text = differing.empty() ? "" : kHeading;
  for (std::size_t k = 0; k < std::min(kMostLines, differing.size()); ++k) text += line_of(*differing[k]);
  text += more_than(differing.size(), "segments that differ", "segments");
  for (std::size_t k = 0; k < std::min(kMostLines, steps.size()); ++k) {
    text += fmt::format("{:>8.1f} s  the delay steps by {:+.1f} ms, from {:.1f} to {:.1f} ms\n", steps[k].at_s,
                        steps[k].to_ms - steps[k].from_ms, rounded_to(steps[k].from_ms, 0.1),
                        rounded_to(steps[k].to_ms, 0.1));
  }
  text += more_than(steps.size(), "steps of the delay", "delay_track");
  if (!text.empty()) text += "\n";
  text += fmt::format(
      "Segments           {} of {} have a score (the figures below are of all), {} differ from the rest{}\n",
      score.scored, score.segments.size(), differing.size(), differing.empty() ? "" : ", above");
  if (!steps.empty()) {
    text += fmt::format("Steps of the delay {}, above; the delay below is the median of the segments\n", steps.size());
  }
  return text + to_text(score.overall, true);
}

Json to_json(const LongScore& score, const std::string& reference, const std::string& degraded) {
  Json json = to_json(score.overall, reference, degraded);
  json["segments"] = Json::array();
  for (const SegmentScore& segment : score.segments) {
    Json impairments = Json::array();
    for (const ImpairmentFinding& finding : segment.score.impairments)
      impairments.push_back(to_string(finding.impairment));
    json["segments"].push_back({{"start_s", segment.start_s},
                                {"length_s", segment.length_s},
                                {"outcome", to_string(segment.score.outcome)},
                                {"reason", segment.score.reason},
                                {"mos_lqo", number(segment.score.mos_lqo)},
                                {"auditory_distance", number(segment.score.auditory_distance)},
                                {"delay_ms", number(segment.score.delay_ms)},
                                {"impairments", std::move(impairments)}});
  }
  return json;
}

std::string to_json_text(const LongScore& score, const std::string& reference, const std::string& degraded) {
  return to_json(score, reference, degraded).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vqas::cli
