#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <vector>

#include "vqas/run/run.h"

namespace vqas::app {

/// The measurements of a run that have no score, one row each, in plain words. Gets the results as they grow; for the
/// thread of its views.
class OutcomeLogModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kNumber, kDirection, kStimulus, kOutcome, kReason, kColumns };

  explicit OutcomeLogModel(QObject* parent = nullptr);

  /// Shows the measurements in `results` without a score, by direction and in order of arrival. Existing rows stay; new
  /// ones are added at the end.
  void update(const RunResults& results);
  void clear();

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  struct Row {
    std::uint32_t sequence = 0;
    QString direction, stimulus, outcome, reason;
    bool operator==(const Row&) const = default;
  };
  std::vector<Row> rows_;
};

}  // namespace vqas::app
