#include "model/kept_runs_model.h"

#include <QLocale>
#include <array>
#include <utility>

#include "model/elsewhere/stored_runs.h"
#include "model/phrases.h"
#include "model/text.h"
#include "model/words.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

QString mean_words(const std::optional<DirectionSummary>& summary, ScoreMode mode) {
  if (!summary) return u"–"_s;
  if (summary->mean.strata == 0) return Text::tr("no score");
  QString words = mos_words(summary->mean.mean);
  // The scale of the others stands in the heading.
  if (mode == ScoreMode::wideband) words += u" LQOW"_s;
  const QString width = half_width_words(summary->mean.half_width, mode);
  if (!width.isEmpty()) words += u" %1 (%2)"_s.arg(width, confidence_words(summary->mean.confidence));
  return summary->conditional ? words + Text::tr(", conditional") : words;
}

}  // namespace

KeptRunsModel::KeptRunsModel(QObject* parent) : QAbstractTableModel(parent) {}

void KeptRunsModel::set_runs(std::vector<KeptRun> runs) {
  beginResetModel();
  runs_ = std::move(runs);
  endResetModel();
}

int KeptRunsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(runs_.size());
}

int KeptRunsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QString KeptRunsModel::text(const KeptRun& run, int column) {
  switch (column) {
    case kStarted:
      return run.started.isValid() ? run.started.toLocalTime().toString(date_format()) : u"–"_s;
    case kSite:
      return run.site;
    case kCircuit:
      return run.circuit;
    case kLine:
      return translated(run.line);
    case kAToB:
      return mean_words(run.directions[0], run.mode);
    case kBToA:
      return mean_words(run.directions[1], run.mode);
    case kScored:
      return tr("%1 of %2").arg(run.scored).arg(run.measured);
    case kState:
      return translated(run.state_words);
    case kNotes:
      return run.notes;
    default:
      return {};
  }
}

QVariant KeptRunsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || !checkIndex(index)) return {};
  const KeptRun& one = run(index.row());
  if (role == Qt::ToolTipRole)
    return one.store.isEmpty() ? QString::fromStdString(one.folder.string()) : without_password(one.store);
  if (role == kSearchedRole) {
    QString all;
    for (int column = 0; column < kColumns; ++column) all += text(one, column) + u'\n';
    return all;
  }
  if (role == kSortedRole && index.column() == kStarted) return one.started;
  if (role != kSortedRole && role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
  return text(one, index.column());
}

QVariant KeptRunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  const std::array<QString, kColumns> titles{tr("Started"), tr("Site"),   tr("Circuit"), tr("Line"), tr("A to B"),
                                             tr("B to A"),  tr("Scored"), tr("State"),   tr("Notes")};
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= kColumns) return {};
  return titles[static_cast<std::size_t>(section)];
}

}  // namespace vqas::app
