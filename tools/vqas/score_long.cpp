#include "score_long.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "score_text.h"
#include "vqas/signal/audio_reader.h"

namespace vqas::cli {
namespace {

using Json = nlohmann::ordered_json;

LongRecording as_long_recording(AudioReader reader) {
  const auto shared = std::make_shared<AudioReader>(std::move(reader));
  return {shared->seconds(), [shared](double start_s, double seconds) { return shared->read(start_s, seconds); }};
}

Json number(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

bool is_long(const std::filesystem::path& reference, int channel) {
  const auto reader = AudioReader::open(reference, channel);
  return reader && reader->seconds() >= kLongFromS;
}

Result<LongScore> score_long_files(Scorer& scorer, const std::filesystem::path& reference, int reference_channel,
                                   const std::filesystem::path& degraded, int degraded_channel,
                                   const std::function<bool(double done)>& on_progress) {
  auto from = AudioReader::open(reference, reference_channel);
  if (!from) return from.error();
  auto to = AudioReader::open(degraded, degraded_channel);
  if (!to) return to.error();
  return score_in_stretches(scorer, as_long_recording(*std::move(from)), as_long_recording(*std::move(to)), {},
                            on_progress);
}

std::string to_text(const LongScore& score) {
  std::string text = to_text(score.overall);
  text += fmt::format("Stretches          {} of {} have a score (mean above)\n", score.scored, score.stretches.size());
  for (const StretchScore& stretch : score.stretches) {
    const Score& one = stretch.score;
    text += fmt::format("{:>8.1f} s to {:>8.1f} s  ", stretch.start_s, stretch.start_s + stretch.length_s);
    if (!one.mos_lqo) {
      text += fmt::format("{}\n", to_string(one.outcome));
      continue;
    }
    text += fmt::format("{:.2f}", *one.mos_lqo);
    for (const CauseFinding& finding : one.causes) text += fmt::format("  {}", to_string(finding.cause));
    text += "\n";
  }
  return text;
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
