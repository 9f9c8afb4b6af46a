#include "score/score_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "score/long_text.h"
#include "score/plot_name.h"
#include "score/score_manifest_command.h"
#include "score/score_text.h"
#include "terminal/command.h"
#include "terminal/plain_streams.h"
#include "terminal/wait_notice.h"
#include "terminal/whole_number.h"
#include "vqas/batch/long_explanation.h"
#include "vqas/batch/long_recording.h"
#include "vqas/score/explanation.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/audio_reader.h"

namespace vqas::cli {
namespace {

constexpr unsigned kMostJobs = 256;

struct ScoreOptions {
  std::string reference;
  std::string degraded;
  std::string manifest;
  std::string out;
  std::string plot;
  std::string mode = "nb";
  int jobs = 1;
  int channel = 0;
  int reference_channel = 0;
  int degraded_channel = 0;
  bool json = false;
  bool without_impairments = false;
};

void report_no_picture(const std::string& plot) {
  std::error_code failed;
  const bool stale = std::filesystem::exists(plot, failed);
  std::cerr << fmt::format("vqas: no picture was written: there is nothing to draw{}.\n",
                           stale ? fmt::format("; {} is from an earlier call", plot) : "");
}

/// Reports a file that cannot be used in words and, with --json, as a JSON object.
int report_unusable(const ScoreOptions& options, const Error& error) {
  if (options.json && error.code == ErrorCode::bad_input) {
    Score score;
    score.mode = score_mode_from_string(options.mode).value_or(ScoreMode::narrowband);
    score.outcome = Outcome::bad_input;
    score.reason = error.message;
    std::cout << to_json_text(ExplainedScore{score, {}}, options.reference, options.degraded);
  }
  if (!options.plot.empty()) report_no_picture(options.plot);
  return report_error(error);
}

/// Shows the progress of a long recording, on a terminal only.
class ProgressLine {
 public:
  explicit ProgressLine(bool on_terminal) : on_terminal_(on_terminal) {}
  void show(double done) const {
    if (!on_terminal_) return;
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    move_cursor(std::cerr, kToLineStart);
    std::cerr << fmt::format("{:.0f} % scored, {:.0f} s left", 100 * done, spent * (1 - done) / done) << std::flush;
  }
  void clear() const {
    if (on_terminal_) move_cursor(std::cerr, kToLineStart);
  }

 private:
  bool on_terminal_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// The error of one recording of a pair. Where another channel would help, it names the options that choose one.
Error with_cure(Error error, const std::string& recording, int channel) {
  if (needs_other_channel(recording, channel))
    error.message += "; --reference-channel and --degraded-channel choose for one recording alone";
  return error;
}

int score_long(const ScoreOptions& options, const RecordingPair& pair, ScoreMode mode, const PlotScore& plot) {
  const bool on_terminal = ::isatty(STDERR_FILENO) != 0;
  const ProgressLine progress(on_terminal);
  Scorer scorer(mode);
  SegmentEvents events;
  events.on_progress = [&](double done) {
    progress.show(done);
    return true;
  };
  std::optional<LongExplanation> explanation;
  if (!options.plot.empty()) {
    explanation.emplace(reference_seconds(pair));
    events.on_explained = [&](const SegmentScore& segment, const Explanation& one) { explanation->add(segment, one); };
  }
  const auto score = score_long_recording(scorer, pair, events);
  progress.clear();
  // The reference was read: its length is known.
  if (!score) return report_unusable(options, with_cure(score.error(), options.degraded, pair.degraded_channel));
  if (explanation) {
    const auto plotted =
        plot(options.plot, {score->overall, explanation->sum(*score)}, options.reference, options.degraded);
    if (!plotted) return report_error(plotted.error());
  }
  std::cout << (options.json ? to_json_text(*score, options.reference, options.degraded) : to_text(*score));
  return score->scored > 0 ? kOk : kNotMeasured;
}

int run(const ScoreOptions& options, const PlotScore& plot) {
  const auto channel = [&](int own) { return own != 0 ? own : options.channel; };
  if (!options.manifest.empty()) {
    return score_manifest_command(
        {.manifest = options.manifest,
         .out = options.out,
         .jobs = options.jobs,
         .reference_channel = channel(options.reference_channel),
         .degraded_channel = channel(options.degraded_channel),
         .columns = options.without_impairments ? ScoreColumns::without_impairments : ScoreColumns::all,
         .mode = score_mode_from_string(options.mode)},
        options.json);
  }
  if (!options.plot.empty()) {
    if (const auto named = check_plot_name(options.plot); !named) return report_error(named.error());
  }
  const RecordingPair pair{options.reference, channel(options.reference_channel), options.degraded,
                           channel(options.degraded_channel)};
  if (const auto fits = check_lengths(pair); !fits) return report_unusable(options, fits.error());
  const ScoreMode mode = mode_for(pair, score_mode_from_string(options.mode));
  if (reference_seconds(pair) >= kLongFromS) return score_long(options, pair, mode, plot);
  const auto reference = read_audio(pair.reference, {.channel = pair.reference_channel});
  if (!reference)
    return report_unusable(options, with_cure(reference.error(), options.reference, pair.reference_channel));
  const auto degraded = read_audio(pair.degraded, {.channel = pair.degraded_channel});
  if (!degraded) return report_unusable(options, with_cure(degraded.error(), options.degraded, pair.degraded_channel));

  const ExplainedScore explained = [&] {
    const WaitNotice waiting(fmt::format("scoring {:.0f} s of sound", degraded->seconds()));
    if (options.json || !options.plot.empty()) return Scorer(mode).explain(*reference, *degraded);
    return ExplainedScore{Scorer(mode).diagnose(*reference, *degraded), {}};
  }();
  const Score& score = explained.score;
  if (score.outcome == Outcome::bad_input) {
    return report_unusable(
        options, {ErrorCode::bad_input,
                  fmt::format("cannot score {} against {}: {}", options.degraded, options.reference, score.reason)});
  }
  if (!options.plot.empty() && explained.explanation) {
    const auto plotted = plot(options.plot, explained, options.reference, options.degraded);
    if (!plotted) return report_error(plotted.error());
  }
  if (!options.plot.empty() && !explained.explanation) report_no_picture(options.plot);
  std::cout << (options.json ? to_json_text(explained, options.reference, options.degraded) : to_text(score));
  return score.mos_lqo ? kOk : kNotMeasured;
}

}  // namespace

void add_score_command(CLI::App& app, Action& action, PlotScore plot) {
  const auto options = std::make_shared<ScoreOptions>();
  CLI::App* command = app.add_subcommand("score", "compare a degraded recording with its reference");
  options->jobs = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, kMostJobs));
  CLI::Option* reference = command->add_option("REF", options->reference,
                                               "The reference recording (any format of libsndfile, 8 kHz or more)");
  CLI::Option* degraded = command->add_option("DEG", options->degraded, "The same speech as received over the line");
  CLI::Option* manifest = command
                              ->add_option("--manifest", options->manifest,
                                           "Score every row of this CSV file: columns reference and degraded, paths "
                                           "relative to it; other columns are carried through")
                              ->excludes(reference)
                              ->excludes(degraded);
  CLI::Option* out = command
                         ->add_option("--out", options->out,
                                      "With --manifest: the CSV file of the scores. After an interruption the same "
                                      "command continues the batch, with the same channels and recordings")
                         ->needs(manifest);
  manifest->needs(out);
  command->add_option("--jobs", options->jobs, "With --manifest: pairs scored at the same time")
      ->check(CLI::Range(1U, kMostJobs))
      ->capture_default_str()
      ->needs(manifest);
  command
      ->add_flag("--no-impairments", options->without_impairments,
                 "With --manifest: leave out the columns of impairments and indices, which take longer than the score")
      ->needs(manifest);
  command->add_option("--channel", options->channel, "Channel to take of both recordings, counted from 1")
      ->check(whole_number(1, 64));
  command->add_option("--reference-channel", options->reference_channel, "Channel of the reference alone")
      ->check(whole_number(1, 64));
  command->add_option("--degraded-channel", options->degraded_channel, "Channel of the degraded recording alone")
      ->check(whole_number(1, 64));
  command
      ->add_option("--plot", options->plot,
                   "Draw spectrograms, distance, delay and verdict into this file, .svg or .png (not for a recording "
                   "that cannot be used)")
      ->excludes(manifest);
  command
      ->add_option("--mode", options->mode,
                   "nb: narrowband model, MOS-LQON; wb: wideband model, MOS-LQOW, for recordings of 16 kHz or more; "
                   "auto: wideband where both recordings have 16 kHz or more; it tells which")
      ->check(CLI::IsMember({"nb", "wb", "auto"}))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON object, with the explanation");
  command->footer(
      "Exit code: 0 scored, 4 no score (the outcome says why), 3 a file is not usable; with --manifest 4 when a pair\n"
      "has no score (its row says why), 6 when stopped; 7 when the system refused to read or write.\n"
      "Example: vqas score corpus/8k/M6.wav received.wav --json\n"
      "Example: vqas score corpus/8k/M6.wav received.wav --plot why.png\n"
      "Example: vqas score corpus/16k/M6.wav received16.wav --mode wb\n"
      "Example: vqas score --manifest pairs.csv --out scores.csv --jobs 2");
  command->callback([options, &action, reference, degraded, plot = std::move(plot)] {
    if (options->manifest.empty() && (reference->count() == 0 || degraded->count() == 0)) {
      throw CLI::RequiredError("REF and DEG, or --manifest and --out,");
    }
    action = [options, plot] { return run(*options, plot); };
  });
}

}  // namespace vqas::cli
