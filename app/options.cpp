#include "options.h"

#include <functional>

namespace vqas::app {

namespace {

/// Puts an option's text into a field of the form, which checks it as if it had been typed.
std::function<void(const std::string&)> into(QString& field) {
  return [&field](const std::string& text) { field = QString::fromStdString(text); };
}

}  // namespace

void add_options(CLI::App& app, Options& options) {
  SettingsForm& form = options.form;
  app.name("vqas-gui");
  app.description("vqas-gui measures how good speech sounds through a voice line, in a window");
  // The last of repeated options counts, so a script's caller can replace its options.
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.set_version_flag("--version", VQAS_VERSION);
  auto* simulate = app.add_flag_callback(
      "--simulate",
      [&options] {
        options.form.line = LineKind::simulated;
        options.start = true;
      },
      "Start measuring the built-in simulated line immediately");
  const auto by_nodes = [&form](const std::string& address, QString& field) {
    form.line = LineKind::nodes;
    field = QString::fromStdString(address);
  };
  app.add_option_function<std::string>(
         "--node-a", [&form, by_nodes](const std::string& address) { by_nodes(address, form.node_a); },
         "Address of the node at end A, ws://HOST:PORT or wss://HOST:PORT")
      ->excludes(simulate);
  app.add_option_function<std::string>(
         "--node-b", [&form, by_nodes](const std::string& address) { by_nodes(address, form.node_b); },
         "Address of the node at end B, ws://HOST:PORT or wss://HOST:PORT")
      ->excludes(simulate);
  app.add_option_function("--access-a", into(form.access_a), "Pairing or token file of a wss:// node at end A");
  app.add_option_function("--access-b", into(form.access_b), "Pairing or token file of a wss:// node at end B");
  app.add_flag("--start", options.start, "Start measuring immediately");
  app.add_option_function("--ber", into(form.ber), "Bit error ratio of the simulated line (1e-5)");
  app.add_option_function("--delay-ms", into(form.delay_ms), "One-way delay of the simulated line (250)");
  app.add_option_function("--seed", into(form.seed), "Seed of the run and of the simulated line (1)");
  auto* mean = app.add_flag_callback(
      "--mean", [&form] { form.goal = GoalOf::mean; },
      "Measure until the mean of each direction is precise enough (the default)");
  auto* each = app.add_flag_callback(
                      "--each-stimulus", [&form] { form.goal = GoalOf::each_stimulus; },
                      "Measure until the mean of each stimulus is precise enough, the rule of NTIA Report 98-354")
                   ->excludes(mean);
  auto* minutes = app.add_option_function<std::string>(
                         "--minutes",
                         [&form](const std::string& text) {
                           form.goal = GoalOf::line_time;
                           form.minutes = QString::fromStdString(text);
                         },
                         "Measure for this much line time, in min")
                      ->excludes(mean)
                      ->excludes(each);
  app.add_option_function<std::string>(
         "--above",
         [&form](const std::string& text) {
           form.goal = GoalOf::above;
           form.limit = QString::fromStdString(text);
         },
         "Measure until it is clear whether each direction lies above this MOS")
      ->excludes(mean)
      ->excludes(each)
      ->excludes(minutes);
  app.add_option_function("--cap", into(form.cap), "Most scored measurements of a stimulus in a direction (30)");
  app.add_option_function("--stimuli", into(form.stimuli), "Stimuli, like M1,F5 (all)");
  app.add_option_function("--site", into(form.site), "Site that the run belongs to, for the report");
  app.add_option_function("--circuit", into(form.circuit), "Circuit that the run belongs to, for the report");
  app.add_option_function("--out", into(form.folder), "Results folder (a new one in ~/vqas-results)");
  auto* resume =
      app.add_option("--resume", options.resume, "Resume the interrupted run or campaign in this results folder")
          ->type_name("FOLDER")
          ->excludes(simulate);
  app.add_option("--follow", options.follow, "Follow the run that another program measures in this results folder")
      ->type_name("FOLDER")
      ->excludes(simulate)
      ->excludes(resume);
  app.add_option("--language", options.language,
                 "Language of the window, en or de (the one chosen there last, else the system's)")
      ->check(CLI::IsMember({"en", "de"}));
  app.add_option("--corpus", options.corpus, "Folder of the corpus (VQAS_CORPUS, else the one that VQAS came with)");
  app.add_option("--vqas", options.program, "The vqas command that makes the simulated line (found automatically)");
  app.add_option("--screenshot", options.screenshot, "Write a picture of the window to this PNG file after the run")
      ->type_name("FILE");
  app.add_flag("--quit-when-done", options.quit_when_done,
               "Close the window after the run; the exit code is that of `vqas measure`");
  app.footer(
      "The options fill in the fields of the window. Examples:\n"
      "  vqas-gui\n"
      "  vqas-gui --simulate --ber 1e-3 --seed 7\n"
      "  vqas-gui --simulate --stimuli M1,F1 --cap 5 --screenshot window.png --quit-when-done\n"
      "  vqas-gui --node-a ws://127.0.0.1:7811 --node-b ws://127.0.0.1:7812 --start\n"
      "  vqas-gui --resume ~/vqas-results/2026-01-31-120000\n"
      "Without --simulate, --start and --quit-when-done the fields begin with the values of the last run.");
}

}  // namespace vqas::app
