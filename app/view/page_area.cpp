#include "view/page_area.h"

#include <QEvent>
#include <QLayout>
#include <QScrollBar>
#include <algorithm>

namespace vqas::app {

namespace {

constexpr int kLeastRows = 8;  // of text in a column that scrolls

void fill_with(QScrollArea& area, QWidget* content) {
  area.setWidget(content);
  area.setWidgetResizable(true);
  area.setFrameShape(QFrame::NoFrame);
  area.setFocusPolicy(Qt::NoFocus);  // its fields have the focus, and are scrolled into sight
}

}  // namespace

int Page::heightForWidth(int width) const {
  return layout() == nullptr ? -1 : layout()->totalMinimumHeightForWidth(width);
}

PageArea::PageArea(Page* page) {
  fill_with(*this, page);
}

ColumnArea::ColumnArea(QWidget* column) {
  fill_with(*this, column);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
  column->installEventFilter(this);
}

QSize ColumnArea::minimumSizeHint() const {
  return {
      std::max(widget()->minimumSizeHint().width(), widget()->minimumWidth()) + verticalScrollBar()->sizeHint().width(),
      fontMetrics().lineSpacing() * kLeastRows};
}

QSize ColumnArea::sizeHint() const {
  return {minimumSizeHint().width(), std::max(minimumSizeHint().height(), widget()->sizeHint().height())};
}

bool ColumnArea::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::LayoutRequest) updateGeometry();
  return QScrollArea::eventFilter(watched, event);
}

}  // namespace vqas::app
