#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "experiment/statements.h"
#include "report/escape.h"
#include "report/svg_plot.h"
#include "vqas/experiment/experiment.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/csv.h"

namespace vqas {
namespace {

using experiment::kScoredShare;
using Json = nlohmann::ordered_json;
using report::escape;

constexpr double kBottom = 1;  // lowest value of the MOS scale

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.4f}", *value) : std::string();
}

bool is_recovery(const ExperimentResult& result) {
  return result.name == "bursts";
}

report::PlotPoint plot_point(const ExperimentResult& result, const std::string& series, const std::string& label) {
  report::PlotPoint plotted;
  plotted.half_width = std::numeric_limits<double>::infinity();  // a point of an experiment has no interval
  plotted.never_made = true;
  double sum = 0;
  double sent = 0;
  for (const ExperimentPoint& point : result.points) {
    if (point.series != series || point.label != label) continue;
    plotted.never_made = false;
    ++sent;
    const auto value = is_recovery(result) ? point.recovery_s : point.mos_lqo;
    if (!value) continue;
    plotted.scores.push_back(*value);
    sum += *value;
  }
  const auto scored = static_cast<double>(plotted.scores.size());
  if (scored > 0) plotted.mean = sum / scored;
  if (scored > 0 && scored < kScoredShare * sent) plotted.bound = (sum + (sent - scored) * kBottom) / sent;
  return plotted;
}

// The cubic trend of a series between its first and last plotted labels. `plotted` has one entry per label.
std::vector<std::pair<double, double>> trend_curve(const ExperimentResult& result, const std::string& series,
                                                   const std::vector<report::PlotPoint>& plotted) {
  const auto trend = std::find_if(result.trends.begin(), result.trends.end(),
                                  [&series](const CubicTrend& one) { return one.series == series; });
  if (trend == result.trends.end() || trend->coefficients.size() != 4) return {};
  std::vector<std::pair<double, double>> places;  // position of a label, and the argument of the trend
  for (std::size_t i = 0; i < result.labels.size(); ++i) {
    if (!plotted[i].mean || plotted[i].bound) continue;
    const auto first = std::ranges::find_if(result.points, [&](const ExperimentPoint& point) {
      return point.series == series && point.label == result.labels[i];
    });
    places.emplace_back(static_cast<double>(i), first->x);
  }
  if (places.size() < 2) return {};
  constexpr int kSteps = 100;
  const auto& [first, first_x] = places.front();
  const auto& [last, last_x] = places.back();
  const auto& a = trend->coefficients;
  std::vector<std::pair<double, double>> curve;
  for (int step = 0; step <= kSteps; ++step) {
    const double part = static_cast<double>(step) / kSteps;
    const double x = first_x + part * (last_x - first_x);
    curve.emplace_back(first + part * (last - first), a[0] + x * (a[1] + x * (a[2] + x * a[3])));
  }
  return curve;
}

std::string plot(const ExperimentResult& result) {
  report::Plot plot;
  plot.labels = result.labels;
  plot.axis = result.vertical;
  if (is_recovery(result)) {
    plot.lowest = 0;
    plot.highest = 1;
    for (const ExperimentPoint& point : result.points)
      plot.highest = std::max(plot.highest, std::ceil(point.recovery_s.value_or(0)));
  }
  std::vector<std::string> names;
  for (const ExperimentPoint& point : result.points) {
    if (std::find(names.begin(), names.end(), point.series) == names.end()) names.push_back(point.series);
  }
  for (const std::string& name : names) {
    report::PlotSeries series;
    series.name = name;
    for (const std::string& label : result.labels) series.points.push_back(plot_point(result, name, label));
    series.curve = trend_curve(result, name, series.points);
    plot.series.push_back(std::move(series));
  }
  return report::svg_plot(plot);
}

std::string trends_text(const ExperimentResult& result) {
  std::string html;
  for (const CubicTrend& trend : result.trends) {
    const auto& a = trend.coefficients;
    html += fmt::format(
        "<li>{}: {:.4f} {:+.4f} x {:+.4f} x² {:+.5f} x³, x = -log10 BER; the scores lie {:.2f} MOS "
        "rms from it</li>\n",
        escape(trend.series), a[0], a[1], a[2], a[3], trend.rms_residual);
  }
  return html.empty() ? html
                      : "<p>Cubic trends, the curves in the plot, as in the report. A cubic is not a model of the "
                        "line; between the points and at its ends it has no meaning:</p>\n<ul>\n" +
                            html + "</ul>\n";
}

}  // namespace

std::string experiment_csv(const ExperimentResult& result) {
  std::string csv =
      "series,label,x,stimulus,outcome,mos_lqo,released,band_loss_db,measured_ber,recovery_s,packet_loss,video_loss,"
      "reason\n";
  for (const ExperimentPoint& p : result.points) {
    csv += fmt::format("{},{},{:g},{},{},{},{},{},{:.6g},{},{:.4f},{:.4f},{}\n", csv_quoted(p.series),
                       csv_quoted(p.label), p.x, p.stimulus, to_string(p.outcome), number(p.mos_lqo),
                       p.released ? 1 : 0, number(p.band_loss_db), p.measured_ber, number(p.recovery_s), p.packet_loss,
                       p.video_loss, csv_quoted(p.reason));
  }
  return csv;
}

std::string experiment_json(const ExperimentResult& result) {
  Json json{{"experiment", result.name}, {"title", result.title}, {"seed", result.seed}};
  json["statements"] = Json::array();
  for (const Statement& statement : result.statements) {
    json["statements"].push_back(
        {{"statement", statement.text}, {"verdict", to_string(statement.verdict)}, {"figures", statement.figures}});
  }
  json["trends"] = Json::array();
  for (const CubicTrend& trend : result.trends) {
    json["trends"].push_back(
        {{"series", trend.series}, {"coefficients", trend.coefficients}, {"rms_residual", trend.rms_residual}});
  }
  json["points"] = Json::array();
  for (const ExperimentPoint& p : result.points) {
    json["points"].push_back({{"series", p.series},
                              {"label", p.label},
                              {"x", p.x},
                              {"stimulus", p.stimulus},
                              {"outcome", to_string(p.outcome)},
                              {"reason", p.reason},
                              {"mos_lqo", p.mos_lqo ? Json(*p.mos_lqo) : Json()},
                              {"released", p.released},
                              {"band_loss_db", p.band_loss_db ? Json(*p.band_loss_db) : Json()},
                              {"measured_ber", p.measured_ber},
                              {"recovery_s", p.recovery_s ? Json(*p.recovery_s) : Json()},
                              {"packet_loss", p.packet_loss},
                              {"video_loss", p.video_loss}});
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string experiment_html(const ExperimentResult& result, const std::string& command) {
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + escape(result.title) +
      "</title>\n<style>body{font:16px/1.5 system-ui,Helvetica,Arial,sans-serif;max-width:1080px;margin:0 auto;"
      "padding:24px}table{border-collapse:collapse;font-size:14px}td,th{padding:4px 11px;border-bottom:1px solid "
      "#e1e4e8;text-align:left}svg{max-width:100%}pre{background:#f4f5f7;padding:10px}</style>\n</head>\n<body>\n<h1>" +
      escape(result.title) + "</h1>\n<p>" + escape(result.vertical) + " against " + escape(result.horizontal) +
      ". Cross: transmissions without a score. Hollow mark: fewer than four in five transmissions have a score; "
      "it is their mean, which is mostly too good. The arrow below it is the mean with the others counted as "
      "1.</p>\n" +
      plot(result) + trends_text(result) +
      "<h2>Comparison with the published "
      "report</h2>\n<table>\n<tr><th>statement</th><th>here</th><th>figures</th></tr>\n";
  for (const Statement& statement : result.statements) {
    html += fmt::format("<tr><td>{}</td><td><b>{}</b></td><td>{}</td></tr>\n", escape(statement.text),
                        to_string(statement.verdict), escape(statement.figures));
  }
  return html +
         fmt::format(
             "</table>\n<h2>How to repeat this experiment</h2>\n<pre>{}</pre>\n<p>Every transmission is in {}.csv "
             "and {}.json, in the folder of this page.</p>\n</body>\n</html>\n",
             escape(command), escape(result.name), escape(result.name));
}

Status write_experiment(const std::filesystem::path& folder, const ExperimentResult& result,
                        const std::string& command) {
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault) return Error{ErrorCode::io, folder.string() + ": cannot be made: " + fault.message()};
  const std::pair<const char*, std::string> files[] = {{".csv", experiment_csv(result)},
                                                       {".json", experiment_json(result)},
                                                       {".html", experiment_html(result, command)}};
  for (const auto& [ending, content] : files) {
    if (Status written = write_file_atomically(folder / (result.name + ending), content); !written) return written;
  }
  return success();
}

}  // namespace vqas
