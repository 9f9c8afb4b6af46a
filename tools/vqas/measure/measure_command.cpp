#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "corpus/corpus_folder.h"
#include "measure/campaign.h"
#include "measure/plan_options.h"
#include "measure/run_printer.h"
#include "node/peer_options.h"
#include "terminal/command.h"
#include "terminal/event_loop.h"
#include "terminal/refused_start.h"
#include "vqas/campaign/earlier_run.h"
#include "vqas/campaign/folder_state.h"
#include "vqas/campaign/run_folder.h"
#include "vqas/campaign/shell_words.h"
#include "vqas/node/run_lock.h"
#include "vqas/report/report.h"
#include "vqas/report/summary.h"
#include "vqas/signal/unfinished_files.h"

namespace vqas::cli {
namespace {

struct MeasureOptions {
  PlanOptions run;
  PeerOptions trust;
  std::string resume;
  std::string campaign, unattended, metrics_file;
  std::vector<std::string> given;  ///< options on the command line
  bool gives(const std::string& name) const { return std::ranges::find(given, name) != given.end(); }
};

// A run is resumed with its original plan, so that its results do not mix two plans.
constexpr const char* kNeverAnew[] = {"--cap",     "--seed",   "--run-id", "--stimuli",       "--directions",
                                      "--guard-s", "--duplex", "--tag",    "--each-stimulus", "--mean",
                                      "--minutes", "--above",  "--mode"};
// Options that do not change what is measured. In a campaign, the plan gives the corpus and the receiver's patience.
constexpr const char* kOfOneRun[] = {"--within-s", "--corpus"};
constexpr const char* kOfTheLink[] = {"--link-patience", "--redial", "--redial-s"};

Status check_given_anew(const MeasureOptions& options, bool campaign) {
  const auto refuse = [&](const char* name) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{} cannot be changed: the {} in {} is resumed with the plan that it began with; "
                             "leave it out",
                             name, campaign ? "campaign" : "run", options.resume)};
  };
  for (const char* const name : kNeverAnew) {
    if (options.gives(name)) return refuse(name);
  }
  for (const char* const name : kOfOneRun) {
    if (campaign && options.gives(name)) return refuse(name);
  }
  return success();
}

/// A run on a simulated line of its own cannot be resumed alone: says what can be done instead.
Error line_has_ended(const RunPlan& plan) {
  const auto campaign = campaign_of(plan.folder);
  const std::string instead =
      campaign ? "resume its campaign: " + as_command({"vqas", "measure", "--resume", campaign->string()})
               : "measure it again: " + reproduce_command(plan.continues->so_far);
  return {ErrorCode::bad_input, fmt::format("the run in {} was made on a simulated line that ended with it; {}",
                                            plan.folder.string(), instead)};
}

void notice(const std::string& what) {
  std::cerr << fmt::format("vqas: {}.\n", what);
}

/// The exit code of a complete run, which needs neither its nodes nor its line. A run with a note that a measurement
/// sounds different is resumed as usual: more may be measured.
std::optional<int> complete_already(const MeasureOptions& options) {
  const std::filesystem::path folder = options.resume;
  const FolderSurvey survey = survey_folder(folder);
  const std::optional<StoredRun>& stored = survey.run;
  if (!stored || survey.state != FolderState::complete || survey.asks_for_more()) return std::nullopt;
  if (const auto lock = RunLock::take(folder)) remove_unfinished_files(folder);
  if (const Status mended = mend_report(folder, *stored, notice); !mended) return report_error(mended.error());
  const int code = exit_code_of(verdict_of(stored->results, stored->provenance));
  const RunResults& results = stored->results;
  if (options.run.json_lines) {
    const nlohmann::ordered_json line = {
        {"event", "finished"}, {"exit_code", code}, {"error", ""}, {"folder", folder.string()}};
    std::cout << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
  } else if (options.run.json) {
    std::cout << results_json(results, stored->provenance) << std::flush;
  } else {
    std::cout << fmt::format("The run in {} is complete: nothing is left to measure.\nReport: {}\n", folder.string(),
                             (folder / "report.html").string());
  }
  return code;
}

int resume(MeasureOptions options) {
  if (const Status lawful = check_given_anew(options, false); !lawful) return report_error(lawful.error());
  if (const auto code = complete_already(options)) return *code;
  auto earlier = read_earlier_run(options.resume);
  if (!earlier) return report_error(earlier.error(), options.resume);
  if (!earlier->notice.empty()) notice(earlier->notice);
  RunPlan& plan = earlier->plan;
  const RunPlan& anew = options.run.plan;
  if (options.gives("--within-s")) plan.within_s = anew.within_s;
  if (options.gives("--link-patience")) plan.link_patience_s = anew.link_patience_s;
  if (options.gives("--redial")) plan.redial = anew.redial;
  if (options.gives("--redial-s")) plan.redial_s = anew.redial_s;
  if (options.gives("--corpus")) {
    const auto corpus = corpus_folder(options.run.corpus);
    if (!corpus) return report_error(corpus.error());
    plan.corpus = *corpus;
  }
  if (has_own_line(plan.folder, plan.holder)) return report_error(line_has_ended(plan));
  EventLoop loop;
  if (const auto refused = trust_peers(options.trust, plan)) return exit_code_of(*refused);
  Showing showing;
  showing.json = options.run.json;
  showing.json_lines = options.run.json_lines;
  showing.after_failure = showing.without_score =
      as_command({"vqas", "measure", "--resume", plan.folder.string()}) + peer_arguments(options.trust);
  RecorderOptions recording;
  recording.about = plan.continues->so_far.about;
  RunRecorder recorder = RunRecorder::resume(plan, std::move(recording));
  return measure_run(loop, plan, recorder, showing);
}

int measure_plan(const MeasureOptions& options) {
  const auto campaign = open_plan(options.campaign);
  if (!campaign) return report_error(campaign.error());
  CampaignCommand how;
  how.folder = options.unattended.empty() ? options.run.plan.folder : std::filesystem::path(options.unattended);
  how.json = options.run.json;
  how.json_lines = options.run.json_lines;
  how.force = options.run.force;
  how.unattended = !options.unattended.empty();
  how.trust = options.trust;
  how.metrics_file = options.metrics_file;
  if (!options.resume.empty()) {
    how.folder = options.resume;
    how.resume = true;
    auto before = kept_plan(how.folder);
    // A damaged copy cannot show what was changed; the named plan is used.
    if (before) how.before = *std::move(before);
  }
  return measure_campaign(*campaign, how);
}

// The campaign's own copy of its plan.
std::optional<int> resume_campaign(const MeasureOptions& options) {
  auto kept = kept_plan(options.resume);
  if (!kept) return report_error(kept.error());
  if (!*kept) return std::nullopt;
  if (const Status lawful = check_given_anew(options, true); !lawful) return report_error(lawful.error());
  PlanOnDisk plan = **kept;
  for (const char* const name : kOfTheLink) {
    if (!options.gives(name) || plan.plan.line != "sim:") continue;
    return report_error({ErrorCode::bad_input,
                         fmt::format("{} is for nodes, and the campaign in {} is on a simulated line; leave it out",
                                     name, options.resume)});
  }
  if (options.gives("--link-patience")) plan.plan.link_patience_s = options.run.plan.link_patience_s;
  if (options.gives("--redial")) plan.plan.redial = options.run.plan.redial;
  if (options.gives("--redial-s")) plan.plan.redial_s = options.run.plan.redial_s;
  CampaignCommand how;
  how.folder = options.resume;
  how.json = options.run.json;
  how.json_lines = options.run.json_lines;
  how.force = options.run.force;
  how.resume = true;
  how.before = *std::move(kept);
  how.trust = options.trust;
  how.metrics_file = options.metrics_file;
  return measure_campaign(plan, how);
}

int measure(MeasureOptions options) {
  if (!options.campaign.empty()) return measure_plan(options);
  if (!options.resume.empty()) {
    if (const auto code = resume_campaign(options)) return *code;
  }
  if (!options.metrics_file.empty())
    return report_error({ErrorCode::bad_input,
                         "--metrics-file is for campaigns: name a PLAN, or the folder of a campaign with --resume"});
  if (!options.resume.empty()) return resume(std::move(options));
  RunPlan& plan = options.run.plan;
  const std::string trust = peer_arguments(options.trust);
  const std::string resume_it = as_command({"vqas", "measure", "--resume", plan.folder.string()}) + trust;
  const std::string continue_it = fmt::format("continue it: {}", resume_it);
  FolderAdvice advice;
  advice.to_continue = continue_it.c_str();
  if (const Status ready = complete_plan(options.run, advice); !ready) return report_error(ready.error(), plan.folder);
  EventLoop loop;
  if (const auto refused = trust_peers(options.trust, plan)) {
    abandon_run_folder(options.run.folder);
    return exit_code_of(*refused);
  }
  Showing showing;
  showing.json = options.run.json;
  showing.json_lines = options.run.json_lines;
  RecorderOptions recording;
  recording.about = about_of(options.run);
  const std::string nodes = fmt::format("vqas measure --node-a {} --node-b {}", plan.node_a, plan.node_b);
  recording.command = fmt::format("{} --out again{}{}", nodes, as_arguments(options.run), trust);
  showing.next_command = fmt::format("{} --out {}{}{}", nodes, as_word(folder_beside(plan.folder, "-2")),
                                     as_arguments(options.run), trust);
  showing.without_score = showing.next_command;
  PlanOptions longer = options.run;
  longer.plan.sampling.cap_count = std::min(2 * plan.sampling.cap_count, kMostCap);
  showing.after_the_cap =
      fmt::format("{} --out {}{}{}", nodes, as_word(folder_beside(plan.folder, "-2")), as_arguments(longer), trust);
  showing.after_failure = resume_it;
  RunRecorder recorder = RunRecorder::create(options.run.folder, std::move(recording));
  return measure_run(loop, plan, recorder, showing);
}

}  // namespace

void add_measure_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<MeasureOptions>();
  RunPlan& plan = options->run.plan;
  options->run.usual_goal = GoalOf::mean;
  plan.link_patience_s = kLinkPatience_s;
  CLI::App* command = app.add_subcommand("measure",
                                         "measure the line between two nodes: send the stimuli both ways until the "
                                         "mean of each direction is precise enough, write the report");
  CLI::Option* const campaign =
      command->add_option("PLAN", options->campaign,
                          "a plan in TOML (\"vqas plan new\" prints one); it replaces all options "
                          "but --out, --unattended, --force, --json, --json-lines and those of nodes over TLS");
  command->add_option("--node-a", plan.node_a,
                      "control address of end a, ws://127.0.0.1:PORT or wss://HOST:PORT; required");
  command->add_option("--node-b", plan.node_b, "control address of end b; required");
  command->add_option("--out", plan.folder, "folder for results, recordings and report; required");
  CLI::Option* const metrics =
      command
          ->add_option(
              "--metrics-file", options->metrics_file,
              "of a campaign: figures for Prometheus, written to this file after each run; its name ends in .prom")
          ->check(CLI::Validator(
              [](const std::string& file) {
                return file.ends_with(".prom") ? std::string() : "the file ends in .prom";
              },
              ""));
  CLI::Option* const resume = command->add_option(
      "--resume", options->resume,
      "resume the run in this folder with its own plan, however it ended; replaces --node-a, --node-b and --out. Only "
      "--within-s, --link-patience, --redial, --redial-s and --corpus may be changed. With PLAN: resume the campaign "
      "in "
      "this folder");
  CLI::Option* const unattended =
      command
          ->add_option(
              "--unattended", options->unattended,
              "measure PLAN in this folder without a person: begins the campaign, or resumes it, or repeats its "
              "verdict when it is complete; a start while another one measures ends with exit code 9")
          ->option_text("DIR")
          ->needs(campaign);
  command
      ->add_option("--within-s", plan.within_s,
                   "how long a receiver waits for the first mark, in s; more than the line's delay")
      ->check(CLI::Range(1.0, 600.0))
      ->capture_default_str();
  command
      ->add_option("--link-patience", plan.link_patience_s,
                   "how long a node or the line may be unreachable before the run ends, in s; the nodes keep their "
                   "measurements and "
                   "wait 30 s longer for their controller")
      ->check(CLI::Range(0.0, 86000.0))
      ->capture_default_str();
  command
      ->add_option(
          "--redial", plan.redial,
          "command that redials when the call is lost; without it the run waits for the call for up to --link-patience")
      ->option_text("COMMAND");
  command
      ->add_option("--redial-s", plan.redial_s, "time between the end of that command and the next transmission, in s")
      ->check(CLI::Range(0.0, 600.0))
      ->capture_default_str();
  const std::map<std::string, Duplex> ways{{"auto", Duplex::automatic}, {"both", Duplex::both}, {"one", Duplex::one}};
  command
      ->add_option("--duplex", plan.duplex,
                   "both: both directions at the same time; one: in turn; auto: both, unless an end of a real line "
                   "receives its own "
                   "echo")
      ->transform(CLI::CheckedTransformer(ways))
      ->option_text("auto|both|one");
  add_plan_options(*command, options->run);
  // The plan gives these options.
  for (CLI::Option* const one : command->get_options()) {
    const std::string name = one->get_name();
    if (one != campaign && one != resume && one != unattended && one != metrics && name != "--out" &&
        name != "--force" && name != "--json" && name != "--json-lines" && name != "--help")
      one->excludes(campaign);
  }
  add_peer_options(*command, options->trust);
  command->footer(
      "Examples:\n  vqas measure winter.toml --out winter\n  vqas measure winter.toml --resume winter\n  vqas measure "
      "winter.toml --unattended winter\n  vqas measure "
      "--node-a ws://127.0.0.1:7811 --node-b "
      "ws://127.0.0.1:7812 --out results --cap 30\n"
      "  vqas measure --resume results\nHow to start the nodes: vqas node --help");
  command->callback([&action, command, campaign, resume, unattended, options] {
    options->given.clear();
    for (const CLI::Option* const one : command->get_options()) {
      if (one->count() > 0) options->given.push_back(one->get_name());
    }
    for (const std::string needed : {"--node-a", "--node-b", "--out"}) {
      const bool given = command->count(needed) > 0;
      if (campaign->count() > 0 && needed != "--out") continue;
      if (unattended->count() > 0 && given) throw CLI::ExcludesError("--unattended", needed);
      if (unattended->count() > 0) continue;
      if (resume->count() == 0 && !given) throw CLI::RequiredError(needed);
      if (resume->count() > 0 && given) throw CLI::ExcludesError("--resume", needed);
    }
    if (unattended->count() > 0 && resume->count() > 0) throw CLI::ExcludesError("--unattended", "--resume");
    action = [options] { return measure(*options); };
  });
}

}  // namespace vqas::cli
