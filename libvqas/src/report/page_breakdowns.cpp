// What a direction's mean hides: scores far below the usual ones, lost calls, and measurements without a score.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include "report/page.h"
#include "report/quality_scale.h"
#include "run/run_json.h"
#include "vqas/run/call_levels.h"
#include "vqas/signal/median.h"

namespace vqas::report {
namespace {

// A score so far below the median of its stimulus is a breakdown of the line, in MOS: one and a half of the scale's
// five categories. Scores on a line with a constant impairment scatter by less.
constexpr double kFall = 1.5;
// A line breaks down now and then if at least this share of its measurements shows it, and at least two of them; it has
// a usual state if fewer than half do.
constexpr double kLeastShare = 0.05, kMostShare = 0.5;

// No score because of the line, not of an end's device or of the operator.
bool lost_by_line(const Measurement& one) {
  switch (one.outcome) {
    case Outcome::not_found:
    case Outcome::not_aligned:
    case Outcome::no_speech:
    case Outcome::too_short:
    case Outcome::line_lost:
      return true;
    default:
      return false;
  }
}

// A loss may spoil transmissions with successive numbers.
std::size_t count_losses(std::vector<std::uint32_t> numbers) {
  std::ranges::sort(numbers);
  std::size_t losses = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) losses += i == 0 || numbers[i] > numbers[i - 1] + 1 ? 1 : 0;
  return losses;
}

}  // namespace

Breakdowns breakdowns_of(const DirectionRun& direction) {
  Breakdowns found;
  std::vector<double> all, low;
  std::vector<std::uint32_t> gone;
  std::size_t lost = 0;
  for (const StimulusRun& stimulus : direction.stimuli) {
    const std::vector<double> scores = store::scores_of(stimulus.measurements);
    all.insert(all.end(), scores.begin(), scores.end());
    const double least = scores.empty() ? 0 : median(scores) - kFall;
    for (const Measurement& one : stimulus.measurements) {
      if (one.outcome == Outcome::cancelled) continue;
      ++found.made;
      if (!one.mos_lqo) ++found.unscored;
      if (lost_by_line(one)) ++lost;
      if (one.outcome == Outcome::line_lost) gone.push_back(one.sequence);
      if (!one.mos_lqo || *one.mos_lqo >= least) continue;
      low.push_back(*one.mos_lqo);
      found.low.push_back(&one);
    }
  }
  found.calls = call_levels(direction).size();
  found.losses = std::max(count_losses(std::move(gone)), std::max<std::size_t>(1, found.calls) - 1);
  if (!all.empty()) found.usual_mos = median(all);
  if (!low.empty()) found.low_mos = std::accumulate(low.begin(), low.end(), 0.0) / static_cast<double>(low.size());
  const double share =
      static_cast<double>(low.size() + lost) / static_cast<double>(std::max<std::size_t>(1, found.made));
  found.breaks_down = low.size() >= 2 && share >= kLeastShare && share < kMostShare;
  return found;
}

std::string times_in_words(std::size_t count) {
  return count == 1 ? "once" : fmt::format("{} times", count);
}

std::string in_words(const Breakdowns& found) {
  std::vector<std::string> parts;
  if (found.breaks_down)
    parts.push_back(fmt::format("{} of {} measurements score {:.1f} on average ({})", found.low.size(), found.made,
                                found.low_mos, quality_of(std::round(10 * found.low_mos) / 10).word));
  if (found.losses > 0) parts.push_back("the call or an end was lost " + times_in_words(found.losses));
  if (found.unscored > 0)
    parts.push_back(fmt::format("{} of {} measurements {} no score", found.unscored, found.made,
                                found.unscored == 1 ? "has" : "have"));
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace vqas::report
