#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "vqas/campaign/line_check.h"

namespace vqas::app {

/// The findings of a line check as a checklist, one row each.
class CheckModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kVerdict, kDirection, kItem, kValue, kAdvice, kColumns };

  explicit CheckModel(QObject* parent = nullptr);

  void show_result(const LineCheckResult& result);
  void clear() { show_result({}); }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  struct Row {
    End from = End::a;
    CheckFinding finding;
  };
  std::vector<Row> rows_;
};

/// What a check came to, one sentence: "The line is ready", "2 of 22 items failed: see the advice".
QString check_words(const LineCheckResult& result);

}  // namespace vqas::app
