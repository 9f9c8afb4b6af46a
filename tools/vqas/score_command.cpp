#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "command.h"
#include "score_manifest_command.h"
#include "vqas/score/score.h"
#include "vqas/signal/audio_file.h"
#include "waiting.h"
#include "whole_number.h"

namespace vqas::cli {
namespace {

constexpr unsigned kMostJobs = 256;

struct ScoreOptions {
  std::string reference;
  std::string degraded;
  std::string manifest;
  std::string out;
  int jobs = 1;
  int channel = 0;
  int reference_channel = 0;
  int degraded_channel = 0;
  bool json = false;
};

// In steps as results.json has them (libvqas/doc/results.md).
nlohmann::ordered_json in_steps(const std::optional<double>& value, double steps_per_unit) {
  if (!value) return nullptr;
  return std::round(*value * steps_per_unit) / steps_per_unit + 0.0;  // never -0
}

// The field names of measurements[] in results.json; a delay between two files has no clock but the recordings' own.
nlohmann::ordered_json to_json(const ScoreOptions& options, const Score& score) {
  nlohmann::ordered_json json;
  json["reference"] = options.reference;
  json["degraded"] = options.degraded;
  json["outcome"] = to_string(score.outcome);
  json["reason"] = score.reason.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(score.reason);
  json["mos_lqo"] = in_steps(score.mos_lqo, 1e4);
  json["auditory_distance"] = in_steps(score.auditory_distance, 1e4);
  json["confidence"] = in_steps(score.confidence, 1e4);
  json["delay_ms"] = in_steps(score.delay_ms, 1e3);
  json["delay_basis"] = score.delay_ms ? "recording" : "unknown";
  json["clock_drift_ppm"] = in_steps(score.clock_drift_ppm, 1e3);
  json["level_difference_db"] = in_steps(score.level_difference_db, 1e3);
  json["delay_track"] = nlohmann::ordered_json::array();
  for (const DelayPiece& piece : score.delay_track) {
    json["delay_track"].push_back({{"start_s", in_steps(piece.start_s, 1e3)},
                                   {"length_s", in_steps(piece.length_s, 1e3)},
                                   {"delay_ms", in_steps(piece.delay_ms, 1e3)}});
  }
  json["score_version"] = kScoreVersion;
  const ModelError error = model_error();
  json["model_error"] = {{"mos", error.mos}, {"sigmas", 1}, {"against", error.label}, {"source", error.source}};
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
  fmt::print("MOS-LQON           {:.2f}   (1 bad .. 4.55 as good as the reference)\n", *score.mos_lqo);
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
  if (!options.manifest.empty()) {
    return score_manifest({.manifest = options.manifest,
                           .out = options.out,
                           .jobs = options.jobs,
                           .reference_channel = channel(options.reference_channel),
                           .degraded_channel = channel(options.degraded_channel)},
                          options.json);
  }
  const auto reference = read_audio(options.reference, {.channel = channel(options.reference_channel)});
  if (!reference) return report_error(reference.error());
  const auto degraded = read_audio(options.degraded, {.channel = channel(options.degraded_channel)});
  if (!degraded) return report_error(degraded.error());

  const Score score = [&] {
    const Waiting waiting(fmt::format("scoring {:.0f} s of sound", degraded->seconds()));
    return Scorer().score(*reference, *degraded);
  }();
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
  options->jobs = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, kMostJobs));
  CLI::Option* reference = command->add_option("REF", options->reference,
                                               "The reference recording (any format of libsndfile, 8 kHz or more)");
  CLI::Option* degraded = command->add_option("DEG", options->degraded, "What became of it on the line");
  CLI::Option* manifest = command
                              ->add_option("--manifest", options->manifest,
                                           "Score every row of this CSV file: columns reference and degraded, paths "
                                           "relative to it; other columns are carried through")
                              ->excludes(reference)
                              ->excludes(degraded);
  CLI::Option* out = command
                         ->add_option("--out", options->out,
                                      "With --manifest: the CSV file of the scores. If a batch was interrupted, the "
                                      "same command goes on where it ended")
                         ->needs(manifest);
  manifest->needs(out);
  command->add_option("--jobs", options->jobs, "With --manifest: pairs scored at the same time")
      ->check(CLI::Range(1U, kMostJobs))
      ->capture_default_str()
      ->needs(manifest);
  command->add_option("--channel", options->channel, "Channel to take of both recordings, counted from 1")
      ->check(whole_number(1, 64));
  command->add_option("--reference-channel", options->reference_channel, "Channel of the reference alone")
      ->check(whole_number(1, 64));
  command->add_option("--degraded-channel", options->degraded_channel, "Channel of the degraded recording alone")
      ->check(whole_number(1, 64));
  command->add_flag("--json", options->json, "Print one JSON object");
  command->footer(
      "Exit code: 0 scored, 4 no score (the outcome says why), 3 a file is not usable; with --manifest 4 when a pair\n"
      "has no score (its row says why), 6 when stopped.\n"
      "Example: vqas score corpus/8k/M6.wav received.wav --json\n"
      "Example: vqas score --manifest pairs.csv --out scores.csv --jobs 2");
  command->callback([options, &action, reference, degraded] {
    if (options->manifest.empty() && (reference->count() == 0 || degraded->count() == 0)) {
      throw CLI::RequiredError("REF and DEG, or --manifest and --out,");
    }
    action = [options] { return run(*options); };
  });
}

}  // namespace vqas::cli
