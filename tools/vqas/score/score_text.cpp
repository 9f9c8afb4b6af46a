#include "score/score_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "vqas/score/most_confidence.h"
#include "vqas/score/unrecognised.h"
#include "vqas/signal/idle_noise.h"
#include "vqas/signal/rounding.h"

namespace vqas::cli {
namespace {

constexpr double kNarrowbandHz = 4000;  // half of a narrowband line's 8 kHz: it passes nothing above

// In steps as results.json has them (libvqas/doc/results-json.md).
Json in_steps(const std::optional<double>& value, double steps_per_unit) {
  if (!value) return nullptr;
  return std::round(*value * steps_per_unit) / steps_per_unit + 0.0;  // never -0
}

double rounded(double value) {
  return std::round(value * 1e4) / 1e4 + 0.0;
}

double missing_ms(const Score& score) {
  return score.indices ? score.indices->missing.total_ms() : 0;
}

Json to_json(const Indices& indices) {
  Json json;
  json["band_loss"] = {{"low_hz", indices.band_loss.low_hz},
                       {"high_hz", indices.band_loss.high_hz},
                       {"loudness_lost", indices.band_loss.loudness_lost}};
  json["missing_ms"] = {{"front", indices.missing.front_ms},
                        {"middle", indices.missing.middle_ms},
                        {"tail", indices.missing.tail_ms},
                        {"gaps", indices.missing.gaps},
                        {"speech", indices.missing.speech_ms}};
  Json track = Json::array();
  for (const LevelTrack::Point& point : indices.level_track.points) {
    track.push_back({{"at_s", point.at_s}, {"gain_db", point.gain_db}});
  }
  json["level_track"] = {{"range_db", indices.level_track.range_db}, {"track", std::move(track)}};
  json["noise"] = nullptr;
  if (const auto& noise = indices.noise) {
    json["noise"] = {{"dbm0p", noise->dbm0p},
                     {"limit_dbm0p", kMostIdleNoiseDbm0p},
                     {"tone_dbm0", noise->tone_dbm0},
                     {"cost_mos", noise->cost_mos ? Json(*noise->cost_mos) : Json(nullptr)}};
  }
  return json;
}

// "... look for jitter (costs 0.80 MOS)"
std::string in_words(const ImpairmentFinding& finding, const Score& score) {
  return std::string(advice(finding.impairment, missing_ms(score))) + cost_in_words(finding);
}

std::string number_or_unknown(const std::optional<double>& value, int digits, const std::string& unit) {
  if (!value) return "unknown";
  return fmt::format("{:.{}f} {}", rounded_to(*value, std::pow(10.0, -digits)), digits, unit);
}

std::string to_text(const Indices& indices, ScoreMode mode, bool is_long) {
  const BandLoss& band = indices.band_loss;
  const MissingSpeech& missing = indices.missing;
  std::string text = fmt::format("Band received      {:.0f} to {:.0f} Hz (-3 dB), {:.0f} % of the loudness lost{}\n",
                                 band.low_hz, band.high_hz, 100 * band.loudness_lost,
                                 mode == ScoreMode::narrowband ? "; nothing above 4000 Hz is looked at" : "");
  text +=
      fmt::format("Missing speech     {:.0f} ms in front, {:.0f} ms in {} gap{}, {:.0f} ms at the end, of {:.0f} ms\n",
                  missing.front_ms, missing.middle_ms, missing.gaps, missing.gaps == 1 ? "" : "s", missing.tail_ms,
                  missing.speech_ms);
  text += fmt::format("Level track        moves by {:.1f} dB\n", indices.level_track.range_db);
  if (const auto& noise = indices.noise)
    text += fmt::format("Noise in pauses    {}{}{}\n", idle_noise_in_words(noise->dbm0p),
                        mode == ScoreMode::wideband ? ", all below 4 kHz" : "",
                        noise->cost_mos ? fmt::format("; it costs {:.2f} MOS{}", *noise->cost_mos,
                                                      mode == ScoreMode::wideband ? " at any frequency" : "")
                                        : "");
  else if (!is_long)
    text += "Noise in pauses    not measured: no pause of the speech is long enough and free of clicks\n";
  return text;
}

Json to_json(const std::vector<Segment>& segments) {
  Json json = Json::array();
  for (const Segment& segment : segments) {
    json.push_back({{"start_s", rounded(segment.start_s)}, {"length_s", rounded(segment.length_s)}});
  }
  return json;
}

// Placeholder for the rows of a map, each of which becomes one line.
constexpr std::string_view kRows = "rows of the distance";

Json to_json(const Explanation& explanation) {
  Json json;
  json["shares"] = {{"changed", rounded(explanation.shares.changed)},
                    {"raised", rounded(explanation.shares.raised)},
                    {"inserted", rounded(explanation.shares.inserted)}};
  json["matched"] = to_json(explanation.matched);
  json["missing"] = to_json(explanation.missing);
  json["distance"] = {
      {"frame_s", explanation.distance.frame_s}, {"band_hz", explanation.distance.hz}, {"frames", kRows}};
  return json;
}

std::string rows_of(const TimeFrequency& map) {
  std::string text = "[";
  for (std::size_t frame = 0; frame < map.frames(); ++frame) {
    text += frame > 0 ? ",\n        [" : "\n        [";
    for (std::size_t column = 0; column < map.columns(); ++column) {
      const double value = std::round(1000 * map.values[frame * map.columns() + column]) / 1000 + 0.0;
      text += fmt::format("{}{:g}", column > 0 ? "," : "", value);
    }
    text += "]";
  }
  return text + "]";
}

std::string_view name_of(const LossPart& part) {
  return part.impairment ? to_string(*part.impairment) : "other";
}

// The causes of the loss, by their costs, that which was not recognised among them. What costs nothing is no cause, and
// is told apart.
std::string causes_in_words(const Score& score) {
  struct Cause {
    std::string words;
    std::optional<double> cost_mos;
  };
  std::vector<Cause> causes;
  std::vector<std::string> seen;
  for (const ImpairmentFinding& finding : score.impairments) {
    if (finding.costs_nothing()) {
      seen.push_back(in_words(finding, score));
    } else {
      causes.push_back({in_words(finding, score), finding.cost_mos});
    }
  }
  const auto add_by_cost = [&](const std::string& words, double cost_mos) {
    const auto cheaper = std::find_if(causes.begin(), causes.end(),
                                      [&](const Cause& cause) { return cause.cost_mos && *cause.cost_mos < cost_mos; });
    causes.insert(cheaper, {words, cost_mos});
  };
  if (const auto cost = unrecognised_cost(score))
    add_by_cost(fmt::format("no impairment that is named explains {:.1f} MOS of the loss", *cost), *cost);
  if (const auto cost = permitted_noise_cost(score)) add_by_cost(permitted_noise_in_words(*cost, score.mode), *cost);
  if (causes.empty()) causes.push_back({seen.empty() ? "none found" : "none found that costs anything", std::nullopt});
  std::string text;
  for (const Cause& cause : causes)
    text += fmt::format("{:<19}{}\n", &cause == causes.data() ? "Impairment" : "", cause.words);
  for (const std::string& one : seen) text += fmt::format("{:<19}{}\n", &one == seen.data() ? "Also seen" : "", one);
  return text;
}

}  // namespace

Json to_json(const Score& score, const std::string& reference, const std::string& degraded) {
  Json json;
  json["reference"] = reference;
  json["degraded"] = degraded;
  json["outcome"] = to_string(score.outcome);
  json["reason"] = score.reason.empty() ? Json(nullptr) : Json(score.reason);
  json["mos_lqo"] = in_steps(score.mos_lqo, 1e4);
  json["auditory_distance"] = in_steps(score.auditory_distance, 1e4);
  json["confidence"] = in_steps(score.confidence, 1e4);
  json["most_confidence"] = most_confidence(score.mode);
  json["delay_ms"] = in_steps(score.delay_ms, 1e3);
  json["delay_basis"] = score.delay_ms ? "recording" : "unknown";
  json["clock_drift_ppm"] = in_steps(score.clock_drift_ppm, 1e3);
  json["level_difference_db"] = in_steps(score.level_difference_db, 1e3);
  json["delay_track"] = Json::array();
  for (const DelayPiece& piece : score.delay_track) {
    json["delay_track"].push_back({{"start_s", in_steps(piece.start_s, 1e3)},
                                   {"length_s", in_steps(piece.length_s, 1e3)},
                                   {"delay_ms", in_steps(piece.delay_ms, 1e3)}});
  }
  json["unused_sound"] = Json::array();
  for (const UnusedSound& sound : score.unused_sound) {
    json["unused_sound"].push_back({{"start_s", in_steps(sound.start_s, 1e3)},
                                    {"length_s", in_steps(sound.length_s, 1e3)},
                                    {"mos_lqo", in_steps(sound.mos_lqo, 1e4)}});
  }
  json["indices"] = score.indices ? to_json(*score.indices) : Json(nullptr);
  json["impairments"] = Json::array();
  for (const ImpairmentFinding& finding : score.impairments) {
    json["impairments"].push_back({{"impairment", to_string(finding.impairment)},
                                   {"strength", finding.strength},
                                   {"cost_mos", in_steps(finding.cost_mos, 1e2)},
                                   {"advice", advice(finding.impairment, missing_ms(score))}});
  }
  json["unrecognised_cost_mos"] = in_steps(unrecognised_cost(score), 1e4);
  json["loss_parts"] = Json::array();
  for (const LossPart& part : score.loss_parts) {
    json["loss_parts"].push_back({{"impairment", name_of(part)}, {"mos", in_steps(part.mos, 1e2)}});
  }
  json["score_mode"] = to_string(score.mode);
  json["score_version"] = score_version(score.mode);
  const ModelError error = model_error(score.mode);
  json["model_error"] = {{"mos", error.mos}, {"sigmas", 1}, {"against", error.label}, {"source", error.source}};
  json["explanation"] = nullptr;
  return json;
}

std::string to_json_text(const ExplainedScore& explained, const std::string& reference, const std::string& degraded) {
  Json json = to_json(explained.score, reference, degraded);
  if (explained.explanation) json["explanation"] = to_json(*explained.explanation);
  std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  const std::string quoted = fmt::format("\"{}\"", kRows);
  const std::size_t at = text.rfind(quoted);
  if (explained.explanation && at != std::string::npos) {
    text.replace(at, quoted.size(), rows_of(explained.explanation->distance));
  }
  return text;
}

std::string loss_in_words(const Score& score) {
  double loss = 0;
  std::string parts;
  for (const LossPart& part : score.loss_parts) {
    loss += part.mos;
    parts += fmt::format("{}{} {:.2f}", parts.empty() ? "" : ", ", name_of(part), part.mos);
  }
  return parts.empty() ? "" : fmt::format("{:.2f} MOS: {}", loss, parts);
}

std::string cost_in_words(const ImpairmentFinding& finding) {
  if (!finding.cost_mos) return "";
  return finding.costs_nothing() ? " (costs nothing)" : fmt::format(" (costs {:.2f} MOS)", *finding.cost_mos);
}

std::optional<double> permitted_noise_cost(const Score& score) {
  constexpr double kHeard = 0.1;  // MOS; below it the line of the noise tells it well enough
  const bool is_named =
      std::any_of(score.impairments.begin(), score.impairments.end(),
                  [](const ImpairmentFinding& finding) { return finding.impairment == Impairment::noise; });
  if (is_named || !score.indices || !score.indices->noise) return std::nullopt;
  const auto cost = score.indices->noise->cost_mos;
  return cost && *cost >= kHeard ? cost : std::nullopt;
}

std::string permitted_noise_in_words(double cost_mos, ScoreMode mode) {
  // The limit is a telephone's, and says nothing of noise above its band.
  return fmt::format("noise,{} no more than a good circuit may have (costs {:.2f} MOS)",
                     mode == ScoreMode::wideband ? " below 4 kHz" : "", cost_mos);
}

std::optional<double> shown_confidence(const Score& score) {
  if (!score.confidence) return std::nullopt;
  return std::floor(*score.confidence * 100) / 100;
}

std::string to_text(const Score& score, bool is_long) {
  if (!score.mos_lqo) return fmt::format("No score: {}.\nReason: {}.\n", to_string(score.outcome), score.reason);
  const ModelError error = model_error(score.mode);
  const bool wideband = score.mode == ScoreMode::wideband;
  std::string text = fmt::format("{}           {:.2f}   ({} as good as the reference)\n", scale_name(score.mode),
                                 *score.mos_lqo, wideband ? "1.04 bad .. 4.64" : "1 bad .. 4.55");
  if (wideband) {
    text += "Model              wideband, 50 to 7000 Hz; not comparable with MOS-LQON (--mode nb)\n";
    if (score.indices && score.indices->band_loss.high_hz > 0 && score.indices->band_loss.high_hz <= kNarrowbandHz) {
      text += fmt::format(
          "Narrow band        nothing above {:.0f} Hz was received: a telephone's band costs 1 to 2 MOS on this scale; "
          "judge such a line with --mode nb\n",
          score.indices->band_loss.high_hz);
    }
  }
  text += fmt::format("Auditory distance  {:.2f}\n", *score.auditory_distance);
  const double most = most_confidence(score.mode);
  const std::string limit = most < 1 ? fmt::format("; this model states {:g} at most", most) : "";
  text += fmt::format("Confidence         {}\n",
                      number_or_unknown(shown_confidence(score), 2,
                                        fmt::format("(0 to 1{}) that {} agrees within 0.5 MOS", limit, error.label)));
  if (!score.reason.empty()) text += fmt::format("Ambiguous          {}\n", score.reason);
  for (const UnusedSound& sound : score.unused_sound) {
    text += fmt::format("{:<19}{:.1f} to {:.1f} s holds {}; no speech of the reference was laid there\n",
                        &sound == score.unused_sound.data() ? "Also received" : "", sound.start_s,
                        sound.start_s + sound.length_s,
                        sound.mos_lqo ? "speech of the reference once more" : "other sound");
  }
  text += fmt::format("Delay              {}\n", number_or_unknown(score.delay_ms, 2, "ms between the two recordings"));
  text += fmt::format("Clock drift        {}\n", number_or_unknown(score.clock_drift_ppm, 1, "ppm"));
  text += fmt::format("Level difference   {}\n", number_or_unknown(score.level_difference_db, 1, "dB"));
  if (score.indices) text += to_text(*score.indices, score.mode, is_long) + causes_in_words(score);
  if (const std::string loss = loss_in_words(score); !loss.empty()) {
    text += fmt::format("Lost               {}\n", loss);
  }
  text += fmt::format("Model error        about ±{:.2f} MOS (1 standard deviation, against {}); {}\n", error.mos,
                      error.label, score_version(score.mode));
  return text;
}

}  // namespace vqas::cli
