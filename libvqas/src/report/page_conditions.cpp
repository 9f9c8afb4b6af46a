#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "report/escape.h"
#include "report/page.h"

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
      {"fresh sub-sample phase", [](const LineConditions& c) { return std::string(c.fresh_phase ? "yes" : "no"); }},
  };
}

/// Median and range of what the measurements of a direction say, or a dash.
std::string spread_of(const DirectionRun& direction, const std::optional<double> Measurement::*value, int digits) {
  std::vector<double> values;
  for (const StimulusRun& stimulus : direction.stimuli) {
    for (const Measurement& one : stimulus.measurements) {
      if (one.*value) values.push_back(*(one.*value));
    }
  }
  if (values.empty()) return "not known";
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return fmt::format("{:.{}f} ({:.{}f} to {:.{}f})", median, digits, values.front(), digits, values.back(), digits);
}

/// The clocks that the delays of a direction come from.
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

std::string measured_table(const PageData& data) {
  std::string html = head(data, "measured: median (smallest to largest)");
  const auto row = [&](const char* name, const std::function<std::string(const DirectionRun&)>& value) {
    std::vector<std::string> cells{name};
    for (const DirectionRun& direction : data.results.directions) cells.push_back(escape(value(direction)));
    html += table_row(cells);
  };
  row("one-way delay, ms", [](const auto& d) { return spread_of(d, &Measurement::delay_ms, 1); });
  row("delay by which clock", bases_of);
  row("clock drift, ppm", [](const auto& d) { return spread_of(d, &Measurement::clock_drift_ppm, 1); });
  row("level difference, dB", [](const auto& d) { return spread_of(d, &Measurement::level_difference_db, 2); });
  return html + "</tbody>\n</table></div>\n";
}

std::string simulated_table(const PageData& data) {
  if (data.results.simulated.empty()) return "";
  std::string html = head(data, "simulated line");
  for (const Row& row : condition_rows()) {
    std::vector<std::string> cells{row.name};
    for (const DirectionRun& direction : data.results.directions) {
      const auto conditions = data.results.simulated.find(direction.from + "-to-" + direction.to);
      cells.push_back(conditions == data.results.simulated.end() ? "–" : escape(row.value(conditions->second)));
    }
    html += table_row(cells);
  }
  return html + "</tbody>\n</table></div>\n";
}

}  // namespace

std::string line_title(const RunResults& results) {
  if (results.simulated.empty()) return results.line.empty() ? "a line without a name" : results.line;
  // The name of a simulated line is an address of this machine, or nothing but "sim:".
  return "a simulated line";
}

std::string conditions_section(const PageData& data) {
  std::string html = "<section>\n<h2>The line</h2>\n<p>Measured over " + escape(line_title(data.results)) +
                     (data.results.simulated.empty() ? "." : ", in virtual time.") + "</p>\n";
  html += simulated_table(data) + measured_table(data);
  if (!data.results.profile.empty()) {
    html +=
        "<p>What the line did besides, as its profile says (the ratio and the band above are then not "
        "used):</p>\n<pre>" +
        escape(data.results.profile) + "</pre>\n";
  }
  html +=
      "<p class=\"quiet\">The level difference is the change of the active speech level (ITU-T P.56) through the whole "
      "line. A band limit, noise and bit errors move it too, so it is not the gain alone.</p>\n";
  const SamplerOptions& sampling = data.results.sampling;
  html += fmt::format(
      "<p>Sampling: {} measurements of each stimulus and direction, then more in steps of {} until the half-width is "
      "at "
      "most {:g} MOS at {:g} %",
      sampling.first_count, sampling.step, sampling.goal.half_width, 100 * sampling.goal.confidence);
  html += fmt::format(", or until {} are scored", sampling.cap_count);
  if (sampling.fallback)
    html += fmt::format("; then {:g} MOS at {:g} % counts as reached, named “fallback”", sampling.fallback->half_width,
                        100 * sampling.fallback->confidence);
  return html + ".</p>\n</section>\n";
}

}  // namespace vqas::report
