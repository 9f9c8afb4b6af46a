#include "score/score_long.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "score/score_text.h"
#include "vqas/signal/audio_reader.h"

namespace vqas::cli {
namespace {

using Json = nlohmann::ordered_json;

LongRecording as_long_recording(AudioReader reader) {
  const auto shared = std::make_shared<AudioReader>(std::move(reader));
  return {shared->seconds(), [shared](double start_s, double seconds) { return shared->read(start_s, seconds); }};
}

constexpr double kColumns = 1000;      // about the pixels of a picture
constexpr double kNarrowestS = 0.016;  // the model's frames
constexpr float kSilenceDb = -90;

// Puts the values of one stretch into the columns of its time; of the frames of a column the one furthest from `rest`
// counts, so that nothing short is overlooked.
void squeeze(const TimeFrequency& from, const StretchScore& stretch, float rest, TimeFrequency& to) {
  constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
  if (to.hz.empty()) to.hz = from.hz;
  if (to.hz.empty()) return;
  const std::size_t width = to.columns();
  const auto column_at = [&](double seconds) { return static_cast<std::size_t>(seconds / to.frame_s); };
  const std::size_t first = column_at(stretch.start_s);
  const std::size_t last = column_at(stretch.start_s + stretch.length_s) + 1;
  if (to.values.size() < last * width) to.values.resize(last * width, kUnknown);
  std::fill(to.values.begin() + static_cast<std::ptrdiff_t>(first * width),
            to.values.begin() + static_cast<std::ptrdiff_t>(last * width), from.frames() > 0 ? rest : kUnknown);
  for (std::size_t frame = 0; frame < from.frames(); ++frame) {
    const std::size_t column = column_at(stretch.start_s + static_cast<double>(frame) * from.frame_s);
    if (column >= last) break;
    for (std::size_t k = 0; k < width; ++k) {
      float& cell = to.values[column * width + k];
      const float value = from.values[frame * width + k];
      if (std::abs(value - rest) > std::abs(cell - rest)) cell = value;
    }
  }
}

constexpr std::size_t kMostLines = 10;
constexpr double kLowerMos = 0.5;  // below the better stretches: more than a listener takes for the same
constexpr double kStepMs = 10;     // a clock's drift of 100 ppm moves the delay by 2 ms in a stretch

/// Stretches to be looked at: without a score where somebody talks, far below the others, or with loss or a step.
std::vector<const StretchScore*> differing_stretches(const LongScore& score) {
  std::vector<double> all;
  std::map<Cause, std::size_t> named;
  for (const StretchScore& stretch : score.stretches) {
    if (!stretch.score.mos_lqo) continue;
    all.push_back(*stretch.score.mos_lqo);
    for (const CauseFinding& finding : stretch.score.causes) ++named[finding.cause];
  }
  // The upper quartile: up to three quarters may be spoilt.
  const auto usual = all.begin() + static_cast<std::ptrdiff_t>(all.size() * 3 / 4);
  std::nth_element(all.begin(), usual, all.end());
  // What most of them have is no difference.
  const auto tells = [&](const CauseFinding& finding) {
    const bool is_event =
        finding.cause == Cause::loss || finding.cause == Cause::cut || finding.cause == Cause::delay_variation;
    return is_event && 2 * named[finding.cause] <= all.size();
  };
  std::vector<const StretchScore*> differing;
  for (const StretchScore& stretch : score.stretches) {
    const Score& one = stretch.score;
    const bool differs =
        one.mos_lqo ? *one.mos_lqo < *usual - kLowerMos || std::any_of(one.causes.begin(), one.causes.end(), tells)
                    : one.outcome != Outcome::no_speech;
    if (differs) differing.push_back(&stretch);
  }
  return differing;
}

std::string line_of(const StretchScore& stretch) {
  const Score& one = stretch.score;
  std::string text =
      fmt::format("{:>8.1f} s to {:>8.1f} s  {}", stretch.start_s, stretch.start_s + stretch.length_s,
                  one.mos_lqo ? fmt::format("{:.2f}", *one.mos_lqo) : std::string(to_string(one.outcome)));
  for (const CauseFinding& finding : one.causes) text += fmt::format("  {}", to_string(finding.cause));
  return text + "\n";
}

struct DelayStep {
  double at_s = 0, from_ms = 0, to_ms = 0;
};

std::vector<DelayStep> delay_steps(const Score& score) {
  std::vector<DelayStep> steps;
  const auto& track = score.delay_track;
  for (std::size_t k = 1; k < track.size(); ++k) {
    if (std::abs(track[k].delay_ms - track[k - 1].delay_ms) < kStepMs) continue;
    steps.push_back({track[k].start_s, track[k - 1].delay_ms, track[k].delay_ms});
  }
  return steps;
}

std::string more_than(std::size_t count, const char* what) {
  return count > kMostLines ? fmt::format("… and {} more {}: --json\n", count - kMostLines, what) : "";
}

Json number(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

double length_of(const std::filesystem::path& recording, int channel) {
  const auto reader = AudioReader::open(recording, channel);
  return reader ? reader->seconds() : 0;
}

Status check_lengths(const std::filesystem::path& reference, int reference_channel,
                     const std::filesystem::path& degraded, int degraded_channel) {
  const double reference_s = length_of(reference, reference_channel);
  const double degraded_s = length_of(degraded, degraded_channel);
  if (reference_s == 0 || reference_s >= kLongFromS || degraded_s <= kLongestForShortS) return success();
  return Error{
      ErrorCode::bad_input,
      fmt::format("{} lasts {:.0f} s: a reference of less than {:.0f} s is looked for in at most {:.0f} s, for "
                  "the search holds all of it in memory; cut out the part that should hold {}, or give "
                  "everything that was sent as the reference",
                  degraded.string(), degraded_s, kLongFromS, kLongestForShortS, reference.string())};
}

Result<LongScore> score_long_files(Scorer& scorer, const std::filesystem::path& reference, int reference_channel,
                                   const std::filesystem::path& degraded, int degraded_channel,
                                   const StretchEvents& events) {
  auto from = AudioReader::open(reference, reference_channel);
  if (!from) return from.error();
  auto to = AudioReader::open(degraded, degraded_channel);
  if (!to) return to.error();
  return score_in_stretches(scorer, as_long_recording(*std::move(from)), as_long_recording(*std::move(to)), {}, events);
}

LongExplanation::LongExplanation(double seconds) : column_s_(std::max(kNarrowestS, seconds / kColumns)) {
  for (TimeFrequency* map : {&all_.reference, &all_.degraded, &all_.distance}) map->frame_s = column_s_;
}

void LongExplanation::add(const StretchScore& stretch, const Explanation& explanation) {
  squeeze(explanation.reference, stretch, kSilenceDb, all_.reference);
  squeeze(explanation.degraded, stretch, kSilenceDb, all_.degraded);
  squeeze(explanation.distance, stretch, 0, all_.distance);
  Explanation part;
  part.shares = explanation.shares;
  part.matched = explanation.matched;
  part.missing = explanation.missing;
  parts_[stretch.start_s] = std::move(part);
}

Explanation LongExplanation::sum(const LongScore& score) const {
  Explanation sum = all_;
  double distances = 0;
  for (const StretchScore& stretch : score.stretches) {
    const auto part = parts_.find(stretch.start_s);
    if (part == parts_.end()) continue;
    const auto append = [&](std::vector<Stretch>& to, const std::vector<Stretch>& from) {
      for (const Stretch& one : from) to.push_back({stretch.start_s + one.start_s, one.length_s});
    };
    append(sum.matched, part->second.matched);
    append(sum.missing, part->second.missing);
    const bool is_explained = !part->second.matched.empty();
    const double distance = is_explained ? stretch.score.auditory_distance.value_or(0) : 0;
    distances += distance;
    sum.shares.changed += distance * part->second.shares.changed;
    sum.shares.raised += distance * part->second.shares.raised;
    sum.shares.inserted += distance * part->second.shares.inserted;
  }
  for (double* share : {&sum.shares.changed, &sum.shares.raised, &sum.shares.inserted}) {
    *share = distances > 0 ? *share / distances : 0;
  }
  return sum;
}

std::string to_text(const LongScore& score) {
  const auto differing = differing_stretches(score);
  const auto steps = delay_steps(score.overall);
  std::string text;
  for (std::size_t k = 0; k < std::min(kMostLines, differing.size()); ++k) text += line_of(*differing[k]);
  text += more_than(differing.size(), "stretches that differ");
  for (std::size_t k = 0; k < std::min(kMostLines, steps.size()); ++k) {
    text += fmt::format("{:>8.1f} s  the delay steps by {:+.1f} ms, from {:.1f} to {:.1f} ms\n", steps[k].at_s,
                        steps[k].to_ms - steps[k].from_ms, steps[k].from_ms, steps[k].to_ms);
  }
  text += more_than(steps.size(), "steps of the delay");
  if (!text.empty()) text += "\n";
  text += fmt::format(
      "Stretches          {} of {} have a score (the figures below are of all), {} differ from the rest{}\n",
      score.scored, score.stretches.size(), differing.size(), differing.empty() ? "" : ", above");
  if (!steps.empty()) {
    text += fmt::format("Steps of the delay {}, above; the delay below is the median of the stretches\n", steps.size());
  }
  return text + to_text(score.overall);
}

std::string to_json_text(const LongScore& score, const std::string& reference, const std::string& degraded) {
  Json json = Json::parse(to_json_text(ExplainedScore{score.overall, {}}, reference, degraded));
  json["stretches"] = Json::array();
  for (const StretchScore& stretch : score.stretches) {
    Json causes = Json::array();
    for (const CauseFinding& finding : stretch.score.causes) causes.push_back(to_string(finding.cause));
    json["stretches"].push_back({{"start_s", stretch.start_s},
                                 {"length_s", stretch.length_s},
                                 {"outcome", to_string(stretch.score.outcome)},
                                 {"reason", stretch.score.reason},
                                 {"mos_lqo", number(stretch.score.mos_lqo)},
                                 {"auditory_distance", number(stretch.score.auditory_distance)},
                                 {"delay_ms", number(stretch.score.delay_ms)},
                                 {"causes", std::move(causes)}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vqas::cli
