#include "vqas/score/stretches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace vqas {
namespace {

constexpr double kMarginS = 0.5;     // around the place where speech must be, for filters to settle
constexpr double kCutWithinS = 2;    // the quietest moment of so much at the end of a stretch is where it is cut
constexpr int kLowestRateHz = 1000;  // as the readers and the conversion of rates have it
constexpr double kQuietWindowS = 0.1;
constexpr double kLeastMeanStrength = 0.05;  // of a cause over all: strength 1 in a twentieth of the stretches
constexpr double kMissedS = 0.5;             // of speech: a stretch that lacks more is looked for elsewhere
constexpr double kStillMissing = 0.5;        // of what was missing: less than that is missing where it was found
constexpr double kShortestS = 1;             // the rest of a recording that makes no stretch of its own

struct Place {
  double start_s = 0;
  double length_s = 0;
};

double rounded(double value) {
  return std::round(value * 1e4) / 1e4 + 0.0;
}

// Multiples of 10 ms are whole samples at every rate that is a multiple of 100 Hz.
double on_grid(double seconds) {
  return std::round(seconds * 100) / 100;
}

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Where in `tail` it is quietest, in seconds from its beginning.
double quietest(const Signal& tail) {
  const std::size_t window = std::max<std::size_t>(1, static_cast<std::size_t>(kQuietWindowS * tail.rate_hz));
  double best = 0;
  double least = -1;
  for (std::size_t at = 0; at + window <= tail.size(); at += std::max<std::size_t>(1, window / 2)) {
    double energy = 0;
    for (std::size_t n = at; n < at + window; ++n) energy += static_cast<double>(tail.samples[n]) * tail.samples[n];
    if (least >= 0 && energy > least) continue;
    least = energy;
    best = (static_cast<double>(at) + static_cast<double>(window) / 2) / tail.rate_hz;
  }
  return best;
}

class Stretches {
 public:
  Stretches(Scorer& scorer, const LongRecording& reference, const LongRecording& degraded,
            const StretchOptions& options, const StretchEvents& events)
      : scorer_(scorer), reference_(reference), degraded_(degraded), options_(options), events_(events) {}

  Result<LongScore> run() {
    if (auto cut = cut_reference(); !cut) return cut.error();
    result_.stretches.resize(places_.size());
    std::size_t first = 0;
    for (; first < places_.size() && !delay_s_; ++first) {
      if (auto tried = search(first); !tried) return tried.error();
      if (!go_on(first + 1)) return stopped();
    }
    if (!delay_s_) return summed_up();
    const double found_s = *delay_s_;
    for (std::size_t k = first; k < places_.size(); ++k) {
      if (auto placed = place(k); !placed) return placed.error();
      if (!go_on(k + 1)) return stopped();
    }
    // Back to those before the first match.
    delay_s_ = found_s;
    for (std::size_t k = first - 1; k-- > 0;) {
      if (auto placed = place(k); !placed) return placed.error();
    }
    return summed_up();
  }

 private:
  Status cut_reference() {
    double start = 0;
    while (reference_.seconds - start >= kShortestS || places_.empty()) {
      double end = start + options_.stretch_s;
      if (end + kShortestS >= reference_.seconds) {
        end = reference_.seconds;
      } else {
        const auto tail = reference_.read(end - kCutWithinS, kCutWithinS);
        if (!tail) return tail.error();
        if (tail->rate_hz < kLowestRateHz) {
          return Error{ErrorCode::bad_input, fmt::format("the reference's sampling rate is {} Hz; at least {} Hz are "
                                                         "needed",
                                                         tail->rate_hz, kLowestRateHz)};
        }
        end = on_grid(end - kCutWithinS + quietest(*tail));
      }
      places_.push_back({start, end - start});
      start = end;
    }
    return success();
  }

  struct Scored {
    StretchScore stretch;
    std::optional<Explanation> explanation;
  };

  /// Looks for a stretch with nothing known.
  Status search(std::size_t k) {
    auto scored = score_around(k, 0);
    if (!scored) return scored.error();
    const auto& delay_ms = scored->stretch.score.delay_ms;
    // Once more around its place: what the search has cut off may lie there.
    if (delay_ms && missing_s(scored->stretch.score) > kMissedS) {
      auto again = score_around(k, *delay_ms / 1000);
      if (!again) return again.error();
      if (is_better(again->stretch.score, scored->stretch.score)) scored = std::move(again);
    }
    take(k, *std::move(scored));
    return success();
  }

  Status place(std::size_t k) {
    const double around = on_grid(options_.uncertainty_s + kMarginS);
    const double from = on_grid(places_[k].start_s + *delay_s_) - around;
    const double offset_s = places_[k].start_s + *delay_s_ - from;
    auto scored = score(k, from, places_[k].length_s + 2 * around, offset_s);
    if (!scored) return scored.error();
    if (missing_s(scored->stretch.score) > kMissedS) {
      // It is gone, or the delay has stepped by more than that.
      auto elsewhere = score_around(k, *delay_s_);
      if (!elsewhere) return elsewhere.error();
      if (is_better(elsewhere->stretch.score, scored->stretch.score)) scored = std::move(elsewhere);
    }
    take(k, *std::move(scored));
    return success();
  }

  /// Without a place, up to search_s from a delay.
  Result<Scored> score_around(std::size_t k, double delay_s) {
    const double from = on_grid(places_[k].start_s + delay_s) - options_.search_s;
    return score(k, from, places_[k].length_s + 2 * options_.search_s, std::nullopt);
  }

  /// Speech that did not arrive; all of the stretch where nothing is known of it.
  static double missing_s(const Score& score) {
    if (score.outcome == Outcome::no_speech) return 0;
    if (!score.indices) return std::numeric_limits<double>::infinity();
    const MissingSpeech& missing = score.indices->missing;
    return (missing.front_ms + missing.middle_ms + missing.tail_ms) / 1000;
  }

  /// Whether a search found what was missing at the place: most of it, and without doubt.
  static bool is_better(const Score& found, const Score& placed) {
    if (!found.mos_lqo || !found.delay_ms || !found.reason.empty()) return false;
    if (!placed.mos_lqo) return true;
    return *found.mos_lqo > *placed.mos_lqo && missing_s(found) < kStillMissing * missing_s(placed);
  }

  Result<Scored> score(std::size_t k, double from, double length, std::optional<double> offset_s) {
    const auto reference = reference_.read(places_[k].start_s, places_[k].length_s);
    if (!reference) return reference.error();
    const auto degraded = degraded_.read(from, length);
    if (!degraded) return degraded.error();
    std::optional<KnownPlacement> placement;
    if (offset_s) placement = KnownPlacement{*offset_s * degraded->rate_hz, 0, options_.uncertainty_s};
    Scored result{{places_[k].start_s, places_[k].length_s, {}}, {}};
    Score& score = result.stretch.score;
    if (events_.on_explained) {
      auto explained = scorer_.explain(*reference, *degraded, placement);
      score = std::move(explained.score);
      result.explanation = std::move(explained.explanation);
    } else {
      score = scorer_.diagnose(*reference, *degraded, placement);
    }
    const double origin_ms = 1000 * (from - places_[k].start_s);
    if (score.delay_ms) score.delay_ms = rounded(*score.delay_ms + origin_ms);
    for (DelayPiece& piece : score.delay_track) {
      piece.start_s += places_[k].start_s;
      piece.delay_ms += origin_ms;
    }
    return result;
  }

  void take(std::size_t k, Scored scored) {
    StretchScore& stretch = result_.stretches[k];
    stretch = std::move(scored.stretch);
    if (stretch.score.delay_ms && stretch.score.mos_lqo) delay_s_ = *stretch.score.delay_ms / 1000;
    if (scored.explanation) events_.on_explained(stretch, *scored.explanation);
  }

  bool go_on(std::size_t done) const {
    return !events_.on_progress || events_.on_progress(static_cast<double>(done) / static_cast<double>(places_.size()));
  }
  static Error stopped() { return {ErrorCode::cancelled, "scoring was stopped before the end of the recording"}; }

  LongScore summed_up() {
    Score& overall = result_.overall;
    double mos = 0;
    double distance = 0;
    std::vector<double> delays;
    std::vector<double> drifts;
    std::vector<double> levels;
    double confidence = 0;
    const StretchScore* refused = nullptr;
    for (const StretchScore& stretch : result_.stretches) {
      const Score& score = stretch.score;
      if (!score.mos_lqo) {
        if (refused == nullptr || refused->score.outcome == Outcome::no_speech) refused = &stretch;
        continue;
      }
      ++result_.scored;
      mos += *score.mos_lqo;
      distance += *score.auditory_distance;
      confidence += score.confidence.value_or(0);
      if (score.delay_ms) delays.push_back(*score.delay_ms);
      if (score.clock_drift_ppm) drifts.push_back(*score.clock_drift_ppm);
      if (score.level_difference_db) levels.push_back(*score.level_difference_db);
      add_causes(score);
    }
    if (result_.scored == 0) {
      overall.outcome = refused->score.outcome;
      overall.reason = fmt::format("in none of {} stretches; {}", result_.stretches.size(), refused->score.reason);
      return std::move(result_);
    }
    const auto count = static_cast<double>(result_.scored);
    overall.outcome = Outcome::scored;
    overall.mos_lqo = rounded(mos / count);
    overall.auditory_distance = rounded(distance / count);
    overall.confidence = rounded(confidence / count);
    for (const StretchScore& stretch : result_.stretches) {
      const auto& track = stretch.score.delay_track;
      overall.delay_track.insert(overall.delay_track.end(), track.begin(), track.end());
    }
    sum_up_indices();
    overall.delay_ms = median(std::move(delays));
    overall.clock_drift_ppm = median(std::move(drifts));
    overall.level_difference_db = median(std::move(levels));
    for (CauseFinding& finding : overall.causes) finding.strength = std::round(100 * finding.strength / count) / 100;
    std::erase_if(overall.causes, [](const CauseFinding& finding) { return finding.strength < kLeastMeanStrength; });
    std::stable_sort(overall.causes.begin(), overall.causes.end(),
                     [](const CauseFinding& a, const CauseFinding& b) { return a.strength > b.strength; });
    return std::move(result_);
  }

  void sum_up_indices() {
    std::vector<double> low;
    std::vector<double> high;
    std::vector<double> lost;
    Indices all;
    for (const StretchScore& stretch : result_.stretches) {
      if (!stretch.score.indices) continue;
      const Indices& one = *stretch.score.indices;
      if (!append(all.missing, one.missing)) continue;
      low.push_back(one.band_loss.low_hz);
      high.push_back(one.band_loss.high_hz);
      lost.push_back(one.band_loss.loudness_lost);
      all.level_track.range_db = std::max(all.level_track.range_db, one.level_track.range_db);
    }
    if (all.missing.speech_ms == 0) return;
    all.band_loss = {median(std::move(low)).value_or(0), median(std::move(high)).value_or(0),
                     median(std::move(lost)).value_or(1)};
    result_.overall.indices = all;
  }

  /// Adds what the next stretch lacks to what those before it lack; false when nothing of it arrived.
  static bool append(MissingSpeech& all, const MissingSpeech& next) {
    const bool arrived_before = all.front_ms + all.middle_ms + all.tail_ms < all.speech_ms;
    const bool arrived = next.front_ms + next.middle_ms + next.tail_ms < next.speech_ms;
    all.speech_ms += next.speech_ms;
    all.gaps += next.gaps;
    if (!arrived_before) {
      all.front_ms += next.front_ms;
    } else if (!arrived) {
      all.tail_ms += next.front_ms;
    } else if (all.tail_ms + next.front_ms > 0) {
      // What was missing at the end has speech behind it now.
      all.middle_ms += all.tail_ms + next.front_ms;
      all.tail_ms = 0;
      ++all.gaps;
    }
    all.middle_ms += next.middle_ms;
    all.tail_ms += next.tail_ms;
    return arrived;
  }

  void add_causes(const Score& score) {
    auto& causes = result_.overall.causes;
    for (const CauseFinding& finding : score.causes) {
      const auto known = std::find_if(causes.begin(), causes.end(),
                                      [&](const CauseFinding& one) { return one.cause == finding.cause; });
      if (known == causes.end()) {
        causes.push_back(finding);
      } else {
        known->strength += finding.strength;
      }
    }
  }

  Scorer& scorer_;
  const LongRecording& reference_;
  const LongRecording& degraded_;
  const StretchOptions& options_;
  const StretchEvents& events_;
  std::vector<Place> places_;
  std::optional<double> delay_s_;
  LongScore result_;
};

}  // namespace

Result<LongScore> score_in_stretches(Scorer& scorer, const LongRecording& reference, const LongRecording& degraded,
                                     const StretchOptions& options, const StretchEvents& events) {
  const auto within = [](double value, double low, double high) { return value >= low && value <= high; };
  if (!within(options.stretch_s, 5, 120) || !within(options.search_s, 0, 60) ||
      !within(options.uncertainty_s, 0.05, 5)) {
    return Error{ErrorCode::bad_input,
                 "stretches must last 5 to 120 s, the search 0 to 60 s, the uncertainty be 0.05 to 5 s"};
  }
  for (const LongRecording* recording : {&reference, &degraded}) {
    if (!std::isfinite(recording->seconds) || recording->seconds < 0) {
      return Error{ErrorCode::bad_input, "a long recording must say how many seconds it has, a finite number from 0"};
    }
  }
  return Stretches(scorer, reference, degraded, options, events).run();
}

LongRecording as_long_recording(const Signal& signal) {
  return {signal.seconds(), [&signal](double start_s, double seconds) -> Result<Signal> {
            const auto start = static_cast<std::ptrdiff_t>(std::llround(start_s * signal.rate_hz));
            const auto count = static_cast<std::ptrdiff_t>(std::llround(std::max(0.0, seconds) * signal.rate_hz));
            Signal piece{std::vector<float>(static_cast<std::size_t>(count), 0.0F), signal.rate_hz};
            const auto size = static_cast<std::ptrdiff_t>(signal.size());
            const auto first = std::clamp<std::ptrdiff_t>(start, 0, size);
            const auto last = std::clamp<std::ptrdiff_t>(start + count, first, size);
            std::copy(signal.samples.begin() + first, signal.samples.begin() + last,
                      piece.samples.begin() + (first - start));
            return piece;
          }};
}

}  // namespace vqas
