// Sections on scores in the order of the run, drift, conversational quality, and operators' notes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/escape.h"
#include "report/page.h"
#include "report/svg_chart.h"
#include "vqas/report/findings.h"
#include "vqas/run/call_levels.h"
#include "vqas/run/mos_scale.h"

namespace vqas::report {
namespace {

bool is_noted(const RunResults& results, const DirectionRun& direction, const Measurement& one) {
  return std::ranges::any_of(results.notes, [&](const OperatorNote& note) {
    return note.from == direction.from && note.sequence == one.sequence;
  });
}

std::string drift_in_words(const LineDrift& drift) {
  if (!std::isfinite(drift.half_width)) return "too few scores to tell";
  return fmt::format("{} MOS from first to last, ±{:.2f} ({:.4g} %): {}", difference_text(drift.change),
                     drift.half_width, 100 * drift.confidence,
                     drift.found() ? "the line drifted while it was measured" : "no drift was found");
}

std::string decibels(const std::optional<double>& value) {
  return value ? fmt::format("{:+.1f}", *value) : std::string("–");
}

std::string calls_of(const PageData& data) {
  std::string rows;
  for (const DirectionRun& direction : data.results.directions) {
    const auto calls = call_levels(direction);
    if (calls.size() < 2) continue;
    for (const CallLevel& call : calls) {
      rows += table_row({escape(name_of(direction)), std::to_string(call.call), std::to_string(call.first_sequence),
                         std::to_string(call.scored),
                         call.mean_mos_lqo ? fmt::format("{:.2f}", *call.mean_mos_lqo) : std::string("no score"),
                         decibels(call.level_difference_db), decibels(call.level_change_db)});
    }
  }
  if (rows.empty()) return "";
  return "<h3>Calls</h3>\n<p>The call was lost and made again. A new call may take another route. The other means on "
         "this page are over all calls.</p>\n<div class=\"scroll\"><table>\n<thead>" +
         table_row(
             {"direction", "call", "from transmission", "scored", "mean of its scores", "level, dB", "change, dB"},
             "th") +
         "</thead>\n<tbody>\n" + rows + "</tbody>\n</table></div>\n";
}

std::string patterns_of(const PageData& data) {
  std::string rows;
  for (const DirectionRun& direction : data.results.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      const std::string words = in_words(pattern_of(stimulus));
      if (words.empty()) continue;
      rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"text\">{}</td></tr>\n",
                          escape(name_of(direction)), escape(stimulus.stimulus), stimulus.interval.n, escape(words));
    }
  }
  if (rows.empty()) return "";
  return "<h3>Stimuli whose scores vary unusually</h3>\n<p>The intervals of these stimuli may be too narrow. Stimuli "
         "noticed at the first look were measured at least ten times. By chance one stimulus in fifteen is "
         "noticed.</p>\n<div class=\"scroll\"><table>\n<thead><tr><th>direction</th><th>stimulus</th><th>n</th>"
         "<th class=\"text\">noticed</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody>\n</table></div>\n";
}

}  // namespace

std::string time_section(const PageData& data) {
  Chart chart{.title = "MOS in the order of the transmissions",
              .x_axis = "transmission number in its direction",
              .y_axis = std::string(scale_name(data.results.mode)),
              .series = {},
              .ticks = {},
              .lowest = 1,
              .highest = highest_mos(data.results.mode)};
  chart.quality_bands = true;
  bool noted = false;
  for (const DirectionRun& direction : data.results.directions) {
    ChartSeries series{.name = name_of(direction), .points = {}};
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) {
        const bool marked = is_noted(data.results, direction, one);
        noted = noted || marked;
        if (!one.mos_lqo) continue;
        series.points.push_back(
            {static_cast<double>(one.sequence), *one.mos_lqo, 0, marked,
             fmt::format("{} {}, {}: {:.2f}", name_of(direction), one.sequence, stimulus.stimulus, *one.mos_lqo)});
      }
    }
    chart.series.push_back(std::move(series));
  }
  if (chart.series.empty()) return "";
  Chart narrow = chart;
  narrow.narrow = true;
  return "<section>\n<h2>During the run</h2>\n<div class=\"plot wide\">" + svg_chart(chart) +
         "</div>\n<div class=\"plot narrow\">" + svg_chart(narrow) + "</div>\n" +
         (noted ? "<p class=\"quiet small\">Ring: an operator wrote a note.</p>\n" : "") + calls_of(data) +
         "</section>\n";
}

std::string drift_notes(const PageData& data) {
  std::string words;
  for (const DirectionRun& direction : data.results.directions)
    words += fmt::format("<li><b>{}</b> {}</li>\n", escape(name_of(direction)),
                         escape(drift_in_words(drift_of(direction, data.results.sampling))));
  if (words.empty()) return "";
  return "<h3>Drift</h3>\n<p>Drift of the line over all stimuli, each relative to its own mean:</p>\n<ul>\n" + words +
         "</ul>\n" + patterns_of(data);
}

std::string conversation_section(const PageData& data) {
  std::string rows;
  bool told = false;
  for (const DirectionRun& direction : data.results.directions) {
    const auto found = conversation_of(data.results, direction);
    if (!found) continue;
    told = told || found->echo_told;
    const ConversationEstimate& e = found->estimate;
    rows +=
        table_row({escape(name_of(direction)), fmt::format("<b>{:.2f}</b>", e.mos_cqe), fmt::format("{:.1f}", e.rating),
                   fmt::format("{:.1f}{}", e.ie_eff, e.at_ceiling ? " (ceiling)" : ""),
                   fmt::format("{:.0f} ({})", found->path.one_way_delay_ms, to_string(found->basis)),
                   fmt::format("{:.1f}", e.idd),
                   std::isfinite(found->path.echo_loss_db) ? fmt::format("{:.0f}", found->path.echo_loss_db) : "none",
                   fmt::format("{:.1f}", e.idte + e.idle)});
  }
  if (rows.empty()) return "";
  return "<section>\n<h2>Conversation: an estimate</h2>\n<p>MOS-CQE by the E-model (ITU-T G.107), from the mean above "
         "(Ie,eff after ITU-T P.834), the measured delay and " +
         std::string(told ? "the echo loss given in the plan" : "no talker echo, because a simulated line has none") +
         ". This is an estimate, not a measurement: no conversation took place. All other parameters have the "
         "model's defaults, which limit MOS to 4.41.</p>\n<div class=\"scroll\"><table>\n<thead>" +
         table_row(
             {"direction", "MOS-CQE", "R", "Ie,eff", "delay, ms", "Idd (delay)", "echo loss, dB", "Idte + Idle (echo)"},
             "th") +
         "</thead>\n<tbody>\n" + rows + "</tbody>\n</table></div>\n</section>\n";
}

std::string notes_section(const PageData& data) {
  const RunAbout& about = data.results.about;
  std::string html;
  if (!about.campaign.empty() || !about.notes.empty() || !about.tags.empty()) {
    html += "<div class=\"scroll\"><table>\n<tbody>\n";
    const auto row = [&html](const std::string& name, const std::string& value) {
      if (!value.empty())
        html += fmt::format("<tr><td>{}</td><td class=\"text\">{}</td></tr>\n", escape(name), escape(value));
    };
    row("campaign", about.campaign);
    for (const auto& [name, value] : about.tags) row(name, value);
    row("notes", about.notes);
    html += "</tbody>\n</table></div>\n";
  }
  std::string rows;
  for (const OperatorNote& note : data.results.notes) {
    rows += fmt::format(
        "<tr><td>{}</td><td>{} → {}</td><td>{}</td><td class=\"text\">{}</td><td class=\"text\">{}</td></tr>\n",
        escape(note.written_utc), name_of(note.from), name_of(other_end(note.from)), note.sequence,
        note.sounds_different ? "<b>sounds different</b>" : "", escape(note.text));
  }
  if (!rows.empty())
    html +=
        "<h3>Operators' notes</h3>\n<p>A note does not change a score. When an operator noted “sounds different” "
        "during "
        "the run, the stimulus was measured again.</p>\n<div class=\"scroll\"><table>\n<thead><tr>"
        "<th>written</th><th>direction</th><th>sequence</th><th class=\"text\"></th><th class=\"text\">note</th></tr>"
        "</thead>\n<tbody>\n" +
        rows + "</tbody>\n</table></div>\n";
  if (!data.recordings.empty()) html += "<p>" + escape(data.recordings) + ". No number depends on them.</p>\n";
  return html.empty() ? "" : "<section>\n<h2>Campaign and notes</h2>\n" + html + "</section>\n";
}

}  // namespace vqas::report
