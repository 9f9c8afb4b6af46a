#include "model/measurements_model.h"

#include <QStringList>
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "model/phrases.h"
#include "model/text.h"
#include "model/words.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

QString impairments_words(const Measurement& one) {
  if (!one.findings) return u"–"_s;
  QStringList words;
  for (const ImpairmentFinding& finding : one.findings->impairments) words += impairment_words(finding.impairment);
  return words.isEmpty() ? Text::tr("nothing") : words.join(u", "_s);
}

MeasurementsModel::Row row_of(const Measurement& one, const StimulusRun& stimulus, End from) {
  MeasurementsModel::Row row;
  row.sequence = one.sequence;
  row.from = from;
  row.stimulus = QString::fromStdString(stimulus.stimulus);
  row.mos = mos_words(one.mos_lqo);
  row.delay = one.delay_ms ? Text::tr("%1 ms").arg(number_words(*one.delay_ms, 0)) : u"–"_s;
  row.impairments = impairments_words(one);
  row.outcome = outcome_words(one.outcome);
  row.reason = translated(one.reason.empty() ? one.note : one.reason);
  row.scored = one.outcome == Outcome::scored;
  row.recording = one.recording;
  return row;
}

}  // namespace

MeasurementsModel::MeasurementsModel(QObject* parent) : QAbstractTableModel(parent) {}

void MeasurementsModel::update(const RunResults& results) {
  if (std::exchange(mode_, results.mode) != results.mode) emit headerDataChanged(Qt::Horizontal, kMos, kMos);
  using Key = std::pair<End, std::uint32_t>;
  std::map<Key, Row> fresh;
  for (const DirectionRun& direction : results.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements)
        fresh.insert_or_assign({direction.from, one.sequence}, row_of(one, stimulus, direction.from));
    }
  }
  const auto is_kept = [&fresh](const Row& row) { return fresh.contains({row.from, row.sequence}); };
  if (!std::ranges::all_of(rows_, is_kept)) clear();
  bool changed = false;
  for (Row& row : rows_) {
    const auto now = fresh.find({row.from, row.sequence});
    changed = changed || row != now->second;
    row = std::move(now->second);
    fresh.erase(now);
  }
  if (changed) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
  if (fresh.empty()) return;
  std::vector<Row> added;
  added.reserve(fresh.size());
  for (auto& [key, row] : fresh) added.push_back(std::move(row));
  std::ranges::stable_sort(added, {}, &Row::sequence);
  beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(added.size()) - 1);
  std::ranges::move(added, std::back_inserter(rows_));
  endInsertRows();
}

void MeasurementsModel::clear() {
  if (rows_.empty()) return;
  beginResetModel();
  rows_.clear();
  endResetModel();
}

int MeasurementsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int MeasurementsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant MeasurementsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || !checkIndex(index)) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  if (role == Qt::ToolTipRole) return row.reason;
  if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
  switch (index.column()) {
    case kNumber:
      return row.sequence;
    case kDirection:
      return direction_label(row.from);
    case kStimulus:
      return row.stimulus;
    case kMos:
      return row.mos;
    case kDelay:
      return row.delay;
    case kImpairments:
      return row.impairments;
    case kOutcome:
      return row.outcome;
    case kReason:
      return row.reason;
    default:
      return {};
  }
}

QVariant MeasurementsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  const std::array<QString, kColumns> titles{
      tr("No."),   tr("Direction"),         tr("Stimulus"),      scale_words(mode_),
      tr("Delay"), tr("Impairments found"), tr("What happened"), tr("Why, and what helps")};
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= kColumns) return {};
  return titles[static_cast<std::size_t>(section)];
}

UnscoredModel::UnscoredModel(MeasurementsModel& all, QObject* parent) : QSortFilterProxyModel(parent), all_(all) {
  setSourceModel(&all);
}

bool UnscoredModel::filterAcceptsRow(int row, const QModelIndex& /*parent*/) const {
  return !all_.row(row).scored;
}

bool UnscoredModel::filterAcceptsColumn(int column, const QModelIndex& /*parent*/) const {
  return column != MeasurementsModel::kMos && column != MeasurementsModel::kDelay &&
         column != MeasurementsModel::kImpairments;
}

}  // namespace vqas::app
