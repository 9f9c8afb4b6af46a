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

MeasurementsModel::Seen seen_of(const Measurement& one) {
  return {one.outcome, one.mos_lqo, one.delay_ms, one.recording, one.reason, one.note};
}

}  // namespace

MeasurementsModel::MeasurementsModel(QObject* parent) : QAbstractTableModel(parent) {}

void MeasurementsModel::update(const RunResults& results) {
  const QString language_before = language_;
  if (std::exchange(mode_, results.mode) != results.mode) emit headerDataChanged(Qt::Horizontal, kMos, kMos);
  language_ = Text::tr("en", "code of this language");
  const bool reworded = language_ != language_before;
  std::vector<std::pair<Row, Seen>> added;
  std::map<std::pair<End, std::uint32_t>, std::size_t> fresh;  // places in `added`
  std::size_t kept = 0;
  int first_changed = rowCount(), last_changed = -1;
  for (const DirectionRun& direction : results.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) {
        Seen seen = seen_of(one);
        const auto known = places_.find({direction.from, one.sequence});
        if (known == places_.end()) {
          // The later one of two with a number replaces the other.
          const auto [place, is_new] = fresh.try_emplace({direction.from, one.sequence}, added.size());
          std::pair made(row_of(one, stimulus, direction.from), std::move(seen));
          if (is_new)
            added.push_back(std::move(made));
          else
            added[place->second] = std::move(made);
          continue;
        }
        ++kept;
        const std::size_t place = known->second;
        if (!reworded && seen_[place] == seen) continue;
        rows_[place] = row_of(one, stimulus, direction.from);
        seen_[place] = std::move(seen);
        first_changed = std::min(first_changed, static_cast<int>(place));
        last_changed = std::max(last_changed, static_cast<int>(place));
      }
    }
  }
  if (kept < rows_.size()) {  // another run
    clear();
    return update(results);
  }
  if (last_changed >= 0) emit dataChanged(index(first_changed, 0), index(last_changed, kColumns - 1));
  if (added.empty()) return;
  std::ranges::stable_sort(added, {}, [](const auto& one) { return one.first.sequence; });
  beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(added.size()) - 1);
  for (auto& [row, seen] : added) {
    places_[{row.from, row.sequence}] = rows_.size();
    rows_.push_back(std::move(row));
    seen_.push_back(std::move(seen));
  }
  endInsertRows();
}

void MeasurementsModel::clear() {
  if (rows_.empty()) return;
  beginResetModel();
  rows_.clear();
  seen_.clear();
  places_.clear();
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
