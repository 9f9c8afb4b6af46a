#include "model/check_model.h"

#include <algorithm>
#include <array>

#include "model/phrases.h"
#include "model/text.h"
#include "model/words.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

QString verdict_words(const CheckFinding& finding) {
  if (finding.pass) return Text::tr("✓ ok");
  return finding.made() ? Text::tr("✗ look here") : Text::tr("– not measured");
}

}  // namespace

CheckModel::CheckModel(QObject* parent) : QAbstractTableModel(parent) {}

void CheckModel::show_result(const LineCheckResult& result) {
  beginResetModel();
  rows_.clear();
  for (const CheckedDirection& direction : result.directions) {
    for (const CheckFinding& finding : direction.findings) rows_.push_back({direction.from, finding});
  }
  // What needs a hand stands first.
  std::stable_partition(rows_.begin(), rows_.end(),
                        [](const Row& row) { return !row.finding.pass && row.finding.made(); });
  endResetModel();
}

int CheckModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int CheckModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant CheckModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || !checkIndex(index)) return {};
  const auto& [from, finding] = rows_[static_cast<std::size_t>(index.row())];
  if (role == Qt::ToolTipRole) return translated(finding.advice);
  if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
  switch (index.column()) {
    case kVerdict:
      return verdict_words(finding);
    case kDirection:
      return direction_label(from);
    case kItem:
      return translated(finding.name);
    case kValue:
      return translated(value_in_words(finding));
    case kAdvice:
      return translated(finding.advice);
    default:
      return {};
  }
}

QVariant CheckModel::headerData(int section, Qt::Orientation orientation, int role) const {
  const std::array<QString, kColumns> titles{tr("Verdict"), tr("Direction"), tr("Item"), tr("Found"), tr("What to do")};
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= kColumns) return {};
  return titles[static_cast<std::size_t>(section)];
}

QString check_words(const LineCheckResult& result) {
  if (result.error) return told(result.error->message);
  if (result.passed) return Text::tr("The line is ready");
  std::size_t items = 0, failed = 0;
  for (const CheckedDirection& direction : result.directions) {
    items += direction.findings.size();
    failed += static_cast<std::size_t>(std::ranges::count_if(
        direction.findings, [](const CheckFinding& finding) { return !finding.pass && finding.made(); }));
  }
  if (failed == 0) return Text::tr("Not everything could be measured: see what to do");
  return Text::tr("%1 of %2 items need a look: see what to do").arg(failed).arg(items);
}

}  // namespace vqas::app
