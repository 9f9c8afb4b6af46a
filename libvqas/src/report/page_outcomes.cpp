#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/escape.h"
#include "report/page.h"
#include "run/run_json.h"

namespace vqas::report {
namespace {

const char* words_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::scored:
      return "measured and scored";
    case Outcome::not_found:
      return "neither a mark nor speech was found in the received signal";
    case Outcome::not_aligned:
      return "the received signal does not match the reference";
    case Outcome::no_speech:
      return "no speech in the reference or the recording";
    case Outcome::too_short:
      return "too little was received for a score";
    case Outcome::clipped_input:
      return "the receiver's own input was overdriven, or the reference is clipped";
    case Outcome::bad_input:
      return "a recording could not be used";
    case Outcome::audio_fault:
      return "a sound device, an overloaded machine or a foreign sender of packets spoilt the recording";
    case Outcome::line_lost:
      return "the call, the line or a node was lost";
    case Outcome::cancelled:
      return "the run was stopped during this transmission; it does not count against the line and is sent again on "
             "resuming";
  }
  return "";
}

std::string count_cell(std::size_t count) {
  return count == 0 ? std::string("<td class=\"zero\">0</td>") : fmt::format("<td>{}</td>", count);
}

/// Single measurements with their reasons; empty if there are none.
template <typename Wanted>
std::string reasons_table(const RunResults& results, const char* heading, Wanted wanted) {
  std::string rows;
  for (const DirectionRun& direction : results.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) {
        if (!wanted(one)) continue;
        rows += fmt::format(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"text\">{}</td><td class=\"text\">{}</td></tr>\n",
            escape(name_of(direction)), escape(stimulus.stimulus), one.sequence, escape(to_string(one.outcome)),
            escape(one.reason));
      }
    }
  }
  if (rows.empty()) return {};
  return fmt::format("<h3>{}</h3>\n", heading) +
         "<div class=\"scroll\"><table class=\"stack reasons\">\n<thead><tr><th>direction</th>"
         "<th>stimulus</th><th>sequence</th><th class=\"text\">outcome</th><th "
         "class=\"text\">reason</th></tr></thead>\n"
         "<tbody>\n" +
         rows + "</tbody>\n</table></div>\n";
}

std::string reasons_section(const RunResults& results) {
  const std::string unscored = reasons_table(results, "Measurements without a score",
                                             [](const Measurement& one) { return one.outcome != Outcome::scored; });
  return (unscored.empty() ? "<p>Every measurement was scored.</p>\n" : unscored) +
         reasons_table(results, "Questionable scores",
                       [](const Measurement& one) { return one.outcome == Outcome::scored && !one.reason.empty(); });
}

/// A sentence on the scores located without a leading mark; empty if there are none.
std::string found_otherwise(const RunResults& results) {
  std::size_t trailing = 0, speech = 0;
  for (const DirectionRun& direction : results.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) {
        if (one.outcome != Outcome::scored) continue;
        const auto by = store::found_by(one);
        trailing += by == store::FoundBy::trailing_mark ? 1 : 0;
        speech += by == store::FoundBy::speech ? 1 : 0;
      }
    }
  }
  if (trailing + speech == 0) return {};
  return fmt::format(
      "<p>Marks were lost on the line: of the scored measurements, {} {} found by the trailing mark alone and {} by "
      "the speech "
      "alone.</p>\n",
      trailing, trailing == 1 ? "was" : "were", speech);
}

/// Explains the gaps in the sequence numbers; empty if there are none.
std::string numbers_abandoned(const RunResults& results) {
  std::vector<std::string> gaps;
  for (const DirectionRun& direction : results.directions) {
    for (const SequenceGap& gap : sequence_gaps(direction)) {
      gaps.push_back(gap.first == gap.last ? fmt::format("{} {}", name_of(direction), gap.first)
                                           : fmt::format("{} {} to {}", name_of(direction), gap.first, gap.last));
    }
  }
  if (gaps.empty()) return {};
  return fmt::format(
      "<p>No measurement has these sequence numbers: {}. This is no sign of a bad line. The transmissions were not "
      "sent, "
      "because the run was paused, a program was killed, a node or the line was lost, or the receiver was not "
      "listening. Those still "
      "needed were sent again under later numbers. A listener that starts late or has enough scores also leaves "
      "gaps.</p>\n",
      escape(fmt::format("{}", fmt::join(gaps, ", "))));
}

}  // namespace

std::string outcomes_section(const PageData& data) {
  std::string html = "<section class=\"long\">\n<h2>Outcomes</h2>\n<ul>\n";
  for (std::size_t i = 0; i < data.summaries.size(); ++i) {
    const OutcomeCounts& counts = data.summaries[i].outcomes;
    std::string words = fmt::format("{} of {} scored", counts.of(Outcome::scored), counts.total());
    for (const Outcome outcome : kAllOutcomes) {
      if (outcome == Outcome::scored || counts.of(outcome) == 0) continue;
      words += fmt::format("; {}: {}", counts.of(outcome), words_of(outcome));
    }
    html += "<li><b>" + escape(name_of(data.results.directions[i])) + "</b> " + escape(words) + "</li>\n";
  }
  return html + "</ul>\n" + found_otherwise(data.results) + numbers_abandoned(data.results) +
         reasons_section(data.results) + "</section>\n";
}

std::string outcomes_table(const PageData& data) {
  std::string html =
      "<h3>All outcomes</h3>\n<p>Each transmission is counted once. A measurement without a score has an outcome and "
      "a reason.</p>\n<div class=\"scroll\"><table>\n<thead><tr><th>outcome</th>"
      "<th class=\"text\">meaning</th>";
  for (const DirectionRun& direction : data.results.directions) html += "<th>" + escape(name_of(direction)) + "</th>";
  html += "</tr></thead>\n<tbody>\n";
  for (const Outcome outcome : kAllOutcomes) {
    html += fmt::format("<tr><td>{}</td><td class=\"text\">{}</td>", escape(to_string(outcome)), words_of(outcome));
    for (const DirectionSummary& summary : data.summaries) html += count_cell(summary.outcomes.of(outcome));
    html += "</tr>\n";
  }
  html += "<tr><td><b>all</b></td><td></td>";
  for (const DirectionSummary& summary : data.summaries) html += count_cell(summary.outcomes.total());
  return html + "</tr>\n</tbody>\n</table></div>\n";
}

}  // namespace vqas::report
