// The drawings without single runs: by hour and weekday, causes, and the small one of the index.
#include <array>
#include <cmath>

#include "trend/chart_parts.h"
#include "trend/page_parts.h"
#include "trend/trend_chart.h"

namespace vqas::trend {

std::string svg_bins(const std::vector<TrendBin>& bins, bool weekdays) {
  constexpr double kWidth = 400, kBinsHeight = 190, kLeft = 48, kUp = 10, kDown = 26;
  constexpr std::array kNames = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  double reach = 0.1;
  for (const TrendBin& one : bins) {
    const double width = std::isfinite(one.half_width) ? one.half_width : 0;
    reach = std::max(reach, std::abs(one.difference) + std::min(width, 0.5));
  }
  reach = std::ceil(10 * reach) / 10;
  const int all = weekdays ? 7 : 24;
  const double each = (kWidth - kLeft) / all;
  const auto y_of = [&](double difference) {
    return kUp + (reach - std::clamp(difference, -reach, reach)) / (2 * reach) * (kBinsHeight - kUp - kDown);
  };
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" font-size=\"13\">{}\n", kWidth, kBinsHeight,
                                title(weekdays ? "Differences by weekday" : "Differences by time of day"));
  for (const double mark : {-reach, -reach / 2, 0.0, reach / 2, reach}) {
    svg += fmt::format("<path class=\"{}\" d=\"M{} {:.1f}H{}\"/>\n", mark == 0 ? "axis" : "grid", kLeft, y_of(mark),
                       kWidth);
    svg += text(kLeft - 5, y_of(mark) + 4.5, mark == 0 ? "0" : fmt::format("{:+.2g}", mark), "end");
  }
  for (const TrendBin& one : bins) {
    const double left = kLeft + each * one.bin, middle = left + each / 2;
    const double top = std::min(y_of(0), y_of(one.difference));
    const std::string name = weekdays ? std::string(kNames[static_cast<std::size_t>(one.bin)])
                                      : fmt::format("{0:02}:00 to {0:02}:59", one.bin);
    svg +=
        fmt::format("<rect class=\"column{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">{}</rect>\n",
                    one.differs() ? " differs" : "", left + 0.12 * each, top, 0.76 * each,
                    std::max(0.8, std::abs(y_of(one.difference) - y_of(0))),
                    title(fmt::format("{}: {:+.2f}{}", name, one.difference,
                                      std::isfinite(one.half_width) ? fmt::format(" ±{:.2f}", one.half_width) : "")));
    if (std::isfinite(one.half_width))
      svg += fmt::format("<path class=\"whisker\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n", middle,
                         y_of(one.difference - one.half_width), y_of(one.difference + one.half_width));
  }
  for (int bin = 0; bin < all; bin += weekdays ? 1 : 3)
    svg += text(kLeft + each * (bin + 0.5), kBinsHeight - 8,
                weekdays ? std::string(kNames[static_cast<std::size_t>(bin)]) : fmt::format("{:02}", bin), "middle");
  return svg + "</svg>\n";
}

std::string svg_causes(const CircuitTrend& trend, const DirectionTrend& direction, bool narrow) {
  // A cost that is drawn darkest, MOS; costs below the least are not told from 0.
  constexpr double kDarkest = 1.0, kLeastCost = 0.02, kRow = 22, kLeft = 108, kUnder = 24;
  const double width = narrow ? 400 : 1000, right = 46;
  struct Row {
    std::string name;
    std::vector<double> values;  // 0..1
    std::string most;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < kAllImpairments.size(); ++i) {
    Row row{.name = std::string(to_string(kAllImpairments[i])), .values = {}, .most = {}};
    double most = 0;
    for (const TrendCauses& one : direction.causes) {
      const double cost = one.costs ? (*one.costs)[i] : 0;
      most = std::max(most, cost);
      row.values.push_back(std::min(1.0, cost / kDarkest));
    }
    if (most < kLeastCost) continue;
    std::ranges::replace(row.name, '_', ' ');
    row.most = fmt::format("{:.2f}", most);
    rows.push_back(std::move(row));
  }
  Row without{.name = "no score", .values = {}, .most = {}};
  for (const TrendCauses& one : direction.causes) without.values.push_back(one.share_unscored);
  if (const double most = std::ranges::max(without.values); most > 0) {
    without.most = fmt::format("{:.0f} %", 100 * most);
    rows.push_back(std::move(without));
  }
  if (rows.empty()) return "";
  const double height = kRow * static_cast<double>(rows.size()) + kUnder;
  const double each = (width - kLeft - right) / static_cast<double>(direction.causes.size());
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" font-size=\"13\" class=\"plot {}\">{}\n",
                                width, height, narrow ? "narrow" : "wide", title("Causes over time"));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const double top = kRow * static_cast<double>(r);
    svg += text(kLeft - 8, top + 15, rows[r].name, "end") +
           text(width - right + 6, top + 15, rows[r].most, "start", "faint");
    svg += fmt::format("<rect class=\"empty\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", kLeft, top + 1,
                       width - kLeft - right, kRow - 2);
    for (std::size_t i = 0; i < rows[r].values.size(); ++i) {
      if (rows[r].values[i] < kLeastCost) continue;
      svg += fmt::format(
          "<rect class=\"cell\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" opacity=\"{:.2f}\"/>\n",
          kLeft + each * static_cast<double>(i), top + 1, std::max(1.0, each - 0.6), kRow - 2,
          std::sqrt(rows[r].values[i]));
    }
  }
  const std::size_t every = std::max<std::size_t>(1, (direction.causes.size() + (narrow ? 3 : 9)) / (narrow ? 4 : 10));
  for (std::size_t i = 0; i < direction.causes.size(); i += every)
    svg += text(kLeft + each * static_cast<double>(i), height - 6,
                trend.local.at(direction.causes[i].from_s).date.substr(5), "start");
  return svg + "</svg>\n";
}

std::string svg_spark(const CircuitTrend& trend, const DirectionTrend& direction) {
  constexpr std::size_t kLast = 60;
  constexpr double kWidth = 150, kSparkHeight = 24;
  const auto [low, high] = range_of(trend, direction);
  const std::size_t first = direction.runs.size() - std::min(kLast, direction.runs.size());
  const double each = (kWidth - 6) / static_cast<double>(std::max<std::size_t>(2, direction.runs.size() - first) - 1);
  std::string line, missing;
  bool pen_down = false;
  for (std::size_t i = first; i < direction.runs.size(); ++i) {
    const DirectionOfRun& one = *direction_of(trend.runs[direction.runs[i]], direction.from);
    const double x = 3 + each * static_cast<double>(i - first);
    if (!one.mean) {
      missing += fmt::format("M{:.1f} {}v6", x, kSparkHeight - 7);
      pen_down = false;
      continue;
    }
    line += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", x,
                        3 + (high - *one.mean) / (high - low) * (kSparkHeight - 6));
    if (!pen_down) line += "h0.1";
    pen_down = true;
  }
  return fmt::format(
      "<svg class=\"spark\" viewBox=\"0 0 {} {}\" role=\"img\">{}<path class=\"dots\" stroke-width=\"1.5\" d=\"{}\"/>"
      "<path class=\"change\" d=\"{}\"/></svg>",
      kWidth, kSparkHeight,
      title(fmt::format("last {} runs, {:.1f} to {:.1f}", direction.runs.size() - first, low, high)), line, missing);
}

}  // namespace vqas::trend
