#pragma once

#include <QWidget>

#include "view/language.h"

class QAbstractItemModel;
class QLabel;
class QStackedLayout;

namespace vqas::app {

class ReadTable;

/// A read-only table, with a sentence in its place while it is empty.
class LogView : public QWidget {
  Q_OBJECT
 public:
  struct Options {
    Words name;            ///< accessible name
    Words empty_text;      ///< shown while there are no rows
    bool follows = false;  ///< keeps the last row in sight
  };

  LogView(QAbstractItemModel& model, const Options& options, QWidget* parent = nullptr);
  /// Replaces the sentence that is shown while there are no rows.
  void set_empty_text(const Words& text);

 private:
  void refresh();

  QAbstractItemModel& model_;
  bool follows_;
  Words empty_text_;
  QLabel* empty_;
  ReadTable* table_;
  QStackedLayout* pages_;
};

}  // namespace vqas::app
