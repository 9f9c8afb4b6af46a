#include "model/kept_runs_model.h"

#include <QLocale>
#include <array>
#include <utility>

#include "model/words.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

QString mean_words(const std::optional<DirectionSummary>& summary) {
  if (!summary) return u"–"_s;
  if (summary->mean.strata == 0) return u"no score"_s;
  QString words = mos_words(summary->mean.mean);
  const QString width = half_width_words(summary->mean.half_width);
  if (!width.isEmpty()) words += u" %1 (%2)"_s.arg(width, confidence_words(summary->mean.confidence));
  return summary->conditional ? words + u", conditional"_s : words;
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
      return run.started.isValid() ? run.started.toLocalTime().toString(u"yyyy-MM-dd HH:mm"_s) : u"–"_s;
    case kSite:
      return run.site;
    case kCircuit:
      return run.circuit;
    case kLine:
      return run.line;
    case kAToB:
      return mean_words(run.directions[0]);
    case kBToA:
      return mean_words(run.directions[1]);
    case kScored:
      return u"%1 of %2"_s.arg(run.scored).arg(run.measured);
    case kState:
      return run.state_words;
    case kNotes:
      return run.notes;
    default:
      return {};
  }
}

QVariant KeptRunsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || !checkIndex(index)) return {};
  const KeptRun& one = run(index.row());
  if (role == Qt::ToolTipRole) return QString::fromStdString(one.folder.string());
  if (role == kSearchedRole) {
    QString all;
    for (int column = 0; column < kColumns; ++column) all += text(one, column) + u'\n';
    return all;
  }
  if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole) return {};
  return text(one, index.column());
}

QVariant KeptRunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  static const std::array<QString, kColumns> titles{u"Started"_s, u"Site"_s,   u"Circuit"_s, u"Line"_s, u"A to B"_s,
                                                    u"B to A"_s,  u"Scored"_s, u"State"_s,   u"Notes"_s};
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= kColumns) return {};
  return titles[static_cast<std::size_t>(section)];
}

}  // namespace vqas::app
