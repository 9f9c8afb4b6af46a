// The results of a direction in words for somebody at the line.
#include "vqas/report/heard.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/healthy_coder.h"
#include "report/page.h"
#include "report/quality_scale.h"
#include "vqas/run/narrow_path.h"

namespace vqas {
namespace {

using report::quality_of;

// An impairment with a lower mean cost, in MOS, is not mentioned to a customer.
constexpr double kHeardMos = 0.1;
// Share of the measurements with an impairment: below the first it is occasional, below the second frequent.
constexpr double kRare = 0.25, kOften = 0.75;

const char* what_is_heard(Impairment impairment, double missing_ms) {
  switch (impairment) {
    case Impairment::loss:
      return missing_ms >= kLeastMissing_ms ? "gaps in words" : "spoilt parts of words";
    case Impairment::noise:
      return "noise";
    case Impairment::band_loss:
      return "dull or thin sound";
    case Impairment::clipping:
      return "distorted loud parts";
    case Impairment::coding:
      return "clicks or rough speech";
    case Impairment::level:
      return "changes of level";
    case Impairment::delay_variation:
      return "jumps of the delay";
    case Impairment::cut:
      return "beginnings or ends cut off";
  }
  return "";
}

const char* what_is_good(double mos) {
  const std::string_view word = quality_of(mos).word;
  if (word == "excellent") return "speech as clear as the original";
  if (word == "good") return "clear speech";
  if (word == "fair") return "speech understood despite audible faults";
  return word == "poor" ? "speech understood with effort" : "speech hard to understand";
}

struct Heard {
  Impairment impairment = Impairment::loss;
  double cost_mos = 0, share = 0;
  bool is_known = true;   ///< the cost; else it is a strength, by which impairments can be ordered
  double missing_ms = 0;  ///< of speech, in all measurements with it
};

/// The impairments of measurements that are worth mentioning, the most costly first.
std::vector<Heard> impairments_in(const std::vector<const Measurement*>& measurements) {
  std::vector<Heard> all;
  double measured = 0;
  all.reserve(kAllImpairments.size());
  for (const Impairment impairment : kAllImpairments) all.push_back({.impairment = impairment});
  for (const Measurement* const one : measurements) {
    if (!one->findings) continue;
    ++measured;
    for (const ImpairmentFinding& finding : one->findings->impairments) {
      if (report::may_be_healthy_coder(finding)) continue;
      Heard& heard = *std::ranges::find(all, finding.impairment, &Heard::impairment);
      // Runs of earlier releases hold only a strength, which approximates the cost. So do wideband runs, on whose scale
      // it approximates nothing.
      heard.cost_mos += finding.cost_mos.value_or(finding.strength);
      heard.is_known &= finding.cost_mos || one->mode == ScoreMode::narrowband;
      ++heard.share;
      heard.missing_ms += one->findings->missing_ms();
    }
  }
  for (Heard& heard : all) {
    heard.cost_mos /= std::max(1.0, measured);
    heard.share /= std::max(1.0, measured);
  }
  std::erase_if(all, [](const Heard& heard) { return heard.cost_mos < kHeardMos; });
  std::ranges::stable_sort(all, std::greater(), &Heard::cost_mos);
  return all;
}

/// What is lost in the mean that nothing that was named explains, in MOS.
double unrecognised_in(const std::vector<const Measurement*>& measurements) {
  double sum = 0, measured = 0;
  for (const Measurement* const one : measurements) {
    if (!one->findings) continue;
    ++measured;
    sum += one->findings->unrecognised_cost_mos.value_or(0);
  }
  return sum / std::max(1.0, measured);
}

/// Says that a wideband run heard the telephone's band alone, in most of what was scored; "" otherwise.
std::string narrow_path_in_words(const std::vector<const Measurement*>& measurements) {
  std::size_t scored = 0, narrow = 0;
  for (const Measurement* const one : measurements) {
    if (one->mode == ScoreMode::narrowband || !one->mos_lqo) continue;
    ++scored;
    if (one->note.find(kNarrowPath) != std::string::npos) ++narrow;
  }
  if (!is_narrow_path(narrow, scored)) return "";
  return fmt::format("; {} in {} of {}: the path is narrowband, a score near 3 is the best it can have", kNarrowPath,
                     narrow, scored);
}

}  // namespace

std::vector<const Measurement*> measurements_of(const DirectionRun& direction) {
  std::vector<const Measurement*> all;
  for (const StimulusRun& stimulus : direction.stimuli) {
    for (const Measurement& one : stimulus.measurements) all.push_back(&one);
  }
  return all;
}

std::string heard_in_words(const DirectionRun& direction, const DirectionSummary& summary) {
  if (summary.mean.strata == 0) return "no measurement could be scored";
  const report::Breakdowns hidden = report::breakdowns_of(direction);
  const std::string more = report::in_words(hidden);
  if (hidden.breaks_down)
    return fmt::format("{} most of the time: {}; it breaks down at times: {}", quality_of(hidden.usual_mos).word,
                       what_is_good(hidden.usual_mos), more);
  const double mos = summary.mean.mean;
  std::string words = fmt::format("{}: {}", quality_of(mos).word, what_is_good(mos));
  const auto heard = impairments_in(measurements_of(direction));
  for (std::size_t k = 0; k < std::min<std::size_t>(2, heard.size()); ++k) {
    const double share = heard[k].share;
    words += fmt::format("{}{}{}", k == 0 ? ", with " : " and ",
                         share < kRare    ? "occasional "
                         : share < kOften ? "frequent "
                                          : "",
                         what_is_heard(heard[k].impairment, heard[k].missing_ms));
  }
  words += narrow_path_in_words(measurements_of(direction));
  return more.empty() ? words : fmt::format("{}; {}", words, more);
}

bool has_impairments(const std::vector<const Measurement*>& measurements) {
  return !impairments_in(measurements).empty();
}

std::string advice_on(const std::vector<const Measurement*>& measurements) {
  const auto heard = impairments_in(measurements);
  const double unrecognised = unrecognised_in(measurements);
  const bool is_known = heard.empty() || heard.front().is_known;
  if (is_known && unrecognised > (heard.empty() ? kHeardMos : heard.front().cost_mos))
    return fmt::format(
        "no impairment that is named explains about {:.1f} MOS of the loss: listen to some of the recordings, and "
        "check "
        "the equipment at both ends",
        unrecognised);
  if (heard.empty())
    return "no impairment was found in the recordings: listen to some of them, and check the equipment at both ends";
  const std::string words(advice(heard.front().impairment, heard.front().missing_ms));
  return heard.front().is_known ? fmt::format("{} (costs about {:.1f} MOS)", words, heard.front().cost_mos) : words;
}

}  // namespace vqas
