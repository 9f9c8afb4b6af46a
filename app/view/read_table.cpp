#include "view/read_table.h"

#include <QHeaderView>
#include <QScrollBar>
#include <algorithm>

namespace vqas::app {

namespace {

constexpr int kUsualLetters = 36;  // of a sentence in the last column, before it is broken
/// Rows that give a column its width, besides those in sight: a run of hours has thousands.
constexpr int kMeasuredRows = 10;

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
  QHeaderView* const header = horizontalHeader();
  header->setResizeContentsPrecision(kMeasuredRows);
  header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  header->setHighlightSections(false);
  connect(header, &QHeaderView::sectionResized, this, &ReadTable::fit_last_column);
  connect(&model, &QAbstractItemModel::modelReset, this, &ReadTable::fit);
  connect(&model, &QAbstractItemModel::layoutChanged, this, &ReadTable::fit);
  connect(&model, &QAbstractItemModel::rowsInserted, this, &ReadTable::fit);
  connect(&model, &QAbstractItemModel::rowsRemoved, this, &ReadTable::fit);
  connect(&model, &QAbstractItemModel::dataChanged, this, &ReadTable::fit);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &ReadTable::fit);
  // A model has its words in the language of the moment.
  in_each_language(this, [this, accessible_name] {
    setAccessibleName(accessible_name());
    fit_columns();
  });
}

void ReadTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fit();
}

void ReadTable::showEvent(QShowEvent* event) {
  QTableView::showEvent(event);
  fit();
}

// What is not in sight costs nothing; it is fitted when it comes into sight.
void ReadTable::fit() {
  if (!isVisible()) return;
  widen_columns();
  fit_last_column();
  fit_rows_in_sight();
}

// A column never becomes narrower while words come and go.
void ReadTable::widen_columns() {
  QHeaderView& header = *horizontalHeader();
  for (int column = 0; column < model()->columnCount() - 1; ++column) {
    if (header.isSectionHidden(column)) continue;
    const int words = std::max(sizeHintForColumn(column), header.sectionSizeHint(column));
    if (header.sectionSize(column) < words) header.resizeSection(column, words);
  }
}

void ReadTable::fit_rows_in_sight() {
  const int rows = model()->rowCount();
  for (int row = std::max(0, rowAt(0)); row < rows && rowViewportPosition(row) < viewport()->height(); ++row) {
    const int height = std::max(sizeHintForRow(row), verticalHeader()->minimumSectionSize());
    if (rowHeight(row) != height) setRowHeight(row, height);
  }
}

void ReadTable::fit_columns() {
  QHeaderView& header = *horizontalHeader();
  const int columns = model()->columnCount();
  header.headerDataChanged(Qt::Horizontal, 0, columns - 1);
  for (int column = 0; column < columns - 1; ++column) header.resizeSection(column, header.sectionSizeHint(column));
  fit();
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
  fit_rows_in_sight();
}

}  // namespace vqas::app
