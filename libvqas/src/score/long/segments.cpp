#include "vqas/score/segments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "score/diagnose/impairment_rules.h"
#include "score/engine.h"
#include "score/long/missing_by_power.h"
#include "score/long/segment_sum.h"
#include "score/model/shared_numbers.h"

namespace vqas {
namespace {

using scoring::FrameSums;
using scoring::kShortestS;
using scoring::kSoundShare;
using scoring::kToldS;
using scoring::LongAmbiguity;
using scoring::SegmentPart;
using scoring::sum_up;

constexpr double kCutWithinS = 2;      // the quietest moment of so much at the end of a segment is where it is cut
constexpr int kLowestRateHz = 1000;    // not tuned: as the readers and the conversion of rates have it
constexpr double kQuietWindowS = 0.1;  // by hand: a pause between words
constexpr double kMissedS = kToldS;    // of speech: a segment that lacks more is looked for elsewhere
constexpr double kStillMissing = 0.5;  // of what was missing: less than that is missing where it was found
constexpr double kBesideS = 0.5;       // read on either side of a segment's place: filters settle there
constexpr double kSeamS = scoring::kHangoverMs / 1000.0;  // beside a neighbour: longer pauses are not speech
constexpr double kSoundOfLost = 0.2;                      // of lost speech: less sound cannot be most of it
constexpr int kPowerSegments = 5;                         // enough for a mean power
// Searches beyond search_s, for each segment and besides: a bound, so that the time stays linear.
constexpr std::size_t kSearches = 4;
constexpr std::size_t kSearchesMore = 40;

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

double power_of(const Signal& signal, std::size_t from, std::size_t count) {
  double energy = 0;
  for (std::size_t n = from; n < from + count; ++n)
    energy += static_cast<double>(signal.samples[n]) * signal.samples[n];
  return energy / static_cast<double>(std::max<std::size_t>(1, count));
}

/// Where in `tail` it is quietest, in seconds from its beginning.
double quietest(const Signal& tail) {
  const std::size_t window = std::max<std::size_t>(1, static_cast<std::size_t>(kQuietWindowS * tail.rate_hz));
  double best = 0;
  double least = -1;
  for (std::size_t at = 0; at + window <= tail.size(); at += std::max<std::size_t>(1, window / 2)) {
    const double energy = power_of(tail, at, window);
    if (least >= 0 && energy > least) continue;
    least = energy;
    best = (static_cast<double>(at) + static_cast<double>(window) / 2) / tail.rate_hz;
  }
  return best;
}

class Segments {
 public:
  Segments(Scorer& scorer, const LongRecording& reference, const LongRecording& degraded, const SegmentOptions& options,
           const SegmentEvents& events)
      : scorer_(scorer),
        engine_(scoring::score_model(scorer.mode())),
        reference_(reference),
        degraded_(degraded),
        options_(options),
        events_(events) {}

  Result<LongScore> run() {
    if (auto cut = cut_reference(); !cut) return cut.error();
    result_.segments.resize(places_.size());
    parts_.resize(places_.size());
    searches_of_.resize(places_.size());
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
      double end = start + options_.segment_s;
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

  /// What was compared with a segment: seconds of the degraded recording, and where in them it must begin.
  struct Search {
    double from_s = 0;
    double length_s = 0;
    std::optional<double> offset_s;
  };
  struct Scored {
    SegmentScore segment;
    SegmentPart part;
    Search search;
    std::optional<Explanation> explanation;
  };

  /// Looks for a segment with nothing known.
  Status search(std::size_t k) {
    auto scored = score_around(k, 0);
    if (!scored) return scored.error();
    const auto& delay_ms = scored->segment.score.delay_ms;
    // Once more around its place: what the search has cut off may lie there.
    if (delay_ms && missing_s(scored->segment.score) > kMissedS) {
      auto again = score_around(k, *delay_ms / 1000);
      if (!again) return again.error();
      if (is_better(again->segment.score, scored->segment.score)) scored = std::move(again);
    }
    take(k, *std::move(scored));
    return success();
  }

  Status place(std::size_t k) {
    auto placed = score_at_place(k);
    if (!placed) return placed.error();
    take(k, *std::move(placed));
    return success();
  }

  /// As place(), for a segment that has a score, which stays unless more of the speech is found.
  Status replace(std::size_t k) {
    auto placed = score_at_place(k);
    if (!placed) return placed.error();
    if (!is_found(k) || is_better(placed->segment.score, result_.segments[k].score)) take(k, *std::move(placed));
    return success();
  }

  Result<Scored> score_at_place(std::size_t k) {
    const double around = on_grid(options_.uncertainty_s + kBesideS);
    const double from = on_grid(places_[k].start_s + *delay_s_) - around;
    const double offset_s = places_[k].start_s + *delay_s_ - from;
    auto scored = score(k, from, places_[k].length_s + 2 * around, offset_s);
    if (!scored) return scored.error();
    if (missing_s(scored->segment.score) > kMissedS) {
      // It is gone, or the delay has stepped by more than that.
      auto elsewhere = score_around(k, *delay_s_);
      if (!elsewhere) return elsewhere.error();
      if (is_better(elsewhere->segment.score, scored->segment.score)) scored = std::move(elsewhere);
    }
    return scored;
  }

  /// Without a place, up to search_s from a delay.
  Result<Scored> score_around(std::size_t k, double delay_s) {
    const double from = on_grid(places_[k].start_s + delay_s) - options_.search_s;
    return score(k, from, places_[k].length_s + 2 * options_.search_s, std::nullopt);
  }

  /// Speech that did not arrive; all of the segment where nothing is known of it.
  static double missing_s(const Score& score) {
    if (score.outcome == Outcome::no_speech) return 0;
    if (!score.indices) return std::numeric_limits<double>::infinity();
    return score.indices->missing.total_ms() / 1000;
  }

  static bool is_sure(const Score& found) { return found.mos_lqo && found.delay_ms && found.reason.empty(); }

  /// Whether a search found what was missing at the place: most of it, and without ambiguity. What either scores does
  /// not count, as that would make scores too good.
  static bool is_better(const Score& found, const Score& placed) {
    if (!is_sure(found)) return false;
    if (!placed.mos_lqo) return true;
    return missing_s(found) < kStillMissing * missing_s(placed);
  }

  Result<Scored> score(std::size_t k, double from, double length, std::optional<double> offset_s) {
    return score(k, Search{from, length, offset_s}, nullptr);
  }

  /// `line`: level and response to compare by, if not the segment's own.
  Result<Scored> score(std::size_t k, const Search& search, const FrameSums* line) {
    const auto reference = reference_.read(places_[k].start_s, places_[k].length_s);
    if (!reference) return reference.error();
    const auto degraded = degraded_.read(search.from_s, search.length_s);
    if (!degraded) return degraded.error();
    std::optional<KnownPlacement> placement;
    if (search.offset_s) placement = KnownPlacement{*search.offset_s * degraded->rate_hz, 0, options_.uncertainty_s};
    Scored result{{places_[k].start_s, places_[k].length_s, {}}, {}, search, {}};
    Score& score = result.segment.score;
    std::optional<scoring::Engine::Evaluation> seen;
    score = engine_.score(*reference, *degraded, placement,
                          {.diagnosis = true,
                           .explanation = events_.on_explained ? &result.explanation : nullptr,
                           .evaluation = &seen,
                           .frame_sums = true,
                           .line = line});
    if (seen) {
      result.part = {std::move(seen->line), seen->measurements, seen->circumstances, seen->corrected_drift_ppm};
    }
    const double origin_ms = 1000 * (search.from_s - places_[k].start_s);
    if (score.delay_ms) score.delay_ms = rounded(*score.delay_ms + origin_ms);
    for (DelayPiece& piece : score.delay_track) {
      piece.start_s += places_[k].start_s;
      piece.delay_ms += origin_ms;
    }
    return result;
  }

  void take(std::size_t k, Scored scored) {
    SegmentScore& segment = result_.segments[k];
    segment = std::move(scored.segment);
    parts_[k] = std::move(scored.part);
    searches_of_[k] = scored.search;
    if (segment.score.delay_ms && segment.score.mos_lqo) delay_s_ = *segment.score.delay_ms / 1000;
    if (scored.explanation) events_.on_explained(segment, *scored.explanation);
  }

  bool go_on(std::size_t done) const {
    return !events_.on_progress || events_.on_progress(static_cast<double>(done) / static_cast<double>(places_.size()));
  }
  static Error stopped() { return {ErrorCode::cancelled, "scoring was stopped before the end of the recording"}; }

  /// The end of all: steps of the delay beyond the search, what nobody can tell, the sum.
  Result<LongScore> summed_up() {
    if (auto found = find_talk(); !found) return found.error();
    if (auto recovered = recover(); !recovered) return recovered.error();
    if (!delay_s_) {
      sum_up(result_, parts_, {}, engine_.model());
      return std::move(result_);
    }
    for (std::size_t k = 1; k + 1 < places_.size(); ++k) {
      if (auto seam = look_between(k); !seam) return seam.error();
    }
    if (auto compared = compare_with_all(); !compared) return compared.error();
    auto ambiguity = find_ambiguity();
    if (!ambiguity) return ambiguity.error();
    if (auto counted = count_silent(); !counted) return counted.error();
    sum_up(result_, parts_, *ambiguity, engine_.model());
    return std::move(result_);
  }

  /// What is left of a segment that lacks speech has neither level nor response of the line: it would be forgiven that
  /// nothing arrived. Level and response are those of all, as in a shorter recording.
  Status compare_with_all() {
    FrameSums all;
    for (std::size_t k = 0; k < places_.size(); ++k) {
      if (result_.segments[k].score.mos_lqo) all.add(parts_[k].line);
    }
    if (all.loud_frames == 0) return success();
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const Score& score = result_.segments[k].score;
      if (!score.mos_lqo || !(missing_s(score) > kMissedS)) continue;
      auto scored = this->score(k, searches_of_[k], &all);
      if (!scored) return scored.error();
      if (scored->segment.score.mos_lqo) take(k, *std::move(scored));
    }
    return success();
  }

  /// Where too little arrived to be recognised, silence in the place of speech is speech that is missing.
  Status count_silent() {
    FrameSums found;
    for (std::size_t k = 0; k < places_.size(); ++k) {
      if (is_found(k)) found.add(parts_[k].line);
    }
    if (!(found.reference_power > 0)) return success();
    for (std::size_t k = 0; k < places_.size(); ++k) {
      Score& score = result_.segments[k].score;
      if (!score.mos_lqo || score.indices) continue;
      const auto reference = reference_.read(places_[k].start_s, places_[k].length_s);
      if (!reference) return reference.error();
      const auto degraded = degraded_.read(places_[k].start_s + nearest_delay(k), places_[k].length_s);
      if (!degraded) return degraded.error();
      const MissingSpeech missing =
          scoring::missing_by_power(*reference, *degraded, found.degraded_power / found.reference_power);
      if (missing.total_ms() < 1000 * kMissedS) continue;
      score.indices.emplace();
      score.indices->band_loss.loudness_lost = 1;
      score.indices->missing = missing;
      score.impairments = {{Impairment::loss, scoring::loss_strength(missing.total_ms() / missing.speech_ms),
                            mos_from_auditory_distance(0, score.mode) - *score.mos_lqo}};
    }
    return success();
  }

  bool talks(std::size_t k) const { return talks_[k] != 0; }
  /// A segment that was searched for in silence has the outcome no_speech, too.
  Status find_talk() {
    talks_.assign(places_.size(), 1);
    for (std::size_t k = 0; k < places_.size(); ++k) {
      if (result_.segments[k].score.outcome != Outcome::no_speech) continue;
      const auto reference = reference_.read(places_[k].start_s, places_[k].length_s);
      if (!reference) return reference.error();
      talks_[k] = scorer_.score(*reference, *reference).outcome == Outcome::no_speech ? 0 : 1;
    }
    return success();
  }
  bool is_found(std::size_t k) const {
    const Score& score = result_.segments[k].score;
    return score.mos_lqo && score.delay_ms;
  }
  bool is_whole(std::size_t k) const { return is_found(k) && missing_s(result_.segments[k].score) <= kMissedS; }
  double end_s(std::size_t k) const { return places_[k].start_s + places_[k].length_s; }

  /// Where the last piece that was found before a segment ends in the degraded recording, and where the first behind it
  /// begins.
  double end_before(std::size_t k) const {
    while (k-- > 0) {
      if (is_found(k)) return end_s(k) + last_delay_s(k);
    }
    return 0;
  }
  double begin_behind(std::size_t k) const {
    while (++k < places_.size()) {
      if (is_found(k)) return places_[k].start_s + first_delay_s(k);
    }
    return degraded_.seconds;
  }
  double first_delay_s(std::size_t k) const {
    const Score& score = result_.segments[k].score;
    return (score.delay_track.empty() ? *score.delay_ms : score.delay_track.front().delay_ms) / 1000;
  }
  double last_delay_s(std::size_t k) const {
    const Score& score = result_.segments[k].score;
    return (score.delay_track.empty() ? *score.delay_ms : score.delay_track.back().delay_ms) / 1000;
  }

  /// Looks for segments of which nothing was found in all of the recording that no other has received, the nearest
  /// places first, and from each that is found for those beside it.
  Status recover() {
    const int rings = options_.search_s > 0 ? static_cast<int>((reference_.seconds + degraded_.seconds) / reach()) : 0;
    // With nothing to go by the first segment comes first: what is said again later must not be taken for it.
    for (std::size_t k = 0; k < places_.size() && !delay_s_; ++k) {
      for (int ring = 1; ring <= rings && !delay_s_; ++ring) {
        if (auto looked = look_around(k, ring); !looked) return looked.error();
      }
    }
    for (int ring = 1; ring <= rings; ++ring) {
      for (std::size_t k = 0; k < places_.size(); ++k) {
        if (auto looked = look_around(k, ring); !looked) return looked.error();
      }
    }
    return success();
  }

  double reach() const { return 2 * options_.search_s; }

  Status look_around(std::size_t k, int ring) {
    for (const double away_s : {ring * reach(), -ring * reach()}) {
      if (!talks(k) || is_found(k)) break;
      if (auto looked = look_away(k, away_s); !looked) return looked.error();
    }
    return success();
  }

  /// Looks for a segment up to search_s around a place so far from where it was searched for.
  Status look_away(std::size_t k, double away_s) {
    const double middle = places_[k].start_s + nearest_delay(k) + away_s;
    const double from = on_grid(std::max(middle - options_.search_s, end_before(k) - kBesideS));
    const double to = std::min(middle + options_.search_s + places_[k].length_s, begin_behind(k) + kBesideS);
    if (to - from < kShortestS + 2 * kBesideS) return success();
    if (searches_ == kSearches * places_.size() + kSearchesMore) return success();
    ++searches_;
    if (!go_on(places_.size())) return stopped();
    auto scored = score(k, from, to - from, std::nullopt);
    if (!scored) return scored.error();
    if (!is_better(scored->segment.score, result_.segments[k].score)) return success();
    take(k, *std::move(scored));
    return follow(k);
  }

  /// The delay around which a segment has been searched for.
  double nearest_delay(std::size_t k) const {
    for (std::size_t j = k; j-- > 0;) {
      if (is_found(j)) return last_delay_s(j);
    }
    for (std::size_t j = k; j < places_.size(); ++j) {
      if (is_found(j)) return first_delay_s(j);
    }
    return 0;
  }

  /// From a segment that has just been found to those beside it that are lost.
  Status follow(std::size_t k) {
    const double found_s = *delay_s_;
    for (std::size_t j = k + 1; j < places_.size() && !is_whole(j); ++j) {
      if (auto placed = replace(j); !placed) return placed.error();
    }
    delay_s_ = found_s;
    for (std::size_t j = k; j-- > 0 && !is_whole(j);) {
      if (auto placed = replace(j); !placed) return placed.error();
    }
    return success();
  }

  /// A step of the delay inside a segment: what lies between its neighbours was received of it, and nothing else.
  Status look_between(std::size_t k) {
    if (!is_found(k - 1) || !is_found(k + 1) || !(missing_s(result_.segments[k].score) > kMissedS)) return success();
    const double before = last_delay_s(k - 1);
    const double behind = first_delay_s(k + 1);
    if (std::abs(behind - before) <= options_.uncertainty_s) return success();
    const double from = on_grid(places_[k].start_s + before - kSeamS);
    const double length = end_s(k) + behind + kSeamS - from;
    if (length < kShortestS) return success();
    auto scored = score(k, from, length, std::nullopt);
    if (!scored) return scored.error();
    if (is_better(scored->segment.score, result_.segments[k].score)) take(k, *std::move(scored));
    return success();
  }

  /// Speech that was found nowhere beside sound, between the same two segments, that nobody has found speech in.
  Result<LongAmbiguity> find_ambiguity() {
    LongAmbiguity ambiguity;
    for (std::size_t k = 0; k < places_.size();) {
      std::size_t last = k + 1;
      if (!talks(k) || is_found(k)) {
        k = last;
        continue;
      }
      while (last < places_.size() && !is_found(last)) ++last;
      double lost_s = 0;
      double arrived_s = 0;
      for (std::size_t j = k; j < last; ++j) {
        const Score& score = result_.segments[j].score;
        if (talks(j)) lost_s += std::min(missing_s(score), places_[j].length_s);
        if (score.indices) arrived_s += score.indices->missing.speech_ms / 1000 - missing_s(score);
      }
      auto sound_s = sound_between(end_before(k), begin_behind(last - 1));
      if (!sound_s) return sound_s.error();
      const LongAmbiguity here{lost_s, *sound_s - arrived_s};
      if (here.is_told() && here.sound_s > kSoundOfLost * lost_s) {
        ambiguity.lost_s += here.lost_s;
        ambiguity.sound_s += here.sound_s;
      }
      k = last;
    }
    return ambiguity;
  }

  /// Seconds in which the degraded recording is not much fainter than where speech was found.
  Result<double> sound_between(double begin, double end) {
    if (!found_power_) {
      auto power = found_power();
      if (!power) return power.error();
      found_power_ = *power;
    }
    double sound_s = 0;
    double from = std::max(0.0, begin + kBesideS);
    while (from < end - kBesideS) {
      const auto piece = degraded_.read(from, std::min(options_.segment_s, end - kBesideS - from));
      if (!piece) return piece.error();
      const auto window = static_cast<std::size_t>(kQuietWindowS * piece->rate_hz);
      for (std::size_t at = 0; at + window <= piece->size(); at += window) {
        if (power_of(*piece, at, window) > kSoundShare * *found_power_) sound_s += kQuietWindowS;
      }
      from += options_.segment_s;
    }
    return sound_s;
  }

  /// Mean power of what was received where the first segments were found.
  Result<double> found_power() {
    double sum = 0;
    int count = 0;
    for (std::size_t k = 0; k < places_.size() && count < kPowerSegments; ++k) {
      if (!is_found(k)) continue;
      const auto piece = degraded_.read(places_[k].start_s + first_delay_s(k), places_[k].length_s);
      if (!piece) return piece.error();
      sum += power_of(*piece, 0, piece->size());
      ++count;
    }
    return sum / std::max(1, count);
  }

  Scorer& scorer_;
  scoring::Engine engine_;  // beside the scorer, which does not tell what the sum is made of
  const LongRecording& reference_;
  const LongRecording& degraded_;
  const SegmentOptions& options_;
  const SegmentEvents& events_;
  std::vector<Place> places_;
  std::optional<double> delay_s_;
  std::vector<char> talks_;
  std::size_t searches_ = 0;
  std::optional<double> found_power_;
  std::vector<SegmentPart> parts_;
  std::vector<Search> searches_of_;
  LongScore result_;
};

}  // namespace

Result<LongScore> score_in_segments(Scorer& scorer, const LongRecording& reference, const LongRecording& degraded,
                                    const SegmentOptions& options, const SegmentEvents& events) {
  const auto within = [](double value, double low, double high) { return value >= low && value <= high; };
  // A shorter search is within the uncertainty, and its rings around a place would be without number.
  const bool searches = options.search_s == 0 || within(options.search_s, 0.05, 60);
  if (!within(options.segment_s, 5, 120) || !searches || !within(options.uncertainty_s, 0.05, 5)) {
    return Error{ErrorCode::bad_input,
                 "segments must last 5 to 120 s, the search 0 or 0.05 to 60 s, the uncertainty be 0.05 to 5 s"};
  }
  for (const LongRecording* recording : {&reference, &degraded}) {
    if (!std::isfinite(recording->seconds) || recording->seconds < 0) {
      return Error{ErrorCode::bad_input, "a long recording must say how many seconds it has, a finite number from 0"};
    }
  }
  return Segments(scorer, reference, degraded, options, events).run();
}

LongRecording as_long_recording(SignalView signal) {
  return {signal.seconds(), [signal](double start_s, double seconds) -> Result<Signal> {
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
