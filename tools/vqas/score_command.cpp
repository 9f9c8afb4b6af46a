#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "command.h"
#include "vqas/score/score.h"
#include "vqas/signal/audio_file.h"

namespace vqas::cli {
namespace {

struct ScoreOptions {
  std::string reference;
  std::string degraded;
  int channel = 0;
  int reference_channel = 0;
  int degraded_channel = 0;
  bool json = false;
};

nlohmann::ordered_json optional_number(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

// The field names of measurements[] in results.json; a delay between two files has no clock but the recordings' own.
nlohmann::ordered_json to_json(const ScoreOptions& options, const Score& score) {
  nlohmann::ordered_json json;
  json["reference"] = options.reference;
  json["degraded"] = options.degraded;
  json["outcome"] = to_string(score.outcome);
  json["reason"] = score.reason;
  json["mos_lqo"] = optional_number(score.mos_lqo);
  json["auditory_distance"] = optional_number(score.auditory_distance);
  json["confidence"] = optional_number(score.confidence);
  json["delay_ms"] = optional_number(score.delay_ms);
  json["delay_basis"] = score.delay_ms ? "recording" : "unknown";
  json["clock_drift_ppm"] = optional_number(score.clock_drift_ppm);
  json["level_difference_db"] = optional_number(score.level_difference_db);
  json["delay_track"] = nlohmann::ordered_json::array();
  for (const DelayPiece& piece : score.delay_track) {
    json["delay_track"].push_back(
        {{"start_s", piece.start_s}, {"length_s", piece.length_s}, {"delay_ms", piece.delay_ms}});
  }
  json["score_version"] = kScoreVersion;
  const ModelError error = model_error();
  json["model_error"] = {{"mos", error.mos}, {"label", error.label}, {"source", error.source}};
  return json;
}

std::string number_or_unknown(const std::optional<double>& value, int digits, const char* unit) {
  return value ? fmt::format("{:.{}f} {}", *value, digits, unit) : std::string("unknown");
}

void print(const Score& score) {
  if (!score.mos_lqo) {
    fmt::print("No score: {}.\nReason: {}.\n", to_string(score.outcome), score.reason);
    return;
  }
  const ModelError error = model_error();
  fmt::print("MOS-LQO            {:.2f}   (1 bad .. 4.55 as good as the reference)\n", *score.mos_lqo);
  fmt::print("Auditory distance  {:.2f}\n", *score.auditory_distance);
  fmt::print(
      "Confidence         {}\n",
      number_or_unknown(score.confidence, 2, "that it lies within 0.5 of the label that the model was fitted to"));
  fmt::print("Delay              {}\n", number_or_unknown(score.delay_ms, 2, "ms between the two recordings"));
  fmt::print("Clock drift        {}\n", number_or_unknown(score.clock_drift_ppm, 1, "ppm"));
  fmt::print("Level difference   {}\n", number_or_unknown(score.level_difference_db, 1, "dB"));
  fmt::print("Model error        about ±{:.2f} MOS (1 standard deviation, against {}); {}\n", error.mos, error.label,
             kScoreVersion);
}

int run(const ScoreOptions& options) {
  const auto channel = [&](int own) { return own != 0 ? own : options.channel; };
  const auto reference = read_audio(options.reference, {.channel = channel(options.reference_channel)});
  if (!reference) return report_error(reference.error());
  const auto degraded = read_audio(options.degraded, {.channel = channel(options.degraded_channel)});
  if (!degraded) return report_error(degraded.error());

  const Score score = Scorer().score(*reference, *degraded);
  if (score.outcome == Outcome::bad_input) {
    return report_error({ErrorCode::bad_input, fmt::format("cannot score {} against {}: {}", options.degraded,
                                                           options.reference, score.reason)});
  }
  if (options.json) {
    std::cout << to_json(options, score).dump(2) << '\n';
  } else {
    print(score);
  }
  return score.mos_lqo ? kOk : kNotMeasured;
}

}  // namespace

void add_score_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ScoreOptions>();
  CLI::App* command = app.add_subcommand("score", "Compare a degraded recording with its reference");
  command->add_option("REF", options->reference, "The reference recording (any format of libsndfile, 8 kHz or more)")
      ->required();
  command->add_option("DEG", options->degraded, "What became of it on the line")->required();
  command->add_option("--channel", options->channel, "Channel to take of both recordings, counted from 1")
      ->check(CLI::PositiveNumber);
  command->add_option("--reference-channel", options->reference_channel, "Channel of the reference alone")
      ->check(CLI::PositiveNumber);
  command->add_option("--degraded-channel", options->degraded_channel, "Channel of the degraded recording alone")
      ->check(CLI::PositiveNumber);
  command->add_flag("--json", options->json, "Print one JSON object");
  command->footer(
      "Exit code: 0 scored, 4 no score (the outcome says why), 3 a file is not usable.\n"
      "Example: vqas score corpus/8k/M6.wav received.wav --json");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace vqas::cli
