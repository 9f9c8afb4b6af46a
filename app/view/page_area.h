#pragma once

#include <QScrollArea>
#include <QWidget>

namespace vqas::app {

/// A page of the window. It needs no more height than its smallest layout for its width.
class Page : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;
  int heightForWidth(int width) const override;
};

/// Room for a page in a window of any size: what does not fit is scrolled to, never cut off.
class PageArea : public QScrollArea {
  Q_OBJECT
 public:
  explicit PageArea(Page* page);
  Page* page() const { return static_cast<Page*>(widget()); }
};

/// A column that scrolls up and down, and is never narrower than what it holds.
class ColumnArea : public QScrollArea {
  Q_OBJECT
 public:
  explicit ColumnArea(QWidget* column);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace vqas::app
