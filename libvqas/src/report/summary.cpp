#include "vqas/report/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/quality_scale.h"
#include "run/sampling_of_run.h"
#include "vqas/run/mos_scale.h"

namespace vqas {
namespace {

constexpr double kMostLost = 0.5;      // share of a stimulus's measurements; above it, its direction is conditional
constexpr double kLeastShown = 0.005;  // rounds to 0.01

std::string conditional(double share, std::size_t gone, const std::vector<std::string>& omitted,
                        const std::vector<std::string>& not_measured, const std::optional<double>& bound) {
  std::vector<std::string> unscored;
  std::ranges::copy_if(omitted, std::back_inserter(unscored),
                       [&](const auto& one) { return std::ranges::find(not_measured, one) == not_measured.end(); });
  std::vector<std::string> parts;
  if (share > 0) parts.push_back(fmt::format("{:.3g} % without a score", 100 * share));
  if (gone > 0) parts.back() += fmt::format(" ({} because the call or an end was lost)", gone);
  if (!unscored.empty()) parts.push_back(fmt::format("{} left out", fmt::join(unscored, ", ")));
  if (!not_measured.empty()) parts.push_back(fmt::format("{} not measured", fmt::join(not_measured, ", ")));
  std::string words = fmt::format("conditional: {}", fmt::join(parts, ", "));
  // Stimuli that were not measured are no sign of a bad line.
  if (share <= 0) return words;
  return words + fmt::format("; with {} at the bottom of the scale the mean would be {:.2f}",
                             not_measured.empty() ? "those" : "the unscored ones", bound.value_or(kLowestMos));
}

std::string in_words(const PrecisionGoal& goal) {
  return fmt::format("±{:.4g} at {:.4g} %", goal.half_width, 100 * goal.confidence);
}

/// How the measuring for a direction's mean ended.
std::string end_in_words(const DirectionSummary& summary, const SamplerOptions& sampling) {
  const StopReason reason = *summary.stopped_because;
  if (sampling.goal_of == GoalOf::above) {
    const double limit = sampling.limit.mos;
    if (reason == StopReason::goal && summary.mean.mean < limit)
      return fmt::format("below {:.2f}, with the model's error", limit);
    if (reason == StopReason::goal)
      return fmt::format("not below {:.2f}, with the model's error{}", limit,
                         summary.conditional ? ", as far as it was scored" : "");
    if (reason == StopReason::undecidable)
      return fmt::format("too close to {:.2f} to tell on which side it lies, with the model's error", limit);
  }
  if (sampling.goal_of == GoalOf::line_time && reason == StopReason::cap_line_time)
    return "as precise as the line time allowed";
  const std::string goal = in_words(sampling.goal);
  if (reason == StopReason::goal) return fmt::format("the goal, {}, was reached", goal);
  if (reason == StopReason::fallback && sampling.fallback)
    return fmt::format("{} was reached, but not the goal, {}", in_words(*sampling.fallback), goal);
  if (reason == StopReason::failures)
    return fmt::format("the goal, {}, is out of reach, because stimuli were abandoned", goal);
  if (reason == StopReason::cap_count)
    return fmt::format("the limit of {} measurements of a stimulus came before the goal, {}", sampling.cap_count, goal);
  return stop_in_words(reason, sampling);
}

std::size_t place_of(Outcome outcome) {
  std::size_t place = 0;
  while (place + 1 < kAllOutcomes.size() && kAllOutcomes[place] != outcome) ++place;
  return place;
}

// What was abandoned, and what the instrument itself spoilt, says nothing of the line.
bool says_something(Outcome outcome) {
  return outcome != Outcome::cancelled && outcome != Outcome::audio_fault;
}

std::size_t made(const OutcomeCounts& outcomes) {
  return outcomes.total() - outcomes.of(Outcome::cancelled) - outcomes.of(Outcome::audio_fault);
}

}  // namespace

std::size_t OutcomeCounts::of(Outcome outcome) const {
  return count[place_of(outcome)];
}

std::size_t OutcomeCounts::total() const {
  std::size_t sum = 0;
  for (const std::size_t one : count) sum += one;
  return sum;
}

double OutcomeCounts::share_unscored() const {
  const std::size_t all = made(*this);
  return all == 0 ? 0.0 : static_cast<double>(all - of(Outcome::scored)) / static_cast<double>(all);
}

StimulusSummary summarise(const StimulusRun& stimulus) {
  StimulusSummary summary;
  double sum = 0;
  for (const Measurement& one : stimulus.measurements) {
    ++summary.outcomes.count[place_of(one.outcome)];
    if (says_something(one.outcome)) sum += one.mos_lqo.value_or(kLowestMos);
  }
  summary.conditional = summary.outcomes.share_unscored() > kConditionalShare;
  if (const std::size_t all = made(summary.outcomes); all > 0) summary.bound = sum / static_cast<double>(all);
  return summary;
}

DirectionSummary summarise(const DirectionRun& direction, const SamplerOptions& sampling) {
  DirectionSummary summary;
  double bounds = 0;
  std::size_t bounded = 0;
  bool hardly_survived = false;
  for (const StimulusRun& stimulus : direction.stimuli) {
    const StimulusSummary part = summarise(stimulus);
    for (std::size_t i = 0; i < part.outcomes.count.size(); ++i) summary.outcomes.count[i] += part.outcomes.count[i];
    if (stimulus.interval.n == 0 || store::is_left_out(stimulus, sampling))
      summary.omitted.push_back(stimulus.stimulus);
    if (!part.bound) summary.not_measured.push_back(stimulus.stimulus);
    if (!part.bound) continue;
    bounds += *part.bound;
    summary.share_unscored += part.outcomes.share_unscored();
    hardly_survived = hardly_survived || part.outcomes.share_unscored() > kMostLost;
    ++bounded;
  }
  summary.mean = store::mean_of(direction, sampling);
  if (bounded > 0) {
    summary.bound = bounds / static_cast<double>(bounded);
    summary.share_unscored /= static_cast<double>(bounded);
  }
  summary.conditional = summary.share_unscored > kConditionalShare || !summary.omitted.empty() || hardly_survived;
  if (sampling.goal_of != GoalOf::each_stimulus) {
    summary.stopped_because = store::stop_of_mean(direction);
    summary.goal = end_in_words(summary, sampling);
  }
  return summary;
}

std::vector<SequenceGap> sequence_gaps(const DirectionRun& direction) {
  std::vector<std::uint32_t> numbers;
  for (const StimulusRun& stimulus : direction.stimuli) {
    for (const Measurement& one : stimulus.measurements) numbers.push_back(one.sequence);
  }
  std::ranges::sort(numbers);
  std::vector<SequenceGap> gaps;
  std::uint32_t before = 0;
  for (const std::uint32_t number : numbers) {
    if (number > before + 1) gaps.push_back({before + 1, number - 1});
    before = number;
  }
  return gaps;
}

std::string half_width_text(double half_width, ScoreMode mode) {
  if (!std::isfinite(half_width)) return "–";
  if (half_width < kLeastShown) return fmt::format("<{:.2f}", 2 * kLeastShown);
  const double widest = scale_width(mode);
  return half_width > widest ? fmt::format(">{:.2f}", widest) : fmt::format("±{:.2f}", half_width);
}

std::string_view quality_word(double mos) {
  return report::quality_of(mos).word;
}

std::string difference_text(double difference) {
  const std::string text = fmt::format("{:+.2f}", difference);
  return text == "-0.00" || text == "+0.00" ? "0.00" : text;
}

std::string cap_in_words(const RunResults& results) {
  std::size_t capped = 0, all = 0;
  if (results.sampling.goal_of == GoalOf::line_time) return {};
  if (results.sampling.goal_of != GoalOf::each_stimulus) {
    const auto is_capped = [](const DirectionRun& one) {
      return store::stop_of_mean(one) == StopReason::cap_line_time;
    };
    const auto count = std::ranges::count_if(results.directions, is_capped);
    if (count == 0) return {};
    return fmt::format("the allowed line time ended before the mean of {} of {} directions reached its goal", count,
                       results.directions.size());
  }
  for (const DirectionRun& direction : results.directions) {
    all += direction.stimuli.size();
    capped += static_cast<std::size_t>(
        std::ranges::count(direction.stimuli, StopReason::cap_line_time, &StimulusRun::stopped_because));
  }
  if (capped == 0) return {};
  return fmt::format("the allowed line time ended before {} of {} stimuli reached their goal", capped, all);
}

std::string stop_in_words(StopReason reason, const SamplerOptions& sampling) {
  switch (reason) {
    case StopReason::goal:
      return "goal reached";
    case StopReason::fallback:
      return sampling.fallback ? fmt::format("±{:.4g} MOS at {:.4g} % reached, but not the goal",
                                             sampling.fallback->half_width, 100 * sampling.fallback->confidence)
                               : std::string("fallback reached, but not the goal");
    case StopReason::cap_count:
      return fmt::format("limit of {} measurements reached before the goal", sampling.cap_count);
    case StopReason::cap_line_time:
      return "allowed line time used up before the goal";
    case StopReason::cancelled:
      return "stopped by the user";
    case StopReason::line_lost:
      return "the line or a node was lost";
    case StopReason::failures:
      return fmt::format("abandoned after {} measurements without a score", sampling.max_failures);
    case StopReason::disk:
      return "disk full or not writable";
    case StopReason::sender_finished:
      return "the sender had finished";
    case StopReason::undecidable:
      return "too close to the limit for a decision";
  }
  return {};
}

std::string goal_in_words(const SamplerOptions& sampling) {
  const std::string first = fmt::format("{} measurements of each stimulus and direction, then more in steps of {}",
                                        sampling.first_count, sampling.step);
  if (sampling.goal_of == GoalOf::line_time)
    return "the same number of measurements of each stimulus in a direction, as many as the line time allows";
  const std::string whose = sampling.goal_of == GoalOf::each_stimulus
                                ? "the half-width is at most"
                                : "the half-width of the direction's mean is at most";
  std::string words = fmt::format("{} until {} {:g} MOS at {:g} %", first, whose, sampling.goal.half_width,
                                  100 * sampling.goal.confidence);
  if (sampling.goal_of == GoalOf::above)
    words = fmt::format(
        "{} until the direction's mean with the model's error lies on one side of {:g} MOS at {:g} %, or "
        "it is shown that it lies too close for that",
        first, sampling.limit.mos, 100 * sampling.goal.confidence);
  words += fmt::format(", or until {} are scored{}", sampling.cap_count,
                       sampling.goal_of == GoalOf::each_stimulus ? "" : " of each stimulus on average");
  if (sampling.fallback && sampling.goal_of != GoalOf::above)
    words += fmt::format("; then {:g} MOS at {:g} % is accepted, as “fallback”", sampling.fallback->half_width,
                         100 * sampling.fallback->confidence);
  if (sampling.goal_of == GoalOf::mean && sampling.goal.together > 1) {
    const auto all = [](const PrecisionGoal& goal) { return 100 * std::pow(goal.confidence, goal.together); };
    words += fmt::format("; the intervals of both directions hold together at {:.4g} %", all(sampling.goal));
    if (sampling.fallback)
      words += fmt::format(", or at {:.4g} % where one ended with the fallback", all(*sampling.fallback));
  }
  return words;
}

std::string precision_in_words(double half_width, double confidence, double model_error_mos,
                               const std::string& model_error_label, ScoreMode mode) {
  std::string repeatability = "repeatability not known (fewer than two scores)";
  if (std::isfinite(half_width)) {
    repeatability = fmt::format(
        "repeatability {} ({:.4g} %)",
        half_width > scale_width(mode) ? "wider than the scale" : half_width_text(half_width, mode), 100 * confidence);
  }
  const std::string model = model_error_mos > 0 ? fmt::format("model error about ±{:.2g} (1 σ, against {})",
                                                              model_error_mos, model_error_label)
                                                : "model error not known";
  return repeatability + "; " + model;
}

std::string conditional_in_words(const DirectionSummary& summary) {
  return summary.conditional ? conditional(summary.share_unscored, summary.outcomes.of(Outcome::line_lost),
                                           summary.omitted, summary.not_measured, summary.bound)
                             : std::string();
}

std::string conditional_in_words(const StimulusSummary& summary) {
  return summary.conditional ? conditional(summary.outcomes.share_unscored(), summary.outcomes.of(Outcome::line_lost),
                                           {}, {}, summary.bound)
                             : std::string();
}

std::string mean_in_words(const DirectionSummary& summary, double model_error_mos, const std::string& model_error_label,
                          ScoreMode mode) {
  const OutcomeCounts& counts = summary.outcomes;
  if (summary.mean.strata == 0) return fmt::format("no score; {} measurements, none scored", counts.total());
  std::string words = fmt::format(
      "mean {} {:.2f}, {}; {} of {} measurements scored", scale_name(mode), summary.mean.mean,
      precision_in_words(summary.mean.half_width, summary.mean.confidence, model_error_mos, model_error_label, mode),
      counts.of(Outcome::scored), counts.total());
  if (!summary.goal.empty()) words += "; " + summary.goal;
  return summary.conditional ? words + "; " + conditional_in_words(summary) : words;
}

}  // namespace vqas
