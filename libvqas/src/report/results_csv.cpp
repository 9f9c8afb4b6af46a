#include <fmt/format.h>

#include "run/json.h"
#include "run/run_json.h"
#include "vqas/report/report.h"
#include "vqas/signal/csv.h"

namespace vqas {
namespace {

/// Text that a spreadsheet would take for a formula gets a leading apostrophe.
std::string cell(const std::string& text) {
  const bool formula = !text.empty() && std::string_view("=+-@\t").find(text.front()) != std::string_view::npos;
  return csv_field(formula ? "'" + text : text);
}

template <typename Choice>
std::string_view word(const std::optional<Choice>& value) {
  return value ? to_string(*value) : "";
}

std::string cell(const std::optional<double>& value, double step) {
  const store::Json number = store::rounded(value, step);
  return number.is_null() ? std::string() : number.dump();
}

std::string findings_cells(const std::optional<MeasurementFindings>& findings) {
  if (!findings) return ",,,,,,,,";
  std::string impairments;
  for (const ImpairmentFinding& one : findings->impairments) {
    if (!impairments.empty()) impairments += ' ';
    impairments += to_string(one.impairment);
  }
  return fmt::format("{},{},{},{},{},{},{},{},{}", impairments, cell(findings->band_low_hz, 1),
                     cell(findings->band_high_hz, 1), cell(findings->band_loudness_lost, 1e-4),
                     cell(findings->missing_ms(), 0.1), cell(findings->level_range_db, 0.01),
                     cell(findings->noise_dbm0p, 0.1), cell(findings->noise_cost_mos, 0.01),
                     cell(findings->unrecognised_cost_mos, 0.01));
}

}  // namespace

std::string results_csv(const RunResults& results) {
  std::string csv =
      "from,to,stimulus,sequence,outcome,mos_lqo,auditory_distance,delay_ms,delay_basis,clock_drift_ppm,"
      "level_difference_db,marks_found,found_by,recording,reason,impairments,band_low_hz,band_high_hz,"
      "band_loudness_lost,missing_ms,level_range_db,noise_dbm0p,noise_cost_mos,unrecognised_cost_mos,leading_"
      "confidence,"
      "trailing_confidence,delay_step_ms";
  // Scores of two scales must not meet in one column of a spreadsheet unnoticed.
  const bool wide = results.mode == ScoreMode::wideband;
  csv += wide ? ",score_mode,narrowband_mos_lqo\n" : "\n";
  for (const DirectionRun& direction : results.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) {
        csv += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", name_of(direction.from),
                           name_of(direction.to()), cell(stimulus.stimulus), one.sequence, to_string(one.outcome),
                           cell(one.mos_lqo, 1e-4), cell(one.auditory_distance, 1e-4), cell(one.delay_ms, 1e-3),
                           to_string(one.delay_basis), cell(one.clock_drift_ppm, 1e-3),
                           cell(one.level_difference_db, 1e-3), word(one.marks_found), word(store::found_by(one)),
                           cell(one.recording), cell(one.reason), findings_cells(one.findings),
                           cell(one.leading_confidence, 1e-3), cell(one.trailing_confidence, 1e-3),
                           cell(one.delay_step_ms, 1e-3));
        csv += wide ? fmt::format(",{},{}\n", to_string(results.mode), cell(one.narrowband_mos_lqo, 1e-4)) : "\n";
      }
    }
  }
  return csv;
}

}  // namespace vqas
