#include "view/read_table.h"

#include <QHeaderView>
#include <algorithm>

namespace vqas::app {

namespace {

constexpr int kUsualLetters = 36;  // of a sentence in the last column, before it is broken

}  // namespace

ReadTable::ReadTable(QAbstractItemModel& model, const Words& accessible_name, QWidget* parent) : QTableView(parent) {
  setModel(&model);
  setSelectionBehavior(SelectRows);
  setEditTriggers(NoEditTriggers);
  setHorizontalScrollMode(ScrollPerPixel);
  setAlternatingRowColors(true);
  setTabKeyNavigation(false);
  setShowGrid(false);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  QHeaderView* const header = horizontalHeader();
  header->setSectionResizeMode(QHeaderView::ResizeToContents);
  header->setSectionResizeMode(model.columnCount() - 1, QHeaderView::Interactive);
  header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  header->setHighlightSections(false);
  connect(header, &QHeaderView::sectionResized, this, &ReadTable::fit_last_column);
  connect(&model, &QAbstractItemModel::modelReset, this, &ReadTable::fit_last_column);
  connect(&model, &QAbstractItemModel::rowsInserted, this, &ReadTable::fit_last_column);
  connect(&model, &QAbstractItemModel::dataChanged, this, &ReadTable::fit_last_column);
  // A model has its words in the language of the moment.
  in_each_language(this, [this, accessible_name] {
    setAccessibleName(accessible_name());
    fit_columns();
  });
}

void ReadTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fit_last_column();
}

void ReadTable::fit_columns() {
  horizontalHeader()->headerDataChanged(Qt::Horizontal, 0, model()->columnCount() - 1);
  resizeColumnsToContents();
  fit_last_column();
  viewport()->update();
}

void ReadTable::fit_last_column() {
  QHeaderView& header = *horizontalHeader();
  const int last = model()->columnCount() - 1;
  const int others = header.length() - header.sectionSize(last);
  const int words = std::min(sizeHintForColumn(last), fontMetrics().averageCharWidth() * kUsualLetters);
  const int wanted = std::max({viewport()->width() - others, words, header.sectionSizeHint(last)});
  if (header.sectionSize(last) == wanted) return;
  header.resizeSection(last, wanted);
  resizeRowsToContents();
}

}  // namespace vqas::app
