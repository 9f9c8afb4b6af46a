#include "model/outcome_log_model.h"

#include <algorithm>
#include <array>

#include "model/words.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

OutcomeLogModel::OutcomeLogModel(QObject* parent) : QAbstractTableModel(parent) {}

void OutcomeLogModel::update(const RunResults& results) {
  std::vector<Row> all;
  for (const DirectionRun& direction : results.directions) {
    const QString way = direction_label(direction.from);
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& measurement : stimulus.measurements) {
        if (measurement.outcome == Outcome::scored) continue;
        all.push_back({measurement.sequence, way, QString::fromStdString(stimulus.stimulus),
                       outcome_words(measurement.outcome), QString::fromStdString(measurement.reason)});
      }
    }
  }
  const auto is_in = [](const std::vector<Row>& rows, const Row& row) {
    return std::find(rows.begin(), rows.end(), row) != rows.end();
  };
  if (!std::all_of(rows_.begin(), rows_.end(), [&](const Row& row) { return is_in(all, row); })) clear();
  std::vector<Row> fresh;
  std::copy_if(all.begin(), all.end(), std::back_inserter(fresh), [&](const Row& row) { return !is_in(rows_, row); });
  if (fresh.empty()) return;
  std::stable_sort(fresh.begin(), fresh.end(), [](const Row& a, const Row& b) { return a.sequence < b.sequence; });
  beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(fresh.size()) - 1);
  std::move(fresh.begin(), fresh.end(), std::back_inserter(rows_));
  endInsertRows();
}

void OutcomeLogModel::clear() {
  if (rows_.empty()) return;
  beginResetModel();
  rows_.clear();
  endResetModel();
}

int OutcomeLogModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int OutcomeLogModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant OutcomeLogModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || !checkIndex(index)) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  if (role == Qt::ToolTipRole) return row.reason;
  if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
  switch (index.column()) {
    case kNumber:
      return row.sequence;
    case kDirection:
      return row.direction;
    case kStimulus:
      return row.stimulus;
    case kOutcome:
      return row.outcome;
    case kReason:
      return row.reason;
    default:
      return {};
  }
}

QVariant OutcomeLogModel::headerData(int section, Qt::Orientation orientation, int role) const {
  static const std::array<QString, kColumns> titles{u"No."_s, u"Direction"_s, u"Stimulus"_s, u"What happened"_s,
                                                    u"Why, and what helps"_s};
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= kColumns) return {};
  return titles[static_cast<std::size_t>(section)];
}

}  // namespace vqas::app
