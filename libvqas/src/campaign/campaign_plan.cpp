#include "campaign/campaign_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "vqas/campaign/bench_line.h"
#include "vqas/campaign/check_stimuli.h"
#include "vqas/campaign/hook_desk.h"

namespace vqas {
namespace {

constexpr std::uint64_t kSeedsApart = 1'000'003;
static_assert(kSeedsApart > kMostRuns, "the seeds of a campaign's runs follow each other");

std::size_t count_measurements(const RunResults& results) {
  std::size_t count = 0;
  for (const DirectionRun& direction : results.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) count += stimulus.measurements.size();
  }
  return count;
}

BenchLine line_of(const CampaignPlan& plan) {
  BenchLine line;
  line.conditions.ber = plan.ber;
  line.conditions.delay_s = plan.delay_s;
  line.conditions.gain_db = plan.gain_db;
  line.profile = plan.profile;
  line.codec = plan.codec;
  return line;
}

}  // namespace

Status check_campaign(const CampaignPlan& plan, const std::filesystem::path& corpus) {
  if (Status known = check_stimuli(corpus, plan.stimuli, plan.stimuli_at); !known) return known;
  if (Status usable = check_hooks(plan.hooks); !usable) return usable;
  if (!campaign::is_simulated(plan)) return success();
  const auto line = simulated_line(line_of(plan), plan.seed);
  return line ? success() : Status(line.error());
}

namespace campaign {

bool is_simulated(const CampaignPlan& plan) {
  return plan.line == "sim:";
}

RunAbout about(const CampaignPlan& plan) {
  RunAbout about;
  about.campaign = plan.name;
  about.notes = plan.notes;
  about.tags = plan.tags;
  about.limit_mos = plan.limit_mos;
  about.echo_loss_db = plan.echo_loss_db;
  return about;
}

RunAbout about_of_earlier(const RunResults& so_far, const std::optional<PlanOnDisk>& before, const PlanOnDisk& now) {
  const auto changes = before ? changes_between(*before, now).others : std::vector<std::string>();
  if (changes.empty()) return so_far.about;
  RunAbout current = about(now.plan);
  current.uuid = so_far.about.uuid;
  const std::string& notes = so_far.about.notes;
  if (notes.starts_with(before->plan.notes)) current.notes += notes.substr(before->plan.notes.size());
  const std::string word = fmt::format("The plan was changed after {} measurements: {}.", count_measurements(so_far),
                                       fmt::join(changes, "; "));
  if (current.notes.size() + word.size() < kLongestNotes) current.notes += (current.notes.empty() ? "" : " ") + word;
  return current;
}

RunPlan run_plan(const CampaignPlan& plan, const CampaignOptions& options, const PreparedFolder& prepared,
                 std::size_t number) {
  RunPlan run;
  run.lock = prepared.lock;
  run.node_a = plan.node_a;
  run.node_b = plan.node_b;
  run.corpus = options.corpus;
  run.stimuli = plan.stimuli;
  run.a_to_b = plan.a_to_b;
  run.b_to_a = plan.b_to_a;
  run.mode = plan.mode;
  run.narrowband_too = plan.narrowband_too;
  run.sampling = plan.sampling;
  run.cap_line_time_s = plan.cap_line_time_s;
  run.seed = plan.seed + number - 1;
  run.folder = prepared.folder;
  run.within_s = plan.within_s;
  run.guard_s = plan.guard_s;
  return run;
}

void set_link(const CampaignPlan& plan, RunPlan& run) {
  run.link_patience_s = plan.link_patience_s;
  run.redial = plan.redial;
  run.redial_s = plan.redial_s;
  run.duplex = plan.duplex;
}

Result<SimulatedLine> line_of_run(const CampaignPlan& plan, RunPlan& run) {
  BenchLine bench = line_of(plan);
  bench.conditions.end_silence_s = end_silence_for_guard(run.guard_s);
  // A line that is started again must not repeat its earlier errors.
  const std::uint64_t measured = run.continues ? count_measurements(run.continues->so_far) : 0;
  auto line = simulated_line(bench, run.seed + kSeedsApart * measured);
  if (line) run.within_s = std::max(run.within_s, line->a_to_b.delay_s + kBenchPatience_s);
  return line;
}

Result<std::string> check_changes(const PlanOnDisk& plan, const CampaignOptions& options) {
  if (!options.before) return std::string();
  const PlanChanges changes = changes_between(*options.before, plan);
  if (!changes.of_measurement.empty()) {
    return Error{
        ErrorCode::bad_input,
        fmt::format("the campaign in {} was begun with another plan: {}; its earlier measurements would not be "
                    "comparable; measure this plan into a new folder: vqas measure {} --out {}",
                    options.folder.string(), fmt::join(changes.of_measurement, "; "), plan.file.string(),
                    folder_beside(options.folder, "-2"))};
  }
  if (changes.others.empty()) return std::string();
  return fmt::format(
      "the plan was changed since the campaign was begun: {}. The changed plan is used from here on; runs that ended "
      "stay as they are",
      fmt::join(changes.others, "; "));
}

}  // namespace campaign
}  // namespace vqas
