#include "measure/live_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "terminal/plain_streams.h"
#include "vqas/report/summary.h"
#include "vqas/run/mos_scale.h"

namespace vqas::cli {
namespace {

constexpr std::chrono::milliseconds kRedraw{100};

constexpr int kCellWidth = 33;

// At a lower confidence than the first goal's.
bool by_fallback(const StimulusRun& run, const SamplerOptions& sampling) {
  return run.interval.n > 1 && run.interval.confidence < sampling.goal.confidence;
}

std::string cell(const StimulusRun& run, const SamplerOptions& sampling, ScoreMode mode) {
  const Interval& interval = run.interval;
  std::string text =
      fmt::format("{:>4} {:>6}", interval.n, interval.n > 0 ? fmt::format("{:.2f}", interval.mean) : "-");
  const std::string width = interval.n > 1 ? half_width_text(interval.half_width, mode) : "";
  text += fmt::format(" {:<7}", width + (by_fallback(run, sampling) ? "*" : ""));
  const std::size_t unscored = run.measurements.size() - std::min(run.measurements.size(), interval.n);
  return text + fmt::format("{:<14}", unscored > 0 ? fmt::format(" {} not scored", unscored) : "");
}

}  // namespace

std::string results_table(const RunResults& results) {
  if (results.directions.empty()) return {};
  std::string text = fmt::format("{:<10}", "");
  for (const DirectionRun& direction : results.directions) {
    text += fmt::format("  {:<{}}", direction_words(direction.from), kCellWidth);
  }
  text += fmt::format("\n{:<10}", "stimulus");
  for (std::size_t d = 0; d < results.directions.size(); ++d)
    text += fmt::format("  {:<{}}", fmt::format("   n   mean {}", scale_name(results.mode)), kCellWidth);
  text += "\n";
  for (std::size_t s = 0; s < results.directions.front().stimuli.size(); ++s) {
    text += fmt::format("{:<10}", results.directions.front().stimuli[s].stimulus);
    for (const DirectionRun& direction : results.directions)
      text += "  " + cell(direction.stimuli[s], results.sampling, results.mode);
    text += "\n";
  }
  const bool fallback = std::any_of(results.directions.begin(), results.directions.end(), [&](const auto& direction) {
    return std::any_of(direction.stimuli.begin(), direction.stimuli.end(),
                       [&](const auto& run) { return by_fallback(run, results.sampling); });
  });
  text += fmt::format("± at {:.4g} %", 100 * results.sampling.goal.confidence);
  if (fallback && results.sampling.fallback)
    text += fmt::format("; * {:.4g} % (fallback goal)", 100 * results.sampling.fallback->confidence);
  const bool unknown = std::any_of(results.directions.begin(), results.directions.end(), [&](const auto& direction) {
    return std::any_of(direction.stimuli.begin(), direction.stimuli.end(), [&](const auto& run) {
      return std::isfinite(run.interval.half_width) && run.interval.half_width > scale_width(results.mode);
    });
  });
  if (unknown) {
    text += fmt::format("; >{:.2f}: wider than the scale of MOS, too few measurements for a mean",
                        scale_width(results.mode));
  }
  return text + "\n";
}

std::string progress_line(const RunProgress& progress) {
  std::string text = fmt::format("{} of about {} measurements", progress.measured, progress.expected_total);
  if (progress.remaining_s < 0) return text;
  const auto left = static_cast<long>(std::ceil(progress.remaining_s));
  return text +
         (left >= 60 ? fmt::format(", {} min {} s left", left / 60, left % 60) : fmt::format(", {} s left", left));
}

void LiveTable::update(const RunResults& results, const RunProgress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (!on_terminal_ || (lines_ > 0 && now - drawn_ < kRedraw)) return;
  clear();
  const std::string text = results_table(results) + progress_line(progress) + "\n";
  lines_ = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  drawn_ = now;
  std::cout << text << std::flush;
}

void LiveTable::clear() {
  // ANSI: cursor up that many lines, erase to the end of the screen.
  if (lines_ > 0) move_cursor(std::cout, fmt::format("\x1b[{}A\x1b[J", lines_));
  lines_ = 0;
}

}  // namespace vqas::cli
