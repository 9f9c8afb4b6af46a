// The first page: what was measured and for whom, how good it is, what to do next.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

#include "report/escape.h"
#include "report/page.h"
#include "report/quality_scale.h"
#include "report/svg_plot.h"
#include "vqas/report/findings.h"
#include "vqas/run/call_levels.h"

namespace vqas::report {
namespace {

// An impairment with a lower mean cost, in MOS, is not mentioned to a customer.
constexpr double kHeardMos = 0.1;
// Share of the measurements with an impairment: below the first it is occasional, below the second frequent.
constexpr double kRare = 0.25, kOften = 0.75;

std::optional<int> number_at(const std::string& text, std::size_t at, std::size_t count) {
  int value = 0;
  if (at + count > text.size()) return std::nullopt;
  const char* const end = text.data() + at + count;
  const auto [stop, fault] = std::from_chars(text.data() + at, end, value);
  return fault == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

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
  double missing_ms = 0;  ///< of speech, in all measurements with it
};

std::vector<const Measurement*> all_of(const DirectionRun& direction) {
  std::vector<const Measurement*> all;
  for (const StimulusRun& stimulus : direction.stimuli) {
    for (const Measurement& one : stimulus.measurements) all.push_back(&one);
  }
  return all;
}

/// The impairments of measurements that are worth mentioning, the most costly first.
std::vector<Heard> heard_in(const std::vector<const Measurement*>& measurements) {
  std::vector<Heard> all;
  double measured = 0;
  for (const Impairment impairment : kAllImpairments) all.push_back({.impairment = impairment});
  for (const Measurement* const one : measurements) {
    if (!one->findings) continue;
    ++measured;
    for (const ImpairmentFinding& finding : one->findings->impairments) {
      Heard& heard = *std::ranges::find(all, finding.impairment, &Heard::impairment);
      // Runs of earlier releases hold only a strength, which approximates the cost.
      heard.cost_mos += finding.cost_mos.value_or(finding.strength);
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

/// "good: clear speech, with occasional clicks or rough speech"; "good most of the time: clear speech; it breaks down
/// at times: …"
std::string in_one_sentence(const DirectionRun& direction, const DirectionSummary& summary) {
  if (summary.mean.strata == 0) return "no measurement could be scored";
  const Breakdowns hidden = breakdowns_of(direction);
  const std::string more = in_words(hidden);
  if (hidden.breaks_down)
    return fmt::format("{} most of the time: {}; it breaks down at times: {}", quality_of(hidden.usual_mos).word,
                       what_is_good(hidden.usual_mos), more);
  const double mos = summary.mean.mean;
  std::string words = fmt::format("{}: {}", quality_of(mos).word, what_is_good(mos));
  const auto heard = heard_in(all_of(direction));
  for (std::size_t k = 0; k < std::min<std::size_t>(2, heard.size()); ++k) {
    const double share = heard[k].share;
    words += fmt::format("{}{}{}", k == 0 ? ", with " : " and ",
                         share < kRare    ? "occasional "
                         : share < kOften ? "frequent "
                                          : "",
                         what_is_heard(heard[k].impairment, heard[k].missing_ms));
  }
  return more.empty() ? words : fmt::format("{}; {}", words, more);
}

std::string facts(const PageData& data) {
  const RunAbout& about = data.results.about;
  std::string rows;
  const auto row = [&rows](const char* name, const std::string& value, const char* kind = "") {
    if (!value.empty()) rows += fmt::format("<dt>{}</dt><dd{}>{}</dd>\n", name, kind, escape(value));
  };
  const auto tag = [&about](const char* name) {
    const auto found = about.tags.find(name);
    return found == about.tags.end() ? std::string() : found->second;
  };
  row("Customer", tag("customer"));
  row("Site", tag("site"));
  row("Circuit", tag("circuit"));
  row("Campaign", about.campaign);
  row("Measured", date_in_words(data.results.started_utc));
  row("Run", about.uuid, " class=\"run\"");
  return rows.empty() ? "" : "<dl class=\"facts\">\n" + rows + "</dl>\n";
}

/// A scale from 1 to 4.55 that marks the mean.
std::string gauge(double mos, const std::string& colour) {
  constexpr double kWidth = 300, kTop = 4.55;
  const auto x_of = [](double value) { return kWidth * (value - 1) / (kTop - 1); };
  std::string svg =
      "<svg class=\"gauge\" viewBox=\"0 0 300 34\" role=\"img\" font-family=\"system-ui,Helvetica,Arial,sans-serif\" "
      "font-size=\"11\" fill=\"#444\">";
  double to = kTop;
  for (const QualityBand& band : kQualityBands) {
    svg += fmt::format(
        "<rect x=\"{0:.1f}\" y=\"8\" width=\"{1:.1f}\" height=\"10\" fill=\"{2}\" stroke=\"#b8bcc2\"/>"
        "<text x=\"{3:.1f}\" y=\"31\" text-anchor=\"middle\">{4}</text>",
        x_of(band.from), x_of(to) - x_of(band.from), band.colour, (x_of(band.from) + x_of(to)) / 2,
        band.word == "excellent" ? "exc." : band.word);
    to = band.from;
  }
  return svg + fmt::format("<rect x=\"{:.1f}\" y=\"3\" width=\"4\" height=\"20\" fill=\"{}\"/></svg>",
                           x_of(std::clamp(mos, 1.0, kTop)) - 2, colour);
}

std::string card_of(const PageData& data, std::size_t index) {
  const DirectionRun& direction = data.results.directions[index];
  const DirectionSummary& summary = data.summaries[index];
  std::string card = "<div class=\"card\"><div>" + svg_mark(index) + " <b>" + escape(name_of(direction)) + "</b></div>";
  if (summary.mean.strata == 0) return card + "<div class=\"number\">no score</div></div>\n";
  card += fmt::format("<div class=\"number\">{:.2f} <span class=\"unit\">MOS-LQON, {}</span></div>", summary.mean.mean,
                      quality_of(summary.mean.mean).word);
  card += gauge(summary.mean.mean, svg_colour(index));
  card += "<div class=\"small\">" +
          escape(precision_in_words(summary.mean.half_width, summary.mean.confidence, data.provenance.model_error_mos,
                                    data.provenance.model_error_label)) +
          "</div>";
  card += fmt::format(
      "<div class=\"quiet small\">mean of {} of {} stimuli, range {:.2f}; {} of {} measurements scored</div>",
      summary.mean.strata, direction.stimuli.size(), summary.mean.range, summary.outcomes.of(Outcome::scored),
      summary.outcomes.total());
  if (!summary.goal.empty()) card += "<div class=\"quiet small\">" + escape(summary.goal) + "</div>";
  if (summary.conditional) card += "<div class=\"note\">" + escape(conditional_in_words(summary)) + "</div>";
  return card + "</div>\n";
}

std::string sentences(const PageData& data) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < data.results.directions.size(); ++i)
    words.push_back(in_one_sentence(data.results.directions[i], data.summaries[i]));
  if (words.empty()) return "";
  if (std::ranges::all_of(words, [&](const std::string& one) { return one == words.front(); })) {
    words.front().front() = static_cast<char>(words.front().front() - ('a' - 'A'));
    return "<p class=\"lead\">" + escape(words.front()) + (words.size() > 1 ? ", in both directions" : "") + ".</p>\n";
  }
  std::string html;
  for (std::size_t i = 0; i < words.size(); ++i)
    html +=
        "<p class=\"lead\"><b>" + escape(name_of(data.results.directions[i])) + "</b> " + escape(words[i]) + ".</p>\n";
  return html;
}

/// Advice on the most costly impairment of some measurements.
std::string advice_of(const std::vector<const Measurement*>& measurements) {
  const auto heard = heard_in(measurements);
  if (heard.empty())
    return "no impairment was found in the recordings: listen to some of them, and check the equipment at both ends";
  return fmt::format("{} (costs about {:.1f} MOS)", advice(heard.front().impairment, heard.front().missing_ms),
                     heard.front().cost_mos);
}

/// A list of what to do about a direction, each without its full stop.
std::vector<std::string> advice_on(const DirectionRun& direction, const DirectionSummary& summary, bool simulated,
                                   bool failed) {
  std::vector<std::string> items;
  const Breakdowns hidden = breakdowns_of(direction);
  const bool none = summary.mean.strata == 0;
  if (hidden.breaks_down) {
    items.push_back(
        "breaks down at times: find the times under “During the run”, and compare them with alarms, weather and load "
        "of the line");
    items.push_back("when it breaks down, " + advice_of(hidden.low));
  }
  if (hidden.losses > 0)
    items.push_back(fmt::format("the call or an end was lost {}: {} below shows where; look for what ended it",
                                times_in_words(hidden.losses), hidden.calls > 1 ? "“Calls”" : "“Outcomes”"));
  if (none || summary.conditional) {
    items.push_back(fmt::format("{}: see “Outcomes” below{}",
                                none ? "no measurement could be scored" : "too many measurements have no score",
                                simulated ? "" : "; <code>vqas line check</code> shows what to fix"));
  } else if (hidden.unscored > 0) {
    items.push_back(fmt::format("{} of {} measurements {} no score: see “Outcomes” below", hidden.unscored, hidden.made,
                                hidden.unscored == 1 ? "has" : "have"));
  }
  if (failed && !hidden.breaks_down) items.push_back(advice_of(all_of(direction)));
  return items;
}

std::string next_steps(const PageData& data, const std::optional<RunJudgement>& judged) {
  std::string items;
  const RunResults& results = data.results;
  bool fails = false;
  bool undecided = false;
  for (std::size_t i = 0; i < results.directions.size(); ++i) {
    const DirectionSummary& summary = data.summaries[i];
    const bool none = summary.mean.strata == 0;
    const bool fair = !none && summary.mean.mean < 3.5;
    const bool failed = judged ? judged->directions[i].verdict == LimitVerdict::fail : fair;
    fails = fails || failed;
    if (!none && !summary.conditional)
      undecided = undecided || (judged && judged->directions[i].verdict == LimitVerdict::undecided);
    for (const std::string& one : advice_on(results.directions[i], summary, !results.simulated.empty(), failed))
      items += "<li><b>" + escape(name_of(results.directions[i])) + "</b> " + one + ".</li>\n";
  }
  if (!results.is_complete())
    items +=
        "<li>The run is not complete: finish it with <code>vqas measure --resume FOLDER</code>, then use the new "
        "report.</li>\n";
  if (undecided)
    items +=
        "<li>The mean is too close to the limit for a verdict: listen to the recordings and "
        "decide.</li>\n";
  if (fails)
    items +=
        "<li>After a repair, measure again as described below and compare both runs with <code>vqas results "
        "compare</code>.</li>\n";
  return items.empty() ? "" : "<h2>What to do next</h2>\n<ul>\n" + items + "</ul>\n";
}

}  // namespace

std::string date_in_words(const std::string& utc) {
  static constexpr const char* kMonths[] = {"January", "February", "March",     "April",   "May",      "June",
                                            "July",    "August",   "September", "October", "November", "December"};
  static constexpr const char* kDays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
  const auto year = number_at(utc, 0, 4), month = number_at(utc, 5, 2), day = number_at(utc, 8, 2);
  if (!year || !month || !day) return utc;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return utc;
  const std::chrono::weekday weekday{std::chrono::sys_days(date)};
  std::string words = fmt::format("{}, {} {} {}", kDays[weekday.c_encoding()], *day, kMonths[*month - 1], *year);
  if (utc.size() >= 16 && utc[10] == 'T') words += ", " + utc.substr(11, 5) + " UTC";
  return words;
}

std::string headline_section(const PageData& data) {
  const RunResults& results = data.results;
  const auto judged = judge_run(results, data.provenance);
  std::string html =
      "<section class=\"first\">\n<h1>Voice quality of " + escape(line_title(results)) + "</h1>\n" + facts(data);
  if (judged) {
    const std::string name(to_string(judged->verdict));
    // Some programs that make PDF do not support ::first-letter.
    std::string shown = name;
    shown.front() = static_cast<char>(shown.front() - ('a' - 'A'));
    html +=
        fmt::format("<p class=\"verdict {}\">{}: limit {:.2f} MOS-LQON</p>\n", name, shown, *results.about.limit_mos);
  } else if (results.about.limit_mos) {
    html += fmt::format("<p class=\"verdict undecided\">Not measured: limit {:.2f} MOS-LQON</p>\n",
                        *results.about.limit_mos);
  }
  html += sentences(data);
  if (!results.is_complete())
    html += "<div class=\"note\">This run is not complete: " + escape(results.ended_because) + ".</div>\n";
  for (const std::string& warning : call_warnings(results))
    html += "<div class=\"note\">" + escape(warning) + ".</div>\n";
  html += "<div class=\"cards\">\n";
  for (std::size_t i = 0; i < results.directions.size(); ++i) html += card_of(data, i);
  html += "</div>\n";
  if (judged) {
    html += "<ul class=\"small\">\n";
    for (std::size_t i = 0; i < judged->directions.size(); ++i)
      html += fmt::format("<li><b>{}</b> {}: {}</li>\n", escape(name_of(results.directions[i])),
                          to_string(judged->directions[i].verdict), escape(judged->directions[i].reason));
    html += "</ul>\n";
  }
  html += next_steps(data, judged);
  return html + "<p class=\"quiet small\">Measured by VQAS " + escape(data.provenance.software_version) + ", score " +
         escape(data.provenance.score_version) + ".</p>\n</section>\n";
}

}  // namespace vqas::report
