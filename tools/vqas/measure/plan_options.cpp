#include "measure/plan_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "corpus/corpus_folder.h"
#include "terminal/whole_number.h"
#include "vqas/campaign/check_stimuli.h"
#include "vqas/campaign/run_folder.h"
#include "vqas/campaign/shell_words.h"
#include "vqas/score/score.h"

namespace vqas::cli {
namespace {

constexpr std::size_t kLongestName = 64, kLongestText = 1024;  // as a plan allows

GoalOf goal_of(const PlanOptions& options) {
  if (options.above) return GoalOf::above;
  if (options.minutes) return GoalOf::line_time;
  if (options.mean) return GoalOf::mean;
  return options.each_stimulus ? GoalOf::each_stimulus : options.usual_goal;
}

// What is wrong with a tag; empty when nothing is.
std::string check_tag(const std::string& text) {
  const std::size_t name = text.find('=');
  const bool usable =
      name != std::string::npos && name > 0 && name <= kLongestName && text.size() - name <= kLongestText &&
      std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(name), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
      });
  return usable
             ? std::string()
             : fmt::format("\"{}\" is not a tag; write it like site=north, the name in letters, digits, _ and -", text);
}

}  // namespace

RunAbout about_of(const PlanOptions& options) {
  RunAbout about;
  for (const std::string& tag : options.tags) about.tags[tag.substr(0, tag.find('='))] = tag.substr(tag.find('=') + 1);
  about.limit_mos = options.above;
  return about;
}

void add_plan_options(CLI::App& command, PlanOptions& options) {
  SamplerOptions& sampling = options.plan.sampling;
  CLI::Option* const cap =
      command.add_option("--cap", sampling.cap_count, "maximum of scored measurements of a stimulus in a direction")
          ->check(whole_number(sampling.first_count, kMostCap))
          ->capture_default_str();
  const bool of_each = options.usual_goal == GoalOf::each_stimulus;
  CLI::Option* const each =
      command.add_flag("--each-stimulus", options.each_stimulus,
                       fmt::format("measure until the mean of each stimulus is precise enough, the rule of NTIA Report "
                                   "98-354{}",
                                   of_each ? "; the default" : ""));
  CLI::Option* const mean =
      command
          .add_flag("--mean", options.mean,
                    fmt::format("measure until the mean of each direction over its stimuli is precise enough{}",
                                of_each ? "" : "; the default"))
          ->excludes(each);
  CLI::Option* const minutes = command
                                   .add_option("--minutes", options.minutes,
                                               "measure for this much line time, in min; the interval is as it is then")
                                   ->check(CLI::Range(1.0, 1e6))
                                   ->option_text("N")
                                   ->excludes(each)
                                   ->excludes(mean)
                                   ->excludes(cap);
  command
      .add_option("--above", options.above,
                  "measure until it is clear whether the mean of each direction lies above this MOS, with the model's "
                  "error, or that it lies too close to tell")
      ->check(CLI::Range(1.0, 5.0))
      ->option_text("MOS")
      ->excludes(each)
      ->excludes(mean)
      ->excludes(minutes);
  command.add_option("--seed", options.plan.seed, "seed of the order of stimuli, and of a simulated line")
      ->check(whole_number())
      ->capture_default_str();
  command
      .add_option(
          "--run-id", options.plan.run_id,
          "number that the marks carry; default: random on a line in real time, from the seed on a simulated one")
      ->check(whole_number(0, 0xFFFFFF));
  command
      .add_option("--stimuli", options.plan.stimuli,
                  "names separated by commas, such as M1,F5; default: all of the corpus")
      ->delimiter(',');
  command
      .add_option("--mode", options.mode,
                  "model of the scores: nb; wb, which needs a line at 16 kHz; both: wb, and each capture also in nb")
      ->check(CLI::IsMember({"nb", "wb", "both"}))
      ->capture_default_str();
  command.add_option("--directions", options.directions, "which directions to measure")
      ->check(CLI::IsMember({"both", "a-to-b", "b-to-a"}))
      ->capture_default_str();
  command
      .add_option("--guard-s", options.plan.guard_s,
                  "silence between marks and speech, in s; the nodes and a simulated line use the same")
      ->check(CLI::Range(0.05, 1.0))
      ->capture_default_str();
  command
      .add_option(
          "--tag", options.tags,
          "label of the run, NAME=TEXT; repeatable; customer=, site= and circuit= appear on the report's first page")
      ->check(check_tag)
      ->option_text("NAME=TEXT");
  add_corpus_option(command, options.corpus);
  command.add_flag("--force", options.force, "use the folder even if it is not empty; replaces an earlier run in it");
  CLI::Option* const json = command.add_flag("--json", options.json, "print results.json instead of the summary");
  command.add_flag("--json-lines", options.json_lines, "print each event as a line of JSON")->excludes(json);
}

Status complete_plan(PlanOptions& options, const FolderAdvice& advice) {
  RunPlan& plan = options.plan;
  plan.a_to_b = options.directions != "b-to-a";
  plan.b_to_a = options.directions != "a-to-b";
  plan.mode = options.mode == "nb" ? ScoreMode::narrowband : ScoreMode::wideband;
  plan.narrowband_too = options.mode == "both";
  plan.sampling.goal_of = goal_of(options);
  if (options.minutes) {
    plan.cap_line_time_s = 60 * *options.minutes;
    plan.sampling.cap_count = kMostCap;
  }
  if (options.above) plan.sampling.limit = {*options.above, model_error(plan.mode).mos};
  const auto corpus = corpus_folder(options.corpus);
  if (!corpus) return corpus.error();
  plan.corpus = *corpus;
  Status known = check_stimuli(plan.corpus, plan.stimuli);
  if (!known) return known;
  auto folder = prepare_run_folder(plan.folder, options.force, advice);
  if (!folder) return folder.error();
  options.folder = *std::move(folder);
  plan.lock = options.folder.lock;
  return success();
}

std::string as_arguments(const PlanOptions& options) {
  const RunPlan& plan = options.plan;
  std::string text = fmt::format(" --seed {}", plan.seed);
  if (!options.minutes) text += fmt::format(" --cap {}", plan.sampling.cap_count);
  if (options.mode != "nb") text += " --mode " + options.mode;
  if (options.each_stimulus) text += " --each-stimulus";
  if (options.mean) text += " --mean";
  if (options.minutes) text += fmt::format(" --minutes {:g}", *options.minutes);
  if (options.above) text += fmt::format(" --above {:g}", *options.above);
  if (plan.run_id) text += fmt::format(" --run-id {}", *plan.run_id);
  if (!plan.stimuli.empty()) text += fmt::format(" --stimuli {}", fmt::join(plan.stimuli, ","));
  if (options.directions != "both") text += " --directions " + options.directions;
  if (!options.corpus.empty()) text += " --corpus " + as_word(options.corpus);
  for (const std::string& tag : options.tags) text += " --tag " + as_word(tag);
  if (plan.guard_s != RunPlan().guard_s) text += fmt::format(" --guard-s {}", plan.guard_s);
  return text;
}

}  // namespace vqas::cli
