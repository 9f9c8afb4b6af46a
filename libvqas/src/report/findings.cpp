#include "vqas/report/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "run/run_json.h"
#include "vqas/report/summary.h"
#include "vqas/signal/median.h"

namespace vqas {

std::optional<MedianDelay> median_delay(const DirectionRun& direction) {
  std::vector<double> delays;
  MedianDelay median;
  for (const StimulusRun& stimulus : direction.stimuli) {
    for (const Measurement& one : stimulus.measurements) {
      if (!one.delay_ms || one.delay_basis == DelayBasis::unknown) continue;
      delays.push_back(*one.delay_ms);
      median.basis = one.delay_basis;
    }
  }
  if (delays.empty()) return std::nullopt;
  median.ms = upper_median(delays);
  return median;
}

LineDrift drift_of(const DirectionRun& direction, const SamplerOptions& sampling) {
  std::vector<TimedScore> scores;
  for (std::size_t s = 0; s < direction.stimuli.size(); ++s) {
    for (const Measurement& one : direction.stimuli[s].measurements) {
      if (one.outcome == Outcome::scored && one.mos_lqo)
        scores.push_back({static_cast<double>(one.sequence), *one.mos_lqo, s});
    }
  }
  return line_drift(scores, sampling.goal.confidence);
}

SamplePattern pattern_of(const StimulusRun& stimulus) {
  return recognise(store::scores_of(stimulus.measurements));
}

namespace {

/// The run is complete, and each direction has a score.
bool is_measured(const RunResults& results) {
  return results.is_complete() && !results.directions.empty() &&
         std::ranges::all_of(results.directions, [&](const DirectionRun& direction) {
           return summarise(direction, results.sampling).outcomes.of(Outcome::scored) > 0;
         });
}

}  // namespace

std::optional<RunJudgement> judge_run(const RunResults& results, const Provenance& provenance) {
  if (!results.about.limit_mos || !is_measured(results)) return std::nullopt;
  RunJudgement judged;
  bool all_pass = !results.directions.empty();
  bool any_fails = false;
  for (const DirectionRun& direction : results.directions) {
    const DirectionSummary summary = summarise(direction, results.sampling);
    Judgement one = judge({.mean = summary.mean.mean,
                           .half_width = summary.mean.half_width,
                           .confidence = summary.mean.confidence,
                           .model_error = provenance.model_error_mos,
                           .conditional = summary.conditional,
                           .bound = summary.bound},
                          *results.about.limit_mos);
    all_pass = all_pass && one.verdict == LimitVerdict::pass;
    any_fails = any_fails || one.verdict == LimitVerdict::fail;
    judged.directions.push_back(std::move(one));
  }
  judged.verdict = any_fails ? LimitVerdict::fail : all_pass ? LimitVerdict::pass : LimitVerdict::undecided;
  return judged;
}

std::string_view verdict_word(const RunResults& results, const Provenance& provenance) {
  if (!is_measured(results)) return "not_measured";
  const auto judged = judge_run(results, provenance);
  return judged ? to_string(judged->verdict) : "no_limit";
}

std::optional<Conversation> conversation_of(const RunResults& results, const DirectionRun& direction) {
  Conversation conversation;
  const DirectionSummary summary = summarise(direction, results.sampling);
  const auto delay = median_delay(direction);
  conversation.echo_told = results.about.echo_loss_db.has_value();
  const bool echo_known = conversation.echo_told || !results.simulated.empty();
  // The E-model of ITU-T G.107 is one of the narrow band.
  const bool narrow = results.mode == ScoreMode::narrowband;
  if (!narrow || summary.mean.strata == 0 || !delay || !echo_known) return std::nullopt;
  conversation.basis = delay->basis;
  conversation.path.one_way_delay_ms = std::max(0.0, delay->ms);
  conversation.path.echo_loss_db = results.about.echo_loss_db.value_or(std::numeric_limits<double>::infinity());
  conversation.estimate = conversational_quality(summary.mean.mean, conversation.path);
  return conversation;
}

namespace {

std::string channel_name(const StoredRun& run, const std::string& name, const DirectionRun& direction) {
  return run.results.directions.size() > 1 ? name + " " + direction_name(direction.from) : name;
}

std::string against(const RankedChannel& one, const RankedChannel& before, std::span<const Comparison> compared,
                    ScoreMode mode) {
  for (const Comparison& pair : compared) {
    const bool forward = pair.first == before.name && pair.second == one.name;
    if (!forward && !(pair.second == before.name && pair.first == one.name)) continue;
    if (const std::string why = not_compared_in_words(pair); !why.empty())
      return "cannot be compared with the one above: " + why;
    std::string over;
    if (!pair.omitted.empty())
      over = pair.stimuli.size() == 1 ? ", over the 1 stimulus that both have"
                                      : fmt::format(", over the {} stimuli that both have", pair.stimuli.size());
    if (!pair.differ()) return "no difference from the one above is shown" + over;
    return fmt::format("{} {} compared with the one above{}",
                       difference_text(forward ? pair.difference : -pair.difference),
                       half_width_text(pair.simultaneous, mode), over);
  }
  return "";
}

// A rank is a statement on all that have one. Those that share a stimulus with the fewest others go first, until each
// shares one with each.
void unrank_strangers(std::vector<RankedChannel>& channels, std::span<const Comparison> compared) {
  const auto is_stranger = [&](const RankedChannel& one, const RankedChannel& other) {
    return std::ranges::any_of(compared, [&](const Comparison& pair) {
      const bool both = (pair.first == one.name && pair.second == other.name) ||
                        (pair.second == one.name && pair.first == other.name);
      return both && pair.comparability() == Comparability::no_common_stimulus;
    });
  };
  for (;;) {
    std::vector<std::string> strangers(channels.size());  // of each, the names
    std::vector<std::size_t> counts(channels.size(), 0);
    for (std::size_t i = 0; i < channels.size(); ++i) {
      for (const RankedChannel& other : channels) {
        if (channels[i].rank == 0 || other.rank == 0 || !is_stranger(channels[i], other)) continue;
        strangers[i] += (counts[i]++ == 0 ? "" : ", ") + other.name;
      }
    }
    const std::size_t most = *std::ranges::max_element(counts);
    if (most == 0) return;
    for (std::size_t i = 0; i < channels.size(); ++i) {
      if (counts[i] != most) continue;
      channels[i].rank = 0;
      channels[i].against_the_one_before = "not ranked: no stimulus has scores on it and on " + strangers[i];
    }
  }
}

}  // namespace

std::vector<RankedChannel> rank_channels(std::span<const StoredRun> runs, std::span<const std::string> names,
                                         std::span<const Comparison> compared) {
  std::vector<RankedChannel> ranked;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    for (const DirectionRun& direction : runs[r].results.directions) {
      const DirectionSummary summary = summarise(direction, runs[r].results.sampling);
      RankedChannel& one = ranked.emplace_back();
      one.name = channel_name(runs[r], names[r], direction);
      if (summary.mean.strata > 0) {
        one.mean = summary.mean.mean;
        one.half_width = summary.mean.half_width;
      }
      if (summary.mean.strata > 0 && !summary.conditional) one.rank = 1;
      if (one.rank == 0 && one.mean)
        one.against_the_one_before =
            fmt::format("not ranked: conditional, {:.1f} % without a score", 100 * summary.share_unscored);
    }
  }
  if (!ranked.empty()) unrank_strangers(ranked, compared);
  std::ranges::stable_sort(ranked, [](const RankedChannel& a, const RankedChannel& b) {
    if (a.rank != b.rank) return a.rank > b.rank;
    return a.mean.value_or(0) > b.mean.value_or(0);
  });
  for (std::size_t i = 1; i < ranked.size() && ranked[i].rank > 0; ++i) {
    ranked[i].rank = i + 1;
    ranked[i].against_the_one_before = against(ranked[i], ranked[i - 1], compared, runs.front().results.mode);
  }
  return ranked;
}

std::vector<ComparedChannel> channels_of(std::span<const StoredRun> runs, std::span<const std::string> names) {
  std::vector<ComparedChannel> channels;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const auto& directions = runs[r].results.directions;
    for (const DirectionRun& direction : directions) {
      ComparedChannel channel;
      channel.name = channel_name(runs[r], names[r], direction);
      const DirectionSummary summary = summarise(direction, runs[r].results.sampling);
      channel.share_unscored = summary.share_unscored;
      channel.bound = summary.bound;
      channel.conditional = summary.conditional;
      for (const StimulusRun& stimulus : direction.stimuli)
        channel.stimuli.push_back({stimulus.stimulus, stimulus.interval});
      channels.push_back(std::move(channel));
    }
  }
  return channels;
}

std::string not_compared_in_words(const Comparison& one) {
  switch (one.comparability()) {
    case Comparability::no_common_stimulus:
      return "no stimulus has scores on both";
    case Comparability::too_few_scores: {
      std::string few;
      for (const StimulusDifference& stimulus : one.stimuli) {
        if (!std::isfinite(stimulus.half_width)) few += (few.empty() ? "" : ", ") + stimulus.stimulus;
      }
      return few + ": fewer than two scores on one of them, so the uncertainty is not known";
    }
    case Comparability::full:
      break;
  }
  return {};
}

std::string difference_in_words(const Comparison& one) {
  if (const std::string why = not_compared_in_words(one); !why.empty()) return "cannot be compared: " + why;
  if (one.conditional) return one.differ() ? "they differ, conditional" : "conditional";
  return one.differ() ? "they differ" : "no difference is shown";
}

std::string conditional_in_words(const Comparison& one) {
  if (!one.conditional) return {};
  std::string words = fmt::format("conditional: {:.3g} % and {:.3g} % without a score", 100 * one.first_unscored,
                                  100 * one.second_unscored);
  if (one.first_bound && one.second_bound)
    words += fmt::format("; with those at the bottom of the scale {:.2f} and {:.2f}, a difference of {}",
                         *one.first_bound, *one.second_bound, difference_text(*one.second_bound - *one.first_bound));
  return words;
}

Status check_one_scale(std::span<const StoredRun> runs, std::span<const std::string> names) {
  for (std::size_t r = 1; r < runs.size(); ++r) {
    const ScoreMode first = runs[0].results.mode, other = runs[r].results.mode;
    if (first == other) continue;
    return Error{ErrorCode::bad_input,
                 fmt::format("{} has scores on the scale {}, and {} on {}: two scales, which are never compared; give "
                             "runs of one mode",
                             names[0], scale_name(first), names[r], scale_name(other))};
  }
  return success();
}

Status check_comparable(std::span<const StoredRun> runs, std::span<const std::string> names) {
  const auto unlike = [&](std::size_t r, const char* what, const std::string& first, const std::string& other) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{} and {} are not comparable: {} {} and {}", names[0], names[r], what, first, other)};
  };
  if (Status same = check_one_scale(runs, names); !same) return same;
  for (std::size_t r = 1; r < runs.size(); ++r) {
    const std::string &first = runs[0].results.corpus_digest, &digest = runs[r].results.corpus_digest;
    if (digest != first) return unlike(r, "the stimuli have the digests", first, digest);
    const std::string &score = runs[0].provenance.score_version, &other = runs[r].provenance.score_version;
    if (other != score) return unlike(r, "the score versions are", score, other);
  }
  return success();
}

}  // namespace vqas
