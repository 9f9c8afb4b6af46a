#include <fmt/format.h>

#include <algorithm>

#include "report/escape.h"
#include "report/page.h"

namespace vqas::report {
namespace {

bool any_widened(const RunResults& results) {
  return std::ranges::any_of(results.directions, [](const DirectionRun& direction) {
    return std::ranges::any_of(direction.stimuli,
                               [](const StimulusRun& stimulus) { return stimulus.interval.stopping_factor > 1; });
  });
}

}  // namespace

std::string meaning_section(const PageData& data) {
  const Provenance& provenance = data.provenance;
  const bool wide = data.results.mode == ScoreMode::wideband;
  std::string html = "<section>\n<h2>What the numbers are, and are not</h2>\n";
  html +=
      wide ? "<p><b>MOS-LQOW</b> is an objective estimate of listening quality for speech from 50 to 7000 Hz, on the "
             "scale of ITU-T P.862.2: 1.04 is bad, 4.64 is indistinguishable from the original. It is another scale "
             "than MOS-LQON of the telephone band, whose best line has MOS-LQOW near 3; the two are never compared "
             "or averaged. "
           : "<p><b>MOS-LQON</b> is an objective estimate of listening quality in the telephone band, on the scale "
             "of ITU-T P.862.1: 1.0 is bad, 4.55 is indistinguishable from the original. ";
  html +=
      "It is computed from VQAS's own auditory "
      "distance. It is not a listening test, and not a score by P.861, P.862 or P.863. It does not cover delay, echo "
      "or the effort of a conversation.</p>\n"
      "<p><b>Repeatability</b> is the half-width beside a mean: at the confidence given there, it contains the mean of "
      "unlimited measurements on the same, unchanged line.";
  if (any_widened(data.results))
    html +=
        " Where the scores decided the number of measurements, it is wider than a plain t interval, or as "
        "wide as the goal that was reached (sampling.md).";
  html += " Comparisons over the same stimuli need only this figure.</p>\n";
  if (provenance.model_error_mos > 0) {
    html += fmt::format(
        "<p><b>Model error</b> is the error of the score itself: about ±{:.2g} MOS (1 σ, against {}; {}). More "
        "measurements do not reduce it. A comparison with an absolute limit needs both figures.</p>\n",
        provenance.model_error_mos, escape(provenance.model_error_label), escape(provenance.model_error_source));
  } else {
    html +=
        "<p><b>Model error</b>, the error of the score itself, is not known for this score version. A comparison with "
        "an "
        "absolute limit needs both figures.</p>\n";
  }
  return html + "</section>\n";
}

std::string provenance_section(const PageData& data) {
  const RunResults& results = data.results;
  const auto row = [](const char* name, const std::string& value) {
    return fmt::format("<tr><td>{}</td><td class=\"text\">{}</td></tr>\n", name, value.empty() ? "–" : escape(value));
  };
  std::string html = "<section>\n<h2>How to repeat this measurement</h2>\n<pre>" + escape(data.command) + "</pre>\n";
  if (!data.plan.empty())
    html += "<p class=\"before-plan\">The plan, without its store section:</p>\n<pre class=\"plan\">" +
            escape(data.plan) + "</pre>\n";
  html += results.simulated.empty()
              ? "<p>A real line changes with time. The same seed gives the same order of transmissions.</p>\n"
              : "<p>A run that is not interrupted gives the same results with the same versions, stimuli and seed, "
                "apart from the times of day.</p>\n";
  html += "<div class=\"scroll\"><table>\n<tbody>\n";
  html += row("run", results.about.uuid);
  html += row("software", "VQAS " + data.provenance.software_version);
  html += row("score", data.provenance.score_version);
  html += row("seed", std::to_string(results.seed));
  html += row("stimuli", results.corpus_digest.empty() ? "" : "digest " + results.corpus_digest);
  html += row("started", results.started_utc);
  html += row("finished", results.finished_utc);
  const bool known = !results.finished_utc.empty();
  html += row("time", known ? fmt::format("{:.1f} s by the wall clock, {:.1f} s of line time", results.wall_seconds,
                                          results.line_seconds)
                            : "not known, the run was broken off");
  return html +
         "</tbody>\n</table></div>\n<p class=\"quiet\">Every single measurement is in results.csv and results.json, in "
         "the "
         "folder of this page.</p>\n</section>\n";
}

std::string annex_section(const PageData& data) {
  return "<section class=\"annex\">\n<h2>Annex: tables and statistics</h2>\n" + drift_notes(data) + line_notes(data) +
         outcomes_table(data) + "</section>\n";
}

}  // namespace vqas::report
