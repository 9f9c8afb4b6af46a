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
#include "score/long/long_envelope.h"
#include "score/long/long_path.h"
#include "score/long/long_track.h"
#include "score/long/segment_sum.h"
#include "score/model/shared_numbers.h"

namespace vqas {
namespace {

using scoring::FrameSums;
using scoring::kShortestS;
using scoring::kToldS;
using scoring::LongAmbiguity;
using scoring::SegmentPart;
using scoring::sum_up;

// not tuned: beside a neighbour, whose speech ends there, and beside a place, where filters settle.
constexpr double kBesideS = scoring::kHangoverMs / 1000.0;
// not tuned: bounds memory, as what lies between the parts of a segment is read at once.
constexpr double kLongestStepS = 60;
// not tuned: a week. Some 1 GB of envelopes and path, and every count of steps stays an int.
constexpr double kLongestS = 7 * 24 * 3600.0;

constexpr double kMostOfTheRest = 0.8;  // not tuned: of the progress that is left, for one pass
// not tuned: reading both recordings and the path, in equal parts, leave as much to the segments.
constexpr double kPathUntil = 1 - kMostOfTheRest;

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

class Segments {
 public:
  Segments(Scorer& scorer, const LongRecording& reference, const LongRecording& degraded, const SegmentOptions& options,
           const SegmentEvents& events)
      : engine_(scoring::score_model(scorer.mode())),
        reference_(reference),
        degraded_(degraded),
        options_(options),
        events_(events) {}

  Result<LongScore> run() {
    if (auto found = find_track(); !found) return found.error();
    result_.segments.resize(places_.size());
    parts_.resize(places_.size());
    searches_of_.resize(places_.size());
    is_placed_.resize(places_.size());
    Status done = look_at_each([&](std::size_t k) -> std::optional<Search> {
      const auto delay_s = delay_on_path(k);
      if (!delay_s) return std::nullopt;
      return search_around(k, *delay_s);
    });
    const auto between = [&](std::size_t k) { return search_between(k); };
    // What the path has no place for, or another delay on the way.
    if (done) done = look_at_each(between);
    // Loud noise hides the envelopes, not the waveforms.
    if (done && !is_any_found() && track_->is_found()) {
      track_->forget();
      done = look_at_each(between);
    }
    if (done && is_any_found()) done = look_at_each([&](std::size_t k) { return search_in_place(k); });
    if (done) done = compare_with_all();
    if (!done) return done.error();
    if (!go_on(1)) return scoring::stopped();
    count_lost();
    sum_up(result_, parts_, {find_ambiguity(), sound_between_s()}, engine_.model());
    return std::move(result_);
  }

 private:
  /// Finds the path of all, and cuts the reference.
  Status find_track() {
    const auto part = [&](int n) { return [this, n](double share) { return go_on(kPathUntil * (n + share) / 3); }; };
    auto sent = scoring::long_envelope(reference_, options_.segment_s, part(0));
    if (!sent) return sent.error();
    auto received = scoring::long_envelope(degraded_, options_.segment_s, part(1));
    if (!received) return received.error();
    const scoring::LongEnvelope quiet{{}, sent->power};
    const double reach_s = std::max(options_.search_s, options_.uncertainty_s);
    track_.emplace(*std::move(sent), *std::move(received), reach_s, options_.search_s == 0, part(2));
    if (is_stopped_) return scoring::stopped();
    cut(quiet);
    return success();
  }

  /// Silence before and behind all sound has segments of its own, unless it is too short for one.
  void cut(const scoring::LongEnvelope& sent) {
    const auto [first, last] = sent.sound_s(engine_.model().listening.silent_ratio);
    const bool is_word = last - first < 2 * kShortestS;
    const double from = is_word || first < kShortestS ? 0 : on_grid(first);
    const double to = is_word || last + kShortestS > reference_.seconds ? reference_.seconds : on_grid(last);
    cut_between(sent, 0, from);
    cut_between(sent, from, to);
    cut_between(sent, to, reference_.seconds);
  }

  /// Where it is quiet, and where the delay steps too far.
  void cut_between(const scoring::LongEnvelope& sent, double start, double last) {
    while (start < last) {
      double end = start + options_.segment_s;
      if (end + kShortestS >= last) {
        end = last;
      } else {
        end = on_grid(sent.quietest_s(end - scoring::kWindowS, end));
      }
      const auto step = track_->cut_at_step(start, end, kLongestStepS);
      const auto is_end = [&](double at) { return at >= start + kShortestS && at < end + kShortestS; };
      if (step && is_end(*step) && *step + kShortestS <= last) end = *step;
      places_.push_back({start, end - start});
      start = end;
    }
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

  double begin_s(std::size_t k) const { return places_[k].start_s; }
  double end_s(std::size_t k) const { return places_[k].start_s + places_[k].length_s; }

  /// Where all of it lies at one delay on the path, that delay.
  std::optional<double> delay_on_path(std::size_t k) const {
    if (!track_->is_all_found(begin_s(k), end_s(k))) return std::nullopt;
    const auto [least, most] = track_->delays_s(begin_s(k), end_s(k));
    if (most - least > options_.uncertainty_s) return std::nullopt;
    return (least + most) / 2;
  }
  /// Compares each segment that was not found so far with what `search_of` gives for it, if anything.
  template <typename SearchOf>
  Status look_at_each(const SearchOf& search_of) {
    for (std::size_t k = 0; k < places_.size(); ++k) {
      if (is_found(k) || is_unusable(k)) continue;
      const std::optional<Search> search = search_of(k);
      if (!search) continue;
      auto scored = score(k, *search, nullptr);
      if (!scored) return scored.error();
      take(k, *std::move(scored));
      if (!go_on_behind(k)) return scoring::stopped();
    }
    end_pass();
    return success();
  }

  /// All that others have not received, up to search_s away.
  Search search_between(std::size_t k) const {
    const auto [first, last] = delays_at(k);
    double from = begin_s(k) + first - options_.search_s;
    double to = end_s(k) + last + options_.search_s;
    from = on_grid(std::max(from, track_->end_before_s(begin_s(k)) - kBesideS));
    to = std::min(to, track_->begin_from_s(end_s(k)) + kBesideS);
    const double longest = places_[k].length_s + 2 * options_.search_s + kLongestStepS;
    return {from, std::clamp(to - from, 0.0, longest), {}};
  }

  /// Where a segment that was not recognised belongs, less what other segments have received.
  Search search_in_place(std::size_t k) const {
    const Search search = search_around(k, delays_at(k).first);
    const double from = std::max(search.from_s, track_->end_before_s(begin_s(k)));
    const double to = std::min(search.from_s + search.length_s, track_->begin_from_s(end_s(k)));
    // The line left it out. Behind the end there is silence.
    if (to <= from) return {degraded_.seconds, kShortestS, 0.0};
    return {from, to - from, *search.offset_s + search.from_s - from};
  }

  Search search_around(std::size_t k, double delay_s) const {
    const double around = on_grid(options_.uncertainty_s + kBesideS);
    const double from = on_grid(begin_s(k) + delay_s) - around;
    return {from, places_[k].length_s + 2 * around, begin_s(k) + delay_s - from};
  }

  /// Where a segment begins and ends, by the path or else by the nearest segment that was recognised.
  std::pair<double, double> delays_at(std::size_t k) const {
    if (track_->is_found()) return {track_->delay_s(begin_s(k)), track_->delay_s(end_s(k))};
    const double nearest = nearest_delay(k);
    return {nearest, nearest};
  }

  /// Nothing can be said of it, wherever it lies.
  bool is_unusable(std::size_t k) const {
    const Score& score = result_.segments[k].score;
    return is_placed_[k] != 0 && !score.mos_lqo;
  }

  /// Speech that did not arrive; all of the segment where nothing is known of it.
  static double missing_s(const Score& score) {
    if (score.outcome == Outcome::no_speech) return 0;
    if (!score.indices) return std::numeric_limits<double>::infinity();
    return score.indices->missing.total_ms() / 1000;
  }

  /// Puts silence around a piece that is too short to be scored. More of the recording would be what other segments
  /// have received. Returns the seconds of silence in front.
  static double pad(Signal& piece) {
    const auto least = static_cast<std::size_t>(std::ceil(kShortestS * piece.rate_hz));
    if (piece.size() >= least) return 0;
    const std::size_t front = (least - piece.size()) / 2;
    piece.samples.insert(piece.samples.begin(), front, 0.0F);
    piece.samples.resize(least, 0.0F);
    return static_cast<double>(front) / piece.rate_hz;
  }

  /// `line`: level and response to compare by, if not the segment's own.
  Result<Scored> score(std::size_t k, const Search& search, const FrameSums* line) {
    const auto reference = reference_.read(places_[k].start_s, places_[k].length_s);
    if (!reference) return reference.error();
    auto degraded = degraded_.read(search.from_s, search.length_s);
    if (!degraded) return degraded.error();
    const double padded_s = pad(*degraded);
    std::optional<KnownPlacement> placement;
    if (search.offset_s) {
      placement = KnownPlacement{(*search.offset_s + padded_s) * degraded->rate_hz, 0, options_.uncertainty_s};
    }
    Scored result{{places_[k].start_s, places_[k].length_s, {}}, {}, search, {}};
    Score& score = result.segment.score;
    std::optional<scoring::Engine::Evaluation> seen;
    score = engine_.score(*reference, *degraded, placement,
                          {.diagnosis = true,
                           .explanation = events_.on_explained ? &result.explanation : nullptr,
                           .evaluation = &seen,
                           .is_segment = true,
                           .line = line});
    if (seen) {
      result.part = {std::move(seen->line), seen->measurements, seen->circumstances, seen->corrected_drift_ppm,
                     seen->most_confidence};
    }
    const double origin_ms = 1000 * (search.from_s - padded_s - places_[k].start_s);
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
    is_placed_[k] = scored.search.offset_s ? 1 : 0;
    if (scored.explanation) events_.on_explained(segment, *scored.explanation);
  }

  bool go_on(double done) {
    is_stopped_ = is_stopped_ || (events_.on_progress && !events_.on_progress(done));
    return !is_stopped_;
  }
  /// Behind a segment of a pass through all. Whether another pass follows is not known: each has most of what is left.
  bool go_on_behind(std::size_t k) {
    const double until = std::lerp(pass_from_, 1.0, kMostOfTheRest);
    const double done = std::lerp(pass_from_, until, static_cast<double>(k + 1) / static_cast<double>(places_.size()));
    return go_on(done);
  }
  void end_pass() { pass_from_ = std::lerp(pass_from_, 1.0, kMostOfTheRest); }

  /// What is left of a segment that lacks speech has neither level nor response of the line: it would be forgiven that
  /// nothing arrived. And where the level moves from segment to segment, each would be forgiven its own. Level and
  /// response are those of all, as in a shorter recording.
  Status compare_with_all() {
    FrameSums all;
    for (std::size_t k = 0; k < places_.size(); ++k) {
      if (result_.segments[k].score.mos_lqo) all.add(parts_[k].line);
    }
    if (all.loud_frames == 0) return success();
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const Score& score = result_.segments[k].score;
      if (!score.mos_lqo || !(missing_s(score) > kToldS || has_own_level(k, all))) continue;
      auto scored = this->score(k, searches_of_[k], &all);
      if (!scored) return scored.error();
      if (scored->segment.score.mos_lqo) take(k, *std::move(scored));
      if (!go_on_behind(k)) return scoring::stopped();
    }
    return success();
  }

  /// Whether the gain of a segment is another than that of all.
  bool has_own_level(std::size_t k, const FrameSums& all) const {
    const auto gain_db = [](const FrameSums& sums) {
      return 10 * std::log10((sums.degraded_power + scoring::kTiny) / (sums.reference_power + scoring::kTiny));
    };
    return std::abs(gain_db(parts_[k].line) - gain_db(all)) > scoring::kToldLevelDb;
  }

  bool is_found(std::size_t k) const {
    const Score& score = result_.segments[k].score;
    return score.mos_lqo && score.delay_ms;
  }
  bool is_any_found() const {
    for (std::size_t k = 0; k < places_.size(); ++k) {
      if (is_found(k)) return true;
    }
    return false;
  }

  /// Of the nearest segment that was found before this one, or behind it.
  double nearest_delay(std::size_t k) const {
    const auto delay_of = [](const DelayPiece& piece) { return piece.delay_ms / 1000; };
    for (std::size_t j = k; j-- > 0;) {
      if (is_found(j)) return delay_of(result_.segments[j].score.delay_track.back());
    }
    for (std::size_t j = k; j < places_.size(); ++j) {
      if (is_found(j)) return delay_of(result_.segments[j].score.delay_track.front());
    }
    return 0;
  }

  /// Whether a segment that was not recognised may be hidden in sound in which no speech was found. Without a path only
  /// the sound at its own place is looked at, except near its ends, where a neighbour's speech may lie.
  bool may_be_there(std::size_t k) const {
    if (track_->is_found()) return track_->ambiguity(begin_s(k), end_s(k)).is_told();
    const Search& place = searches_of_[k];
    return track_->sound_s(place.from_s + scoring::kWindowS, place.from_s + place.length_s - scoring::kWindowS) >
           kToldS;
  }

  /// Where too little arrived to be recognised, what is left may tell of less than the path that is missing.
  void count_lost() {
    for (std::size_t k = 0; k < places_.size(); ++k) {
      Score& score = result_.segments[k].score;
      if (!score.mos_lqo || is_found(k) || may_be_there(k)) continue;
      const MissingSpeech missing = track_->missing(begin_s(k), end_s(k));
      if (missing.total_ms() < 1000 * kToldS) continue;
      if (score.indices && score.indices->missing.total_ms() >= missing.total_ms()) continue;
      score.indices.emplace();
      score.indices->band_loss.loudness_lost = 1;
      score.indices->missing = missing;
      score.impairments = {{Impairment::loss, scoring::loss_strength(missing.total_ms() / missing.speech_ms),
                            mos_from_auditory_distance(0, score.mode) - *score.mos_lqo}};
    }
  }

  /// Sound between two segments that were found and follow each other, or have none but silent ones between them. It is
  /// no part of either and has not been compared.
  double sound_between_s() const {
    double all = 0;
    for (std::size_t k = 0; k + 1 < places_.size(); ++k) {
      if (!is_found(k)) continue;
      std::size_t next = k + 1;
      while (next < places_.size() && result_.segments[next].score.outcome == Outcome::no_speech) ++next;
      if (next == places_.size() || !is_found(next)) continue;
      const double from = end_s(k) + result_.segments[k].score.delay_track.back().delay_ms / 1000;
      const double to = begin_s(next) + result_.segments[next].score.delay_track.front().delay_ms / 1000;
      if (to - from <= kBesideS) continue;
      all += track_->sound_over_pauses_s(from, to, begin_s(k), end_s(k), end_s(next));
    }
    return all;
  }

  /// Speech that was not found, and sound in which no speech was found.
  LongAmbiguity find_ambiguity() const {
    LongAmbiguity all;
    for (std::size_t k = 0; k < places_.size();) {
      const std::size_t first = k;
      while (k < places_.size() && !is_found(k)) ++k;
      if (k == first) {
        ++k;
        continue;
      }
      const LongAmbiguity here = track_->ambiguity(begin_s(first), end_s(k - 1));
      all.lost_s += here.lost_s;
      // Without a path each looks at the same recording, all of it.
      all.sound_s = track_->is_found() ? all.sound_s + here.sound_s : std::max(all.sound_s, here.sound_s);
    }
    return all;
  }

  scoring::Engine engine_;  // beside the scorer, which does not tell what the sum is made of
  const LongRecording& reference_;
  const LongRecording& degraded_;
  const SegmentOptions& options_;
  const SegmentEvents& events_;
  std::vector<Place> places_;
  std::optional<scoring::LongTrack> track_;
  std::vector<char> is_placed_;    // of each segment: whether it was compared at a place
  double pass_from_ = kPathUntil;  // progress
  std::vector<SegmentPart> parts_;
  std::vector<Search> searches_of_;
  LongScore result_;
  bool is_stopped_ = false;
};

}  // namespace

Result<LongScore> score_in_segments(Scorer& scorer, const LongRecording& reference, const LongRecording& degraded,
                                    const SegmentOptions& options, const SegmentEvents& events) {
  const auto within = [](double value, double low, double high) { return value >= low && value <= high; };
  // A shorter search is within the uncertainty.
  const bool searches = options.search_s == 0 || within(options.search_s, 0.05, 60);
  if (!within(options.segment_s, 5, 120) || !searches || !within(options.uncertainty_s, 0.05, 5)) {
    return Error{ErrorCode::bad_input,
                 "segments must last 5 to 120 s, the search 0 or 0.05 to 60 s, the uncertainty be 0.05 to 5 s"};
  }
  for (const LongRecording* recording : {&reference, &degraded}) {
    if (!within(recording->seconds, 0, kLongestS)) {
      return Error{ErrorCode::bad_input,
                   fmt::format("a long recording must say how many seconds it has, from 0 to {:.0f}", kLongestS)};
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
            if (first == last) return piece;
            std::copy(signal.samples.begin() + first, signal.samples.begin() + last,
                      piece.samples.begin() + (first - start));
            return piece;
          }};
}

}  // namespace vqas
