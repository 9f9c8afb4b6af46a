#include "model/run_model.h"

#include <algorithm>
#include <array>

#include "model/words.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

QString running_state(const StimulusPoint& point) {
  if (point.scores.empty()) return point.not_scored == 0 ? u"waiting"_s : u"no score yet"_s;
  return point.precise ? u"within the goal"_s : u"measuring"_s;
}

QString final_state(const StimulusRun& run, const StimulusPoint& point) {
  if (run.measurements.empty()) return u"not measured, "_s + stop_words(run.stopped_because);
  if (point.scores.empty()) return u"no score, "_s + stop_words(run.stopped_because);
  return stop_words(run.stopped_because) + (point.conditional ? u"; conditional, see Not scored"_s : QString());
}

}  // namespace

RunModel::RunModel(QObject* parent) : QAbstractTableModel(parent) {}

void RunModel::update(const RunResults& results, bool over) {
  std::vector<Row> rows;
  std::vector<DirectionPlot> plots;
  std::size_t measured = 0;
  std::size_t scored = 0;
  for (const DirectionRun& direction : results.directions) {
    plots.push_back(plot_of(direction, results.sampling));
    for (std::size_t i = 0; i < direction.stimuli.size(); ++i) {
      const StimulusRun& run = direction.stimuli[i];
      const StimulusPoint& point = plots.back().points[i];
      rows.push_back({plots.back().title, point, over ? final_state(run, point) : running_state(point)});
      measured += run.measurements.size();
      scored += point.scores.size();
    }
  }
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
    return a.direction == b.direction && a.point.stimulus == b.point.stimulus;
  });
}

int RunModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RunModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QString RunModel::text(const Row& row, int column) {
  switch (column) {
    case kDirection:
      return row.direction;
    case kStimulus:
      return row.point.stimulus;
    case kMean:
      return mos_words(row.point.mean);
    case kHalfWidth:
      return row.point.half_width
                 ? half_width_words(row.point.half_width) + u" (%1)"_s.arg(confidence_words(row.point.confidence))
                 : u"–"_s;
    case kScored:
      return QString::number(row.point.scores.size());
    case kNotScored:
      return QString::number(row.point.not_scored);
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
  if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
  return text(rows_[static_cast<std::size_t>(index.row())], index.column());
}

QVariant RunModel::headerData(int section, Qt::Orientation orientation, int role) const {
  static const std::array<QString, kColumns> titles{
      u"Direction"_s, u"Stimulus"_s, u"Mean MOS-LQON"_s, u"Repeatability"_s, u"Scored"_s, u"Not scored"_s, u"State"_s};
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= kColumns) return {};
  return titles[static_cast<std::size_t>(section)];
}

}  // namespace vqas::app
