#pragma once

#include <QTableView>

#include "view/language.h"

namespace vqas::app {

/// A table to read: whole rows are chosen, columns are as wide as their words, and the last one takes what is left of
/// the width. It breaks long words into lines, but is never too narrow for them: then the table scrolls.
class ReadTable : public QTableView {
  Q_OBJECT
 public:
  /// `model` outlives the table.
  ReadTable(QAbstractItemModel& model, const Words& accessible_name, QWidget* parent = nullptr);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void fit();
  void widen_columns();
  void fit_rows_in_sight();
  void fit_last_column();
  void fit_columns();
};

}  // namespace vqas::app
