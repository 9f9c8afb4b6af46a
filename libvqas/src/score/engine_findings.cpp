// What an engine says of a score besides its number: what each impairment costs, what is ambiguous, what was not used.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "score/diagnose/impairment_rules.h"
#include "score/diagnose/loss_parts.h"
#include "score/engine.h"
#include "score/reason.h"
#include "vqas/signal/rounding.h"

namespace vqas::scoring {

double Engine::distance_of_mended(const Terms& terms, bool is_heard) {
  if (is_heard) {
    heard_->transform(mended_, no_delay_, {}, false);
    return auditory_distance(listen(no_delay_, terms), model_.listening);
  }
  perception_.transform(mended_, no_delay_, {}, false);
  return auditory_distance(compare(no_delay_, terms), recognition());
}

void Engine::tell_costs(double distance, const Terms& terms, bool with_costs, bool is_heard, Score& score) {
  auto& named = score.impairments;
  // One that is told whatever it costs, or none, has its order.
  const bool is_ordered = named.empty() || (named.size() == 1 && !named.front().is_faint());
  if (!std::isfinite(distance) || (!with_costs && is_ordered)) return;
  no_delay_.assign(static_cast<std::size_t>(perception_.frames()), 0);
  // No repair makes it worse: what is taken out beside another fault may leave an edge, and of a hum that a handset
  // does not pass nothing was lost.
  Mended mended = is_heard ? heard_line_->mended() : diagnosis_->mended();
  // Sets that differ only in what takes out nothing give the same recording, which is heard once.
  std::vector<std::pair<std::vector<Impairment>, double>> heard;
  const auto distance_without = [&](std::span<const Impairment> impairments) {
    std::vector<Impairment> effective;
    std::copy_if(impairments.begin(), impairments.end(), std::back_inserter(effective),
                 [&](Impairment one) { return mended.changes(one); });
    const auto known =
        std::find_if(heard.begin(), heard.end(), [&](const auto& one) { return one.first == effective; });
    if (known != heard.end()) return known->second;
    mended.without(effective, mended_.reset(mended.size()));
    const double found = std::min(distance, distance_of_mended(terms, is_heard));
    heard.emplace_back(std::move(effective), found);
    return found;
  };
  const auto finding_of = [&](Impairment impairment) {
    return std::find_if(named.begin(), named.end(),
                        [&](const ImpairmentFinding& finding) { return finding.impairment == impairment; });
  };
  const auto is_named = [&](Impairment impairment) { return finding_of(impairment) != named.end(); };
  const auto is_faint = [&](Impairment impairment) {
    return is_named(impairment) && finding_of(impairment)->is_faint();
  };
  const bool has_faint =
      std::any_of(named.begin(), named.end(), [](const auto& finding) { return finding.is_faint(); });
  // What is too faint to be named costs something, too; of a band, a level or a delay it is next to nothing.
  const auto costs = [&](Impairment impairment) {
    return is_named(impairment) || (impairment != Impairment::delay_variation && impairment != Impairment::band_loss &&
                                    impairment != Impairment::level);
  };
  std::vector<Impairment> all;
  std::copy_if(kAllImpairments.begin(), kAllImpairments.end(), std::back_inserter(all), costs);
  const double own = share_beside_clipping(diagnosis_->features().peak_loss);
  // Laid out, the pair has one delay, and what a change of it leaves out is filled in: what is gone with that is what
  // its changes cost.
  const bool is_laid_out_heard = with_costs || has_faint || is_named(Impairment::delay_variation);
  // Costs count from what is mended of all: where each counts in full and is told, their order does not ask for it.
  const bool is_mended_heard =
      with_costs || has_faint || own < 1 || std::any_of(named.begin(), named.end(), [&](const ImpairmentFinding& one) {
        return !mended.changes(one.impairment);
      });
  const double as_laid_out = is_laid_out_heard ? distance_without({}) : distance;
  const PairDistances pair{distance, as_laid_out, is_mended_heard ? std::min(as_laid_out, distance_without(all)) : 0};
  std::vector<TakenOut> taken_out;
  for (const Impairment impairment : all) {
    if (!with_costs && !is_named(impairment)) continue;
    TakenOut one{impairment, pair.laid_out, pair.mended, 1};
    // Where there is nothing to repair there is nothing to compare.
    if (mended.changes(impairment)) {
      if (with_costs || is_faint(impairment)) one.without_it = distance_without(std::span(&impairment, 1));
      std::vector<Impairment> others;
      std::copy_if(all.begin(), all.end(), std::back_inserter(others), [&](Impairment o) { return o != impairment; });
      one.only_it = distance_without(others);
    }
    const bool follows_clipping =
        impairment == Impairment::coding || impairment == Impairment::level || impairment == Impairment::band_loss;
    if (follows_clipping) one.own = own;
    taken_out.push_back(one);
  }
  const auto find = [&](Impairment impairment) -> const TakenOut& {
    return *std::find_if(taken_out.begin(), taken_out.end(),
                         [&](const TakenOut& one) { return one.impairment == impairment; });
  };
  // Below 0 where the rest is worse without it. That is no cost, but has an order, the same with and without costs.
  const auto excess_of = [&](Impairment impairment) {
    if (impairment == Impairment::delay_variation) return pair.scored - pair.laid_out;
    const TakenOut& one = find(impairment);
    return one.own * (one.only_it - pair.mended);
  };
  const auto cost_of = [&](Impairment impairment) { return std::max(0.0, excess_of(impairment)); };
  const auto lost_between = [this](double better, double worse) {
    return std::round(100 * (mos_of(better) - mos_of(worse))) / 100 + 0.0;
  };
  const auto in_mos = [&](double cost) { return lost_between(pair.mended, pair.mended + cost); };
  // Where others hide nothing of it, it may cost more beside them than alone: a coder's noise where a filter has left
  // no speech.
  const auto most_of = [&](Impairment impairment) {
    const TakenOut& one = find(impairment);
    return std::max(in_mos(cost_of(impairment)), one.own * lost_between(one.without_it, pair.laid_out));
  };
  // A faint one is named by what it costs.
  std::erase_if(
      named, [&](const ImpairmentFinding& finding) { return !is_worth_telling(finding, most_of(finding.impairment)); });
  std::stable_sort(named.begin(), named.end(),
                   [&](const auto& a, const auto& b) { return excess_of(a.impairment) > excess_of(b.impairment); });
  if (!with_costs) return;
  for (ImpairmentFinding& finding : named) finding.cost_mos = in_mos(cost_of(finding.impairment));
  if (score.indices->noise) score.indices->noise->cost_mos = in_mos(cost_of(Impairment::noise));
  score.loss_parts = loss_parts(pair, taken_out, model_.scale);
}

double Engine::tell_ambiguities(const Evaluation& evaluation, double lost_s, bool whole_recording, Score& score) const {
  double least = 1;
  const Circumstances& circumstances = evaluation.circumstances;
  const auto ambiguity = [&](double most, const std::string& reason) {
    least = std::min(least, most);
    score.confidence = std::min(*score.confidence, most);
    add_reason(score, reason);
  };
  const bool is_unplaced = whole_recording && circumstances.unplaced_s > recognition().unplaced_ambiguous_s;
  if (is_unplaced) {
    ambiguity(recognition().trust_either,
              fmt::format(
                  "{:.1f} s of the reference's speech were not found, and {:.1f} s of sound in the degraded recording "
                  "lie where no speech of the reference was looked for: they may be the same speech at another "
                  "time, and the score too low; listen to the recording",
                  circumstances.lost_s, circumstances.unplaced_s));
  } else if (circumstances.elsewhere_s > 0) {
    ambiguity(
        recognition().trust_ambiguous,
        fmt::format("{:.1f} s of the reference's speech arrived in another order, and count as missing; listen to "
                    "the recording",
                    circumstances.elsewhere_s));
  } else if (lost_s > recognition().ambiguous_s) {
    ambiguity(recognition().trust_ambiguous,
              fmt::format(
                  "{:.1f} s of speech were not found in the degraded recording, which holds {:.1f} s of sound that is "
                  "no part of what was found: either the speech is lost or it was not recognised; listen to the "
                  "recording",
                  lost_s, circumstances.sound_s));
  }
  if (circumstances.foreign_s > recognition().ambiguous_s) {
    ambiguity(
        1,
        fmt::format("{:.1f} s of loud sound that is no part of the reference lie between two pieces of its speech, and "
                    "count as sound in a pause; listen to the recording",
                    circumstances.foreign_s));
  }
  // By the length of a frame within a second: what does not follow such steps compares other speech there.
  if (circumstances.stretched > static_cast<double>(recognition().frame) / recognition().rate_hz) {
    ambiguity(1, fmt::format("the speech is stretched or shrunk: its delay moves by {:.0f} ms within one second of it, "
                             "by steps below 20 ms, as behind a play-out buffer that adapts or leaves out short "
                             "packets; the score follows them, and may be too high",
                             1000 * circumstances.stretched));
  }
  // A label that is so much lower is no surprise.
  const double rounding_cost_mos = mos_of(0) - mos_of(circumstances.forgiven);
  if (rounding_cost_mos > kCloseMos) {
    ambiguity(
        1, fmt::format("one recording is the other one at another gain, rounded to 16 bits, which the score forgives; "
                       "P.862 hears the rounding of speech this soft, and may count {:.1f} MOS for it; store it as "
                       "float or 24 bits, or record it louder",
                       rounding_cost_mos));
  }
  const double distance = evaluation.auditory_distance;
  const double long_step_cost_mos = mos_of(distance - circumstances.long_step_distance) - mos_of(distance);
  // A listener hears a pause that lasts longer. What the label makes of it scatters over all that is lower.
  const double moved_s = circumstances.moved_by_pauses_s;
  const double either = moved_s > recognition().ambiguous_s ? recognition().trust_either : 1;
  const double most = mos_of(distance) - kCloseMos > model_.scale.bottom
                          ? std::min(either, std::exp(-moved_s / recognition().put_in_s))
                          : 1;
  // Less than the shortest pause between phrases is not told.
  if (moved_s > kHangoverMs / 1000.0 && (most < 1 || (whole_recording && long_step_cost_mos > kCloseMos))) {
    ambiguity(most,
              fmt::format("pauses last longer or shorter, which moves speech by {:.1f} s{}: P.862 may take off much "
                          "more for that, or less; listen to the recording",
                          moved_s,
                          long_step_cost_mos > kCloseMos
                              ? fmt::format(", and the score takes {:.1f} MOS off", long_step_cost_mos)
                              : ""));
  }
  // What is not told puts no segment in doubt.
  score.confidence = std::min(*score.confidence, most);
  return least;
}

std::vector<UnusedSound> Engine::unused_sound(const Evaluation& evaluation, int origin) const {
  const auto samples = [&](double seconds) { return static_cast<int>(std::lround(seconds * recognition().rate_hz)); };
  const auto seconds = [&](int count) { return rounded_to(static_cast<double>(count) / recognition().rate_hz, 1e-4); };
  std::vector<UnusedSound> unused;
  int sound = 0;
  for (const auto& part :
       account_of(evaluation, Claim::all).parts(samples(kShortestS), samples(kHangoverMs / 1000.0))) {
    unused.push_back({seconds(part.from + origin), seconds(part.to - part.from), std::nullopt});
    sound += part.sound;
  }
  if (sound < samples(recognition().ambiguous_s)) unused.clear();
  return unused;
}

}  // namespace vqas::scoring
