#include "score/long/segment_sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "score/diagnose/impairment_rules.h"
#include "score/model/model.h"
#include "score/model/shared_numbers.h"
#include "score/reason.h"
#include "vqas/signal/median.h"
#include "vqas/signal/rounding.h"

namespace vqas::scoring {
namespace {

constexpr double kLeastMeanStrength = 0.05;  // of an impairment over all: strength 1 in a twentieth of the speech
constexpr double kTinyS = 1e-3;              // not tuned: against a division by zero
// Of the speech, for an ambiguity to cap the confidence of all: so much lost speech costs about a quarter of a MOS.
constexpr double kAmbiguousShare = 0.01;

double rounded(double value) {
  return rounded_to(value, 1e-4);
}

std::optional<double> median_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  return upper_median(values);
}

/// Adds what the next segment lacks to what those before it lack; false when nothing of it arrived.
bool append(MissingSpeech& all, const MissingSpeech& next) {
  const bool arrived_before = all.total_ms() < all.speech_ms;
  const bool arrived = next.total_ms() < next.speech_ms;
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

class Sum {
 public:
  Sum(LongScore& result, std::span<const SegmentPart> parts, const ScoreModel& model)
      : result_(result), parts_(parts), model_(model) {
    double speech_ms = 0;
    double seconds = 0;
    for (const SegmentScore& segment : result.segments) {
      if (!segment.score.indices) continue;
      most_arrived_ = most_arrived_ || most_arrives(segment);
      speech_ms += segment.score.indices->missing.speech_ms;
      seconds += segment.length_s;
    }
    if (speech_ms > 0) speech_share_ = speech_ms / 1000 / seconds;
  }

  void run(const BesideSegments& beside) {
    Score& overall = result_.overall;
    overall.mode = model_.mode;
    const SegmentScore* refused = nullptr;
    for (std::size_t k = 0; k < result_.segments.size(); ++k) {
      const SegmentScore& segment = result_.segments[k];
      if (segment.score.mos_lqo) {
        add(segment);
        add(segment, parts_[k]);
      } else if (refused == nullptr || refused->score.outcome == Outcome::no_speech) {
        refused = &segment;
      }
    }
    if (result_.scored == 0) {
      if (refused == nullptr) return;
      overall.outcome = refused->score.outcome;
      overall.reason = fmt::format("in none of {} segments; {}", result_.segments.size(), refused->score.reason);
      return;
    }
    overall.outcome = Outcome::scored;
    const Measurements all = measurements(all_);
    overall.auditory_distance = rounded(auditory_distance(all, model_.listening));
    overall.mos_lqo = rounded(model_.scale.mos_of(*overall.auditory_distance));
    overall.delay_ms = median_of(std::move(delays_));
    overall.clock_drift_ppm = median_of(std::move(drifts_));
    overall.level_difference_db = median_of(std::move(levels_));
    indices();
    overall.confidence = rounded(confidence(*overall.auditory_distance, beside.between_s));
    impairments();
    tell(beside);
  }

 private:
  /// Seconds of speech, guessed where nobody has measured them.
  double weight_of(const SegmentScore& segment) const {
    if (!segment.score.indices) return speech_share_ * segment.length_s;
    return segment.score.indices->missing.speech_ms / 1000;
  }

  /// What is left of a segment that lacks most of its speech tells little of the line; it counts where there is nothing
  /// else.
  bool tells_of_line(const SegmentScore& segment) const { return most_arrived_ ? most_arrives(segment) : true; }
  static bool most_arrives(const SegmentScore& segment) {
    const auto& indices = segment.score.indices;
    return !indices || 2 * indices->missing.total_ms() <= indices->missing.speech_ms;
  }

  /// Sums of what the segments measure, times a factor.
  struct Distances {
    double changed = 0, steady = 0, raised = 0, inserted = 0;

    void add(const SegmentPart& part, double factor, double exponent) {
      const Measurements& measured = part.measurements;
      changed += part.line.frames * std::pow(factor * measured.changed, exponent);
      steady += part.line.frames * std::pow(factor * (measured.changed - measured.stepped), exponent);
      raised += part.line.frames * std::pow(factor * measured.raised, exponent);
      // It counts by its root.
      inserted += part.line.active_frames * std::pow(std::min(1.0, factor), 2) * measured.inserted;
    }
  };

  /// As the measurements of one recording are made of its windows and its active frames. The same of what each
  /// impairment alone would leave of them.
  void add(const SegmentScore& segment, const SegmentPart& part) {
    const double own = auditory_distance(part.measurements, model_.listening);
    // Where nothing arrived the distance is no less than a certain one.
    const double factor = own > 0 ? std::max(1.0, *segment.score.auditory_distance / own) : 1;
    const double exponent = model_.listening.time_exponent;
    frames_ += part.line.frames;
    active_ += part.line.active_frames;
    all_.add(part, factor, exponent);
    double lost = 0;
    for (const ImpairmentFinding& finding : segment.score.impairments) {
      const bool is_lost = finding.impairment == Impairment::loss || finding.impairment == Impairment::cut;
      if (is_lost) lost += finding.cost_mos.value_or(0);
      if (is_lost || !tells_of_line(segment)) continue;
      alone_[finding.impairment].add(part, factor * share_of(finding.cost_mos.value_or(0), segment), exponent);
    }
    // Whether it is cut off or lost only all of it tells.
    alone_[Impairment::loss].add(part, factor * share_of(lost, segment), exponent);
  }
  /// Of a segment's distance, what is left where something alone costs so much.
  double share_of(double cost_mos, const SegmentScore& segment) const {
    const double all = *segment.score.auditory_distance;
    const double mos = std::max(model_.scale.top - cost_mos, *segment.score.mos_lqo);
    return all > 0 ? std::min(1.0, model_.scale.distance_of(mos) / all) : 0;
  }
  Measurements measurements(const Distances& of) const {
    const auto mean = [&](double sum) {
      return std::pow(sum / std::max(1.0, frames_), 1 / model_.listening.time_exponent);
    };
    const double changed = mean(of.changed);
    return {changed, changed - mean(of.steady), mean(of.raised), of.inserted / std::max(1.0, active_)};
  }
  /// What it alone would cost of all.
  double cost_of(Impairment impairment) const {
    const auto alone = alone_.find(impairment);
    if (alone == alone_.end()) return 0;
    return model_.scale.top - model_.scale.mos_of(auditory_distance(measurements(alone->second), model_.listening));
  }

  /// Loud sound that the line put between pieces of speech, in seconds.
  double foreign_s(double between_s) const {
    double all = between_s;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const SegmentScore& segment = result_.segments[k];
      if (tells_of_line(segment)) all += parts_[k].circumstances.foreign_s;
    }
    return all;
  }

  /// The mean of what the score of all is worth beside the circumstances of each segment; those of one that lacks most
  /// of its speech are none of the line. Sound that was put in counts by all its seconds, as in a shorter recording:
  /// of 5 s the label takes off nearly as much in 115 s of speech as in 8 s.
  double confidence(double distance, double between_s) const {
    const double foreign = foreign_s(between_s);
    const auto& indices = result_.overall.indices;
    const double ends_ms = indices ? indices->missing.front_ms + indices->missing.tail_ms : 0;
    double sum = 0;
    double frames = 0;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const SegmentScore& segment = result_.segments[k];
      if (!segment.score.mos_lqo) continue;
      Circumstances circumstances = parts_[k].circumstances;
      circumstances.shortness = 0;
      circumstances.foreign_s = foreign;
      circumstances.ends_lost_s = ends_ms / 1000;
      const double scale = error_scale(circumstances, parts_[k].corrected_drift_ppm, model_.listening);
      double here = confidence_of(distance, scale, model_, circumstances.forgiven);
      const bool in_doubt = parts_[k].most_confidence < 1;
      if (in_doubt) here = std::min(here, segment.score.confidence.value_or(0));
      if (!in_doubt && !tells_of_line(segment)) continue;
      frames += parts_[k].line.frames;
      sum += parts_[k].line.frames * here;
    }
    return sum / std::max(1.0, frames);
  }

  void add(const SegmentScore& segment) {
    const Score& score = segment.score;
    const double weight = weight_of(segment);
    ++result_.scored;
    weight_ += weight;
    if (score.delay_ms) delays_.push_back(*score.delay_ms);
    if (score.clock_drift_ppm) drifts_.push_back(*score.clock_drift_ppm);
    if (score.level_difference_db) levels_.push_back(*score.level_difference_db);
    auto& track = result_.overall.delay_track;
    track.insert(track.end(), score.delay_track.begin(), score.delay_track.end());
    const double arrived = tells_of_line(segment) ? weight : 0;
    arrived_ += arrived;
    for (const ImpairmentFinding& finding : score.impairments)
      add(finding, segment, finding.impairment == Impairment::loss ? weight : arrived);
  }

  void add(const ImpairmentFinding& finding, const SegmentScore& segment, double weight) {
    // Where speech is missing only all of it tells: whether it is cut off or lost, and how much that is.
    if (finding.impairment == Impairment::cut) return;
    if (finding.impairment == Impairment::loss) {
      if (!segment.score.indices) return;
      const MissingSpeech& missing = segment.score.indices->missing;
      if (missing.total_ms() >= missing.speech_ms) return;
      const double own = missing.middle_ms / missing.speech_ms;
      replaced_ += weight * std::max(0.0, lost_share(finding.strength) - own);
      return;
    }
    auto& impairments = result_.overall.impairments;
    const auto known = std::find_if(impairments.begin(), impairments.end(),
                                    [&](const ImpairmentFinding& one) { return one.impairment == finding.impairment; });
    const double strength = weight * finding.strength;
    if (known == impairments.end()) {
      impairments.push_back({finding.impairment, strength, 0});
    } else {
      known->strength += strength;
    }
  }

  void indices() {
    std::vector<double> low;
    std::vector<double> high;
    std::vector<double> lost;
    std::vector<double> whole_levels;
    Indices all;
    for (const SegmentScore& segment : result_.segments) {
      if (!segment.score.indices) continue;
      const Indices& one = *segment.score.indices;
      const bool arrived = append(all.missing, one.missing);
      if (segment.score.level_difference_db && tells_gain(segment))
        whole_levels.push_back(*segment.score.level_difference_db);
      // Of what was counted by its power alone no band is known.
      if (!arrived || !tells_of_line(segment) || one.band_loss.high_hz == 0) continue;
      low.push_back(one.band_loss.low_hz);
      high.push_back(one.band_loss.high_hz);
      lost.push_back(one.band_loss.loudness_lost);
      all.level_track.range_db = std::max(all.level_track.range_db, one.level_track.range_db);
    }
    if (!whole_levels.empty()) {
      const auto [least, most] = std::ranges::minmax(whole_levels);
      all.level_track.range_db = std::max(all.level_track.range_db, most - least);
    }
    if (all.missing.speech_ms == 0) return;
    all.band_loss = {median_of(std::move(low)).value_or(0), median_of(std::move(high)).value_or(0),
                     median_of(std::move(lost)).value_or(1)};
    result_.overall.indices = all;
  }

  void impairments() {
    auto& impairments = result_.overall.impairments;
    for (ImpairmentFinding& finding : impairments) {
      finding.strength /= std::max(arrived_, kTinyS);
      finding.cost_mos = cost_of(finding.impairment);
    }
    if (result_.overall.indices) {
      const MissingSpeech& missing = result_.overall.indices->missing;
      const double middle = missing.middle_ms / std::max(1.0, missing.speech_ms);
      const double lost = loss_strength(middle + replaced_ / weight_);
      const double cut = cut_strength(missing.front_ms + missing.tail_ms);
      // What missing speech costs in the segments is told once, of where most of it is missing.
      const double cost = cost_of(Impairment::loss);
      impairments.push_back({Impairment::loss, lost, lost >= cut ? cost : 0});
      impairments.push_back({Impairment::cut, cut, lost >= cut ? 0 : cost});
    }
    name_level();
    for (ImpairmentFinding& finding : impairments) {
      finding.strength = std::round(100 * finding.strength) / 100;
      finding.cost_mos = std::round(100 * *finding.cost_mos) / 100;
    }
    std::erase_if(impairments, [](const ImpairmentFinding& finding) {
      const bool is_mean = finding.impairment != Impairment::cut;
      const double least = is_mean ? kLeastMeanStrength : kToldStrength;
      return finding.strength < least && !is_worth_telling(finding, *finding.cost_mos);
    });
    std::stable_sort(impairments.begin(), impairments.end(),
                     [](const ImpairmentFinding& a, const ImpairmentFinding& b) {
                       return std::tie(*a.cost_mos, a.strength) > std::tie(*b.cost_mos, b.strength);
                     });
  }

  /// The level of a segment in which noise is added, or a word lost, is not that of the line's gain.
  static bool tells_gain(const SegmentScore& segment) {
    return segment.score.indices->missing.total_ms() < 1000 * kToldS &&
           std::ranges::none_of(segment.score.impairments, [](const ImpairmentFinding& finding) {
             return finding.impairment == Impairment::noise;
           });
  }

  /// A level that moves from segment to segment is no finding of any. It has cost what the others leave of the loss.
  void name_level() {
    const auto& indices = result_.overall.indices;
    if (!indices || indices->level_track.range_db <= kToldLevelDb) return;
    auto& impairments = result_.overall.impairments;
    double others = 0;
    for (const ImpairmentFinding& finding : impairments) {
      if (finding.impairment == Impairment::level) return;
      others += finding.cost_mos.value_or(0);
    }
    const double loss = model_.scale.top - *result_.overall.mos_lqo;
    impairments.push_back(
        {Impairment::level, level_strength(indices->level_track.range_db), std::max(0.0, loss - others)});
  }

  /// Speech of which nobody knows whether it arrived leaves no more trust than an ambiguity.
  void cap_uncounted() {
    double uncounted = 0;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const Score& score = result_.segments[k].score;
      if (score.mos_lqo && !score.indices) uncounted += parts_[k].line.frames;
    }
    if (uncounted <= kAmbiguousShare * frames_) return;
    result_.overall.confidence = std::min(*result_.overall.confidence, model_.listening.trust_ambiguous);
  }

  void tell(const BesideSegments& beside) {
    cap_uncounted();
    if (beside.ambiguity.is_told()) tell_ambiguity(beside.ambiguity);
    tell_of_segments(beside.between_s);
    // An ambiguity says it of all segments.
    if (!beside.ambiguity.is_told()) tell_uncounted();
  }

  void tell_ambiguity(const LongAmbiguity& ambiguity) {
    Score& overall = result_.overall;
    add_reason(overall,
               fmt::format("{:.1f} s of speech were not found in the degraded recording, which holds {:.1f} s of "
                           "sound beside what was found: either the speech is lost or it was not recognised; "
                           "listen to the recording",
                           ambiguity.lost_s, ambiguity.sound_s));
    if (ambiguity.lost_s < kAmbiguousShare * weight_) return;
    overall.confidence = std::min(*overall.confidence, model_.listening.trust_ambiguous);
  }

  /// What the least trusted of the segments that have a reason says, and the loud sound beside what that one has.
  void tell_of_segments(double between_s) {
    std::optional<std::size_t> least;
    int count = 0;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const Score& score = result_.segments[k].score;
      if (!score.mos_lqo || score.reason.empty()) continue;
      ++count;
      if (!least || score.confidence < result_.segments[*least].score.confidence) least = k;
    }
    double told_s = 0;
    if (least) {
      const SegmentScore& segment = result_.segments[*least];
      const std::string others = count > 1 ? fmt::format(" (least trusted of {} with a reason)", count) : "";
      add_reason(result_.overall,
                 fmt::format("in the segment from {:.1f} s{} {}", segment.start_s, others, segment.score.reason));
      const double own_s = parts_[*least].circumstances.foreign_s;
      if (tells_of_line(segment) && own_s > model_.listening.ambiguous_s) told_s = own_s;
    }
    tell_foreign(foreign_s(between_s), told_s);
  }

  /// Sound where two segments meet is no finding of either, nor are short pieces of it.
  void tell_foreign(double all_s, double told_s) {
    if (all_s - told_s <= model_.listening.ambiguous_s) return;
    add_reason(
        result_.overall,
        fmt::format("{:.1f} s of loud sound in all that is no part of what was compared lie between pieces of the "
                    "reference's speech; listen to the recording",
                    all_s));
  }

  /// A segment of which too little arrived for its indices would else look as if nothing were missing there.
  void tell_uncounted() {
    const auto uncounted = std::find_if(result_.segments.begin(), result_.segments.end(), [](const SegmentScore& one) {
      return one.score.mos_lqo && !one.score.indices;
    });
    if (uncounted == result_.segments.end()) return;
    add_reason(result_.overall,
               fmt::format("in the segment from {:.1f} s nothing was recognised, so that what is missing there is not "
                           "counted; its score is {:.2f}; listen to it",
                           uncounted->start_s, *uncounted->score.mos_lqo));
  }

  LongScore& result_;
  std::span<const SegmentPart> parts_;
  const ScoreModel& model_;
  bool most_arrived_ = false;
  double speech_share_ = 1;
  double weight_ = 0, arrived_ = 0, replaced_ = 0;
  double frames_ = 0, active_ = 0;
  Distances all_;
  std::map<Impairment, Distances> alone_;
  std::vector<double> delays_, drifts_, levels_;
};

}  // namespace

bool LongAmbiguity::is_told() const {
  const double ambiguous_s = PerceptualModel{}.ambiguous_s;
  return lost_s > ambiguous_s && sound_s > ambiguous_s;
}

void sum_up(LongScore& score, std::span<const SegmentPart> parts, const BesideSegments& beside,
            const ScoreModel& model) {
  Sum(score, parts, model).run(beside);
}

}  // namespace vqas::scoring
