#include "vqas/experiment/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "experiment/burst_recovery.h"
#include "experiment/join.h"
#include "experiment/plans.h"
#include "experiment/statements.h"
#include "experiment/trials.h"
#include "vqas/corpus/corpus.h"

namespace vqas {
namespace {

using namespace experiment;

// Enough speech for three of the longest bursts.
constexpr double kBurstSpeech_s = 62;

struct Recipe {
  ExperimentInfo info;
  std::function<Plan(const std::vector<std::string>&)> plan;
  std::vector<Statement> (*check)(const Points&);
  bool has_trend;
};

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> all{
      {{"characterize", "six channels, both directions, every sentence"}, plan_characterize, check_characterize, false},
      {{"ber-sweep", "two sentences against the bit error ratio, with a cubic trend"},
       [](const auto&) { return plan_ber_sweep(); },
       check_ber_sweep,
       true},
      {{"wander", "a wandering satellite, 24 steps"}, [](const auto&) { return plan_wander(); }, check_wander, false},
      {{"thunderstorm", "a thunderstorm over an earth station, 24 steps"},
       [](const auto&) { return plan_thunderstorm(); },
       check_thunderstorm,
       false},
      {{"bursts", "how long the voice takes to recover from bursts of errors"}, nullptr, check_bursts, false},
      {{"bit-significance", "which bit of a G.711 code hurts most"},
       [](const auto&) { return plan_bit_significance(); },
       check_bit_significance,
       false},
      {{"voip-satellite", "voice beside video and files on a satellite link"},
       [](const auto&) { return plan_voip_satellite(); },
       check_voip_satellite,
       false}};
  return all;
}

Result<Recordings> load(const Corpus& corpus, const std::vector<Trial>& trials) {
  Recordings recordings;
  for (const Trial& trial : trials) {
    if (recordings.contains(trial.stimulus)) continue;
    auto recording = corpus.recording(trial.stimulus);
    if (!recording) return recording.error();
    recordings[trial.stimulus] = std::move(recording).value();
  }
  return recordings;
}

Result<Signal> continuous_speech(const Corpus& corpus, double seconds) {
  Signal speech{{}, kLineRateHz};
  while (speech.seconds() < seconds) {
    for (const Stimulus& stimulus : corpus.stimuli()) {
      const auto recording = corpus.recording(stimulus.id);
      if (!recording) return recording.error();
      if (recording->empty()) continue;
      speech.samples.insert(speech.samples.end(), recording->samples.begin(), recording->samples.end());
    }
  }
  speech.samples.resize(static_cast<std::size_t>(seconds * kLineRateHz));
  return speech;
}

Status run_bursts(const Corpus& corpus, const ExperimentOptions& options, ExperimentResult& result) {
  const auto speech = continuous_speech(corpus, kBurstSpeech_s);
  if (!speech) return speech.error();
  result.title = "Recovery after bursts of errors";
  result.horizontal = "length of the burst";
  result.vertical = "recovery, s";
  result.labels = {"0.5 s", "1 s", "2 s", "3 s", "5 s", "10 s"};
  bool stop = false;
  result.points =
      measure_bursts(*speech, options.seed, [&] { return stop = stop || (options.cancelled && options.cancelled()); });
  if (stop) return cancelled();
  if (options.progress) options.progress(result.points.size(), result.points.size());
  return success();
}

Status run_plan(const Recipe& recipe, const Corpus& corpus, const ExperimentOptions& options,
                ExperimentResult& result) {
  std::vector<std::string> stimuli;
  for (const Stimulus& stimulus : corpus.stimuli()) stimuli.push_back(stimulus.id);
  Plan plan = recipe.plan(stimuli);
  const auto recordings = load(corpus, plan.trials);
  if (!recordings) return recordings.error();
  auto points = run_trials(plan.trials, *recordings, options);
  if (!points) return points.error();
  result.title = plan.title;
  result.horizontal = plan.horizontal;
  result.vertical = "MOS-LQON";
  result.labels = plan.labels;
  result.points = std::move(points).value();
  return success();
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees:
      return "agrees";
    case Verdict::differs:
      return "differs";
    case Verdict::cannot_be_compared:
      break;
  }
  return "cannot be compared";
}

std::string why_no_measured_line(const std::string& name) {
  if (name == "characterize") return {};
  return fmt::format(
      "\"{}\" sets the line before each transmission, which only a simulated line allows; for a real line use "
      "\"characterize\" with measured runs. To change a real call, put \"vqas relay\" into it, set it by its "
      "control socket and run \"vqas measure\" after each change",
      name);
}

const std::vector<ExperimentInfo>& experiments() {
  static const std::vector<ExperimentInfo> infos = [] {
    std::vector<ExperimentInfo> all;
    for (const Recipe& recipe : recipes()) all.push_back(recipe.info);
    return all;
  }();
  return infos;
}

Result<ExperimentResult> run_experiment(const std::string& name, const ExperimentOptions& options) {
  const Recipe* chosen = nullptr;
  std::string known;
  for (const Recipe& recipe : recipes()) {
    if (recipe.info.name == name) chosen = &recipe;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", recipe.info.name);
  }
  if (chosen == nullptr) {
    return Error{ErrorCode::bad_input, fmt::format("there is no experiment \"{}\"; give one of {}", name, known)};
  }
  if (const std::string why = why_no_measured_line(name); !options.measured.empty() && !why.empty()) {
    return Error{ErrorCode::bad_input, why};
  }
  const auto corpus = Corpus::load(options.corpus);
  if (!corpus) return corpus.error();
  ExperimentResult result;
  result.name = name;
  result.seed = options.seed;
  const Status ran = chosen->plan ? run_plan(*chosen, *corpus, options, result) : run_bursts(*corpus, options, result);
  if (!ran) return ran.error();
  for (const MeasuredChannel& channel : options.measured) {
    if (std::find(result.labels.begin(), result.labels.end(), channel.name) != result.labels.end()) {
      return Error{ErrorCode::bad_input,
                   fmt::format("the experiment already has a channel \"{}\"; give the measured one "
                               "another name",
                               channel.name)};
    }
    join(channel, result);
  }
  if (chosen->has_trend) {
    std::set<std::string> series;
    for (const ExperimentPoint& point : result.points) series.insert(point.series);
    for (const std::string& one : series) {
      if (auto trend = cubic_trend(result.points, one)) result.trends.push_back(std::move(*trend));
    }
  }
  result.statements = chosen->check(result.points);
  return result;
}

}  // namespace vqas
