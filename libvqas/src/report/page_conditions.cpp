#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/escape.h"
#include "report/healthy_coder.h"
#include "report/page.h"
#include "vqas/signal/idle_noise.h"
#include "vqas/signal/median.h"

namespace vqas::report {
namespace {

struct Row {
  const char* name;
  std::function<std::string(const LineConditions&)> value;
};

std::vector<Row> condition_rows() {
  return {
      {"codec",
       [](const LineConditions& c) { return std::string(c.law == G711Law::mu ? "G.711 mu-law" : "G.711 A-law"); }},
      {"bit error ratio", [](const LineConditions& c) { return fmt::format("{:g}", c.ber); }},
      {"delay, ms", [](const LineConditions& c) { return fmt::format("{:g}", 1000 * c.delay_s); }},
      {"gain, dB", [](const LineConditions& c) { return fmt::format("{:g}", c.gain_db); }},
      {"change of gain between transmissions, dB",
       [](const LineConditions& c) { return fmt::format("±{:g}", c.gain_ripple_db); }},
      {"band limit 300–3400 Hz", [](const LineConditions& c) { return std::string(c.band_limit ? "yes" : "no"); }},
      {"circuit noise, dBm0p",
       [](const LineConditions& c) {
         return std::isfinite(c.circuit_noise_dbm0p) ? fmt::format("{:g}", c.circuit_noise_dbm0p) : std::string("none");
       }},
      {"sender's clock, ppm", [](const LineConditions& c) { return fmt::format("{:+g}", c.sender_clock_ppm); }},
      {"receiver's clock, ppm", [](const LineConditions& c) { return fmt::format("{:+g}", c.receiver_clock_ppm); }},
      {"new sub-sample phase for each transmission",
       [](const LineConditions& c) { return std::string(c.fresh_phase ? "yes" : "no"); }},
  };
}

using ValueOf = std::function<std::optional<double>(const Measurement&)>;

/// Median and range of a value over the measurements of a direction, or "not known".
std::string spread_of(const DirectionRun& direction, const ValueOf& value_of, int digits) {
  std::vector<double> values;
  for (const StimulusRun& stimulus : direction.stimuli) {
    for (const Measurement& one : stimulus.measurements) {
      if (const auto value = value_of(one)) values.push_back(*value);
    }
  }
  if (values.empty()) return "not known";
  const auto [least, most] = std::ranges::minmax(values);
  return fmt::format("{:.{}f} ({:.{}f} to {:.{}f})", median(values), digits, least, digits, most, digits);
}

ValueOf finding(double MeasurementFindings::*value, double factor = 1) {
  return [value, factor](const Measurement& one) {
    return one.findings ? std::optional((*one.findings).*value * factor) : std::nullopt;
  };
}

std::optional<double> missing_ms(const Measurement& one) {
  if (!one.findings) return std::nullopt;
  return one.findings->missing_ms();
}

std::optional<double> noise_of(const Measurement& one) {
  return one.findings ? one.findings->noise_dbm0p : std::nullopt;
}

/// What was lost that nothing that was named explains; 0: less than half a MOS.
double unrecognised_of(const Measurement& one) {
  return one.findings ? one.findings->unrecognised_cost_mos.value_or(0) : 0;
}

/// The impairment that costs most; nothing where none costs anything, or what was not recognised costs more.
std::optional<Impairment> main_impairment(const Measurement& one) {
  if (!one.findings || one.findings->impairments.empty()) return std::nullopt;
  const ImpairmentFinding& first = one.findings->impairments.front();
  if (report::may_be_healthy_coder(first)) return std::nullopt;
  if (first.costs_nothing() || (first.cost_mos && *first.cost_mos < unrecognised_of(one))) return std::nullopt;
  return first.impairment;
}

std::size_t count_of(const DirectionRun& direction, const std::function<bool(const Measurement&)>& is_one) {
  std::size_t count = 0;
  for (const StimulusRun& stimulus : direction.stimuli)
    count += static_cast<std::size_t>(std::ranges::count_if(stimulus.measurements, is_one));
  return count;
}

/// The main impairments of a direction's measurements, the most frequent first.
std::vector<std::pair<Impairment, std::size_t>> first_impairments(const DirectionRun& direction) {
  std::vector<std::pair<Impairment, std::size_t>> found;
  for (const Impairment impairment : kAllImpairments) {
    const std::size_t count =
        count_of(direction, [impairment](const Measurement& one) { return main_impairment(one) == impairment; });
    if (count > 0) found.emplace_back(impairment, count);
  }
  std::ranges::stable_sort(found, std::greater(), &std::pair<Impairment, std::size_t>::second);
  return found;
}

std::string impairments_of(const DirectionRun& direction) {
  const std::size_t diagnosed = count_of(direction, [](const Measurement& one) { return one.findings.has_value(); });
  if (diagnosed == 0) return "not known";
  std::vector<std::string> words;
  for (const auto& [impairment, count] : first_impairments(direction)) {
    words.push_back(fmt::format("{} in {} of {}", to_string(impairment), count, diagnosed));
  }
  const std::size_t unrecognised =
      count_of(direction, [](const Measurement& one) { return unrecognised_of(one) > 0 && !main_impairment(one); });
  if (unrecognised > 0) words.push_back(fmt::format("not recognised in {} of {}", unrecognised, diagnosed));
  return words.empty() ? fmt::format("none in {}", diagnosed) : fmt::format("{}", fmt::join(words, ", "));
}

/// Missing speech, in ms, of all measurements whose main impairment is this one.
double missing_with(const DirectionRun& direction, Impairment impairment) {
  double sum = 0;
  for (const StimulusRun& stimulus : direction.stimuli) {
    for (const Measurement& one : stimulus.measurements) {
      if (main_impairment(one) == impairment) sum += one.findings->missing_ms();
    }
  }
  return sum;
}

/// Advice on impairments that are the main one in at least a tenth of a direction's measurements.
std::string advice_list(const PageData& data) {
  std::string items;
  for (const DirectionRun& direction : data.results.directions) {
    std::size_t measured = 0;
    for (const StimulusRun& stimulus : direction.stimuli) measured += stimulus.measurements.size();
    for (const auto& [impairment, count] : first_impairments(direction)) {
      if (10 * count < measured) continue;
      items += "<li>" + escape(name_of(direction)) + ": " +
               escape(std::string(advice(impairment, missing_with(direction, impairment)))) + "</li>\n";
    }
  }
  return items.empty() ? "" : "<p>What the recordings suggest:</p>\n<ul>\n" + items + "</ul>\n";
}

/// The clocks by which the delays of a direction were measured.
std::string bases_of(const DirectionRun& direction) {
  std::vector<std::string> names;
  for (const StimulusRun& stimulus : direction.stimuli) {
    for (const Measurement& one : stimulus.measurements) {
      const std::string name(to_string(one.delay_basis));
      if (one.delay_ms && std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names.empty() ? "–" : fmt::format("{}", fmt::join(names, ", "));
}

std::string head(const PageData& data, const char* first) {
  std::vector<std::string> cells{first};
  for (const DirectionRun& direction : data.results.directions) cells.push_back(escape(name_of(direction)));
  return "<div class=\"scroll\"><table>\n<thead>" + table_row(cells, "th") + "</thead>\n<tbody>\n";
}

/// Median noise of each direction, rated against the limit. Even a good circuit has some, and it costs some MOS.
std::string noise_note(const PageData& data) {
  std::string items;
  for (const DirectionRun& direction : data.results.directions) {
    std::vector<double> levels, costs;
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) {
        if (!noise_of(one)) continue;
        levels.push_back(*noise_of(one));
        if (one.findings->noise_cost_mos) costs.push_back(*one.findings->noise_cost_mos);
      }
    }
    if (levels.empty()) continue;
    items += fmt::format("<li><b>{}</b> {}{}</li>\n", escape(name_of(direction)),
                         escape(idle_noise_in_words(upper_median(levels))),
                         costs.empty() ? "" : fmt::format("; it costs {:.2f} MOS", upper_median(costs)));
  }
  return items.empty() ? "" : "<p>Median noise in the talker's pauses:</p>\n<ul>\n" + items + "</ul>\n";
}

std::string measured_table(const PageData& data) {
  std::string html = head(data, "measured: median (smallest to largest)");
  const auto row = [&](const char* name, const std::function<std::string(const DirectionRun&)>& value) {
    std::vector<std::string> cells{name};
    for (const DirectionRun& direction : data.results.directions) cells.push_back(escape(value(direction)));
    html += table_row(cells);
  };
  row("one-way delay, ms", [](const auto& d) { return spread_of(d, std::mem_fn(&Measurement::delay_ms), 1); });
  row("clock used for the delay", bases_of);
  row("clock drift, ppm", [](const auto& d) { return spread_of(d, std::mem_fn(&Measurement::clock_drift_ppm), 1); });
  row("level difference, dB",
      [](const auto& d) { return spread_of(d, std::mem_fn(&Measurement::level_difference_db), 2); });
  row("received band, lower edge, Hz",
      [](const auto& d) { return spread_of(d, finding(&MeasurementFindings::band_low_hz), 0); });
  row("received band, upper edge, Hz",
      [](const auto& d) { return spread_of(d, finding(&MeasurementFindings::band_high_hz), 0); });
  row("loudness lost to the band limit, %",
      [](const auto& d) { return spread_of(d, finding(&MeasurementFindings::band_loudness_lost, 100), 1); });
  row("speech that did not arrive, ms", [](const auto& d) { return spread_of(d, missing_ms, 0); });
  row("level range within a stimulus, dB",
      [](const auto& d) { return spread_of(d, finding(&MeasurementFindings::level_range_db), 1); });
  row("noise in pauses, dBm0p (-80: so much or less)", [](const auto& d) {
    return spread_of(
        d, [](const Measurement& one) { return noise_of(one); }, 1);
  });
  const bool both = std::ranges::any_of(data.results.directions, [](const DirectionRun& d) {
    return spread_of(d, std::mem_fn(&Measurement::narrowband_mos_lqo), 2) != "not known";
  });
  if (both)
    row("the same recordings in narrowband, MOS-LQON, another scale",
        [](const auto& d) { return spread_of(d, std::mem_fn(&Measurement::narrowband_mos_lqo), 2); });
  row("most costly impairment", impairments_of);
  return html + "</tbody>\n</table></div>\n" + noise_note(data) + advice_list(data);
}

std::string simulated_table(const PageData& data) {
  if (data.results.simulated.empty()) return "";
  std::string html = head(data, "simulated line");
  for (const Row& row : condition_rows()) {
    const bool is_codec = std::string_view(row.name) == "codec" && data.results.codec != LineCodec::g711;
    std::vector<std::string> cells{row.name};
    for (const DirectionRun& direction : data.results.directions) {
      const auto conditions = data.results.simulated.find(direction_name(direction.from));
      cells.push_back(
          conditions == data.results.simulated.end()
              ? "–"
              : escape(is_codec ? std::string(in_words(data.results.codec)) : row.value(conditions->second)));
    }
    html += table_row(cells);
  }
  return html + "</tbody>\n</table></div>\n";
}

// Equipment and clocks of a real line's ends, and what was measured with the ends cabled together.
std::string ends_of(const RunResults& results) {
  std::string items;
  for (const auto& [end, equipment] : results.equipment)
    items += "<li><b>End " + escape(end) + "</b> " + escape(equipment) + "</li>\n";
  for (const auto& [end, clock] : results.clocks) {
    items += fmt::format("<li><b>Clock of end {}</b> synchronised: {:+g} ms, ±{:g} ms</li>\n", escape(end),
                         clock.offset_ms, clock.uncertainty_ms);
  }
  if (!results.baseline.empty()) items += "<li><b>Cabled together</b> " + escape(results.baseline) + "</li>\n";
  return items.empty() ? "" : "<ul>\n" + items + "</ul>\n";
}

}  // namespace

std::string line_title(const RunResults& results) {
  if (results.simulated.empty()) return results.line.empty() ? "an unnamed line" : results.line;
  // The name of a simulated line is an address of this machine, or just "sim:".
  return "a simulated line";
}

std::string conditions_section(const PageData& data) {
  std::string html = "<section>\n<h2>The line</h2>\n<p>Measured over " + escape(line_title(data.results)) +
                     (data.results.simulated.empty() ? "." : ", in virtual time.") + "</p>\n";
  html += ends_of(data.results) + measured_table(data);
  return html +
         "<p class=\"quiet small\">The level difference is the change of the active speech level (ITU-T P.56) through "
         "the whole line. A band limit, noise and bit errors change it too, so it is not the gain "
         "alone.</p>\n</section>\n";
}

std::string line_notes(const PageData& data) {
  std::string html = simulated_table(data);
  if (!html.empty()) html = "<h3>The simulated line</h3>\n" + html;
  if (!data.results.profile.empty()) {
    html +=
        "<p>The profile of the line, which replaces the bit error ratio and the band limit "
        "above:</p>\n<pre>" +
        escape(data.results.profile) + "</pre>\n";
  }
  std::string goal = goal_in_words(data.results.sampling);
  if (goal.starts_with('t')) goal.front() = 'T';
  return html + "<h3>Sampling</h3>\n<p>" + escape(goal) + ".</p>\n";
}

}  // namespace vqas::report
