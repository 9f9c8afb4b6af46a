#include "line/line_command.h"

#include <fmt/format.h>

#include <QDateTime>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "corpus/corpus_folder.h"
#include "line/line_check_command.h"
#include "terminal/wait_notice.h"
#include "vqas/campaign/baseline.h"
#include "vqas/campaign/check_stimuli.h"
#include "vqas/line/open_line.h"
#include "vqas/receive/loop_delay.h"
#include "vqas/signal/rounding.h"

namespace vqas::cli {
namespace {

using Json = nlohmann::ordered_json;

// Rounding of the values in JSON, in ms and dB: finer than a delay is known.
constexpr double kStep = 1e-3;

struct CalibrateOptions {
  std::string line;
  int marks = 5;
  bool json = false;
};

int calibrate(const CalibrateOptions& options) {
  auto line = open_line(options.line, End::a);
  if (!line) return report_error(line.error());
  const auto delay = [&] {
    const WaitNotice waiting("Listening for the marks that come back");
    return measure_loop_delay(**line, static_cast<std::size_t>(options.marks));
  }();
  if (!delay) return report_error(delay.error());
  const bool known = delay->steady();
  if (options.json) {
    std::cout << Json{{"line", options.line},
                      {"sent", delay->sent},
                      {"heard", delay->heard},
                      {"disturbed", delay->disturbed},
                      {"loop_delay_ms", known ? Json(rounded_to(delay->median_ms, kStep)) : Json(nullptr)},
                      {"spread_ms", delay->heard > 0 ? Json(rounded_to(delay->spread_ms, kStep)) : Json(nullptr)},
                      {"return_loss_db", known ? Json(rounded_to(delay->return_loss_db, kStep)) : Json(nullptr)}}
                     .dump(2)
              << "\n";
  } else if (known) {
    std::cout << fmt::format(
        "{} of {} marks came back after {:.3f} ms (they differ by {:.3f} ms), {:.1f} dB lower\n"
        "Start this end's node with --device-delay-ms {:.3f}\n",
        delay->heard, delay->sent, delay->median_ms, delay->spread_ms, delay->return_loss_db, delay->median_ms);
  } else if (delay->heard + delay->disturbed > 0) {
    std::cerr << fmt::format(
        "vqas: the delay is unknown: of {} marks {} came back undisturbed (more than half and at least {} are needed), "
        "and "
        "they differ by {:.3f} ms (at most {:.1f} ms is allowed); stop other programs, give a longer period=, and "
        "measure "
        "again.\n",
        delay->sent, delay->heard, kLeastLoopMarks, delay->spread_ms, kMostLoopSpread_ms);
  } else {
    std::cerr
        << "vqas: nothing came back: connect the device's output to its input with a cable, and raise the level.\n";
  }
  return known ? kOk : kNotMeasured;
}

void add_calibrate(CLI::App& line, Action& action) {
  const auto options = std::make_shared<CalibrateOptions>();
  CLI::App* command =
      line.add_subcommand("calibrate", "measure a sound device's own delay, with a cable from its output to its input");
  command->add_option("--line", options->line, "the device, as in \"vqas node --line\"")->required();
  command->add_option("--marks", options->marks, "how many marks to send, 2.5 s each")
      ->check(CLI::Range(3, 1000))
      ->capture_default_str();
  command->add_flag("--json", options->json, "for machines");
  command->footer("Example: vqas line calibrate --line \"audio:USB%20Audio?host=alsa&rate=48000\"");
  command->callback([&action, options] { action = [options] { return calibrate(*options); }; });
}

// Prints MOS, delay, noise and response of each direction.
void print_figures(const Baseline& baseline) {
  for (const BaselineDirection& direction : baseline.figures.directions) {
    std::cout << direction_words(direction.from) << "\n";
    std::cout << "  " << scale_name(baseline.run.mode) << " ";
    for (const auto& [stimulus, mos] : direction.mos_lqo)
      std::cout << fmt::format(" {} {}", stimulus, mos ? fmt::format("{:.2f}", *mos) : "none");
    std::cout << "\n  delay     "
              << (direction.delay_ms
                      ? fmt::format("{:.2f} ms ({})", *direction.delay_ms, to_string(direction.delay_basis))
                      : std::string("unknown"))
              << "\n  noise     "
              << (direction.noise_dbov ? fmt::format("{:.1f} dBov", *direction.noise_dbov) : std::string("unknown"))
              << "\n  response ";
    for (const BandGain& band : direction.response)
      std::cout << fmt::format(" {:g} Hz {:+.1f} dB;", band.centre_hz, band.gain_db);
    std::cout << "\n";
  }
}

int keep(const std::string& folder, const std::string& corpus_name, bool json) {
  if (!folder.empty()) {
    const auto named = corpus_folder(corpus_name);
    if (!named) return report_error(named.error());
    const auto corpus = Corpus::load(*named);
    if (!corpus) return report_error(corpus.error());
    if (const Status kept = keep_baseline(folder, *corpus); !kept) return report_error(kept.error());
  }
  const auto baseline = read_baseline(baseline_folder());
  if (!baseline) return report_error(baseline.error());
  if (json) {
    std::cout << baseline->figures.json << "\n";
  } else {
    print_figures(*baseline);
    std::cout << fmt::format("{}\nkept in {}\n",
                             baseline_sentence(baseline->run, baseline_folder(),
                                               QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString()),
                             baseline_folder().string());
  }
  return kOk;
}

void add_baseline(CLI::App& line, Action& action) {
  struct Options {
    std::string folder, corpus;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = line.add_subcommand(
      "baseline",
      "keep a run over the two ends cabled together, to compare later runs with; or show the one that is kept");
  command->add_option("run", options->folder, "folder of that run; without it the baseline is shown");
  add_corpus_option(*command, options->corpus);
  command->add_flag("--json", options->json,
                    "print its figures as JSON: MOS by stimulus, delay, noise, response, equipment, date");
  command->footer(
      "Example: vqas measure --node-a ws://127.0.0.1:7811 --node-b ws://127.0.0.1:7812 --out cabled\n"
      "         vqas line baseline cabled\n"
      "It shows MOS by stimulus, delay, noise in the pauses, and response in third octaves from 315 to 3150 Hz.\n"
      "It is kept in VQAS_BASELINE, else in ~/.local/share/vqas/baseline.");
  command->callback(
      [&action, options] { action = [options] { return keep(options->folder, options->corpus, options->json); }; });
}

}  // namespace

void add_line_command(CLI::App& app, Action& action) {
  CLI::App* line = app.add_subcommand("line", "prepare a real line for measurements");
  line->require_subcommand(1);
  add_line_check_command(*line, action);
  add_calibrate(*line, action);
  add_baseline(*line, action);
}

}  // namespace vqas::cli
