#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "model/kept_run.h"

namespace vqas::app {

/// The runs of a folder as a table.
class KeptRunsModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kStarted, kSite, kCircuit, kLine, kAToB, kBToA, kScored, kState, kNotes, kColumns };
  /// All that a search looks at, as one text.
  static constexpr int kSearchedRole = Qt::UserRole;
  /// What a row is sorted by: a date is a date, however it is written.
  static constexpr int kSortedRole = Qt::UserRole + 1;

  explicit KeptRunsModel(QObject* parent = nullptr);

  void set_runs(std::vector<KeptRun> runs);
  /// The run in this row, which must be one.
  const KeptRun& run(int row) const { return runs_.at(static_cast<std::size_t>(row)); }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  static QString text(const KeptRun& run, int column);

  std::vector<KeptRun> runs_;
};

}  // namespace vqas::app
