#include "model/run_model.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "model/phrases.h"
#include "model/text.h"
#include "model/words.h"
#include "vqas/report/summary.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

QString running_state(const StimulusPoint& point) {
  if (point.scores.empty()) return point.not_scored == 0 ? Text::tr("waiting") : Text::tr("no score yet");
  return point.within_goal ? Text::tr("within the goal") : Text::tr("measuring");
}

// In the words of the report.
QString final_state(const StimulusRun& run, const StimulusPoint& point, const SamplerOptions& sampling) {
  const bool of_direction = sampling.goal_of != GoalOf::each_stimulus &&
                            (run.stopped_because == StopReason::goal || run.stopped_because == StopReason::fallback ||
                             run.stopped_because == StopReason::undecidable);
  const QString why = of_direction ? Text::tr("measured") : translated(stop_in_words(run.stopped_because, sampling));
  if (run.measurements.empty()) return Text::tr("not measured, %1").arg(why);
  if (point.scores.empty()) return Text::tr("no score, %1").arg(why);
  return why + (point.conditional ? Text::tr("; conditional, see Not scored") : QString());
}

// Which impairments were named, the most frequent first: "coding in 5 of 5, loss in 2".
QString impairments_words(const StimulusRun& run) {
  std::vector<std::pair<std::size_t, Impairment>> counts;
  std::size_t diagnosed = 0;
  for (const Measurement& one : run.measurements) diagnosed += one.findings ? 1 : 0;
  for (const Impairment impairment : kAllImpairments) {
    const auto names_it = [impairment](const Measurement& one) {
      return one.findings && std::ranges::find(one.findings->impairments, impairment, &ImpairmentFinding::impairment) !=
                                 one.findings->impairments.end();
    };
    const auto count = static_cast<std::size_t>(std::ranges::count_if(run.measurements, names_it));
    if (count > 0) counts.emplace_back(count, impairment);
  }
  if (diagnosed == 0) return u"–"_s;
  if (counts.empty()) return Text::tr("nothing");
  std::ranges::stable_sort(counts, std::ranges::greater(), &std::pair<std::size_t, Impairment>::first);
  QStringList words;
  for (const auto& [count, impairment] : counts) {
    const QString name = impairment_words(impairment);
    words += words.isEmpty() ? Text::tr("%1 in %2 of %3").arg(name).arg(count).arg(diagnosed)
                             : Text::tr("%1 in %2").arg(name).arg(count);
  }
  return words.join(u", "_s);
}

// The median of `value` over the measurements that have it; nothing if none has it.
template <typename Value>
std::optional<double> median(const StimulusRun& run, Value value) {
  std::vector<double> found;
  for (const Measurement& one : run.measurements) {
    if (const std::optional<double> given = value(one)) found.push_back(*given);
  }
  if (found.empty()) return std::nullopt;
  const auto middle = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2);
  std::ranges::nth_element(found, middle);
  return *middle;
}

QString indices_words(const StimulusRun& run) {
  QStringList lines;
  const auto line = [&](const QString& name, std::optional<double> value, const QString& unit, int digits) {
    if (value) lines += name + u": "_s + number_words(*value, digits) + u" "_s + unit;
  };
  const auto finding = [&](double MeasurementFindings::*field, double factor = 1) {
    return median(run, [field, factor](const Measurement& one) {
      return one.findings ? std::optional(factor * (*one.findings).*field) : std::nullopt;
    });
  };
  line(Text::tr("Band from"), finding(&MeasurementFindings::band_low_hz), u"Hz"_s, 0);
  line(Text::tr("Band to"), finding(&MeasurementFindings::band_high_hz), u"Hz"_s, 0);
  line(Text::tr("Loudness lost to the band"), finding(&MeasurementFindings::band_loudness_lost, 100), u"%"_s, 0);
  line(Text::tr("Speech missing at the front"), finding(&MeasurementFindings::missing_front_ms), u"ms"_s, 0);
  line(Text::tr("Speech missing in the middle"), finding(&MeasurementFindings::missing_middle_ms), u"ms"_s, 0);
  line(Text::tr("Speech missing at the end"), finding(&MeasurementFindings::missing_tail_ms), u"ms"_s, 0);
  line(Text::tr("Level within the stimulus moves by"), finding(&MeasurementFindings::level_range_db), u"dB"_s, 1);
  line(Text::tr("Level through the line"), median(run, [](const Measurement& one) { return one.level_difference_db; }),
       u"dB"_s, 1);
  line(Text::tr("Delay"), median(run, [](const Measurement& one) { return one.delay_ms; }), u"ms"_s, 0);
  line(Text::tr("Clock drift"), median(run, [](const Measurement& one) { return one.clock_drift_ppm; }), u"ppm"_s, 1);
  if (!lines.isEmpty()) lines.prepend(Text::tr("The middle one of its measurements:"));
  return lines.join(u'\n');
}

}  // namespace

RunModel::RunModel(QObject* parent) : QAbstractTableModel(parent) {}

void RunModel::update(const RunResults& results, bool over) {
  std::vector<Row> rows;
  std::vector<DirectionPlot> plots;
  std::size_t measured = 0;
  std::size_t scored = 0;
  for (const DirectionRun& direction : results.directions) {
    plots.push_back(plot_of(direction, results.sampling, over, results.mode));
    for (std::size_t i = 0; i < direction.stimuli.size(); ++i) {
      const StimulusRun& run = direction.stimuli[i];
      const StimulusPoint& point = plots.back().points[i];
      rows.push_back({direction.from, point, impairments_words(run), indices_words(run),
                      over ? final_state(run, point, results.sampling) : running_state(point)});
      measured += run.measurements.size();
      scored += point.scores.size();
    }
  }
  if (std::exchange(mode_, results.mode) != results.mode) emit headerDataChanged(Qt::Horizontal, kMean, kMean);
  measured_ = measured;
  scored_ = scored;
  plots_ = std::move(plots);
  if (same_shape(rows)) {
    rows_ = std::move(rows);
    if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
  } else {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
  }
  emit changed();
}

void RunModel::clear() {
  update(RunResults{}, false);
}

bool RunModel::same_shape(const std::vector<Row>& rows) const {
  return std::equal(rows.begin(), rows.end(), rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
    return a.from == b.from && a.point.stimulus == b.point.stimulus;
  });
}

int RunModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RunModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QString RunModel::text(const Row& row, int column) const {
  switch (column) {
    case kDirection:
      return direction_label(row.from);
    case kStimulus:
      return row.point.stimulus;
    case kMean:
      return mos_words(row.point.mean);
    case kHalfWidth:
      return row.point.half_width ? half_width_words(row.point.half_width, mode_) +
                                        u" (%1)"_s.arg(confidence_words(row.point.confidence))
                                  : u"–"_s;
    case kScored:
      return QString::number(row.point.scores.size());
    case kNotScored:
      return QString::number(row.point.not_scored);
    case kFindings:
      return row.findings;
    case kState:
      return row.state;
    default:
      return {};
  }
}

QVariant RunModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || !checkIndex(index)) return {};
  const bool is_number = index.column() >= kMean && index.column() <= kNotScored;
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue((is_number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) return rows_[static_cast<std::size_t>(index.row())].indices;
  if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
  return text(rows_[static_cast<std::size_t>(index.row())], index.column());
}

QVariant RunModel::headerData(int section, Qt::Orientation orientation, int role) const {
  const std::array<QString, kColumns> titles{
      tr("Direction"),         tr("Stimulus"), tr("Mean %1").arg(scale_words(mode_)),
      tr("Repeatability"),     tr("Scored"),   tr("Not scored"),
      tr("Impairments found"), tr("State")};
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= kColumns) return {};
  return titles[static_cast<std::size_t>(section)];
}

}  // namespace vqas::app
