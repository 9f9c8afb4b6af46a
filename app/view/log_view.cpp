#include "view/log_view.h"

#include <QAbstractItemModel>
#include <QLabel>
#include <QStackedLayout>

#include "view/read_table.h"

namespace vqas::app {

LogView::LogView(QAbstractItemModel& model, const Options& options, QWidget* parent)
    : QWidget(parent),
      model_(model),
      follows_(options.follows),
      empty_text_(options.empty_text),
      empty_(new QLabel),
      table_(new ReadTable(model, options.name)),
      pages_(new QStackedLayout(this)) {
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  empty_->setForegroundRole(QPalette::PlaceholderText);
  pages_->addWidget(empty_);
  pages_->addWidget(table_);
  connect(&model, &QAbstractItemModel::rowsInserted, this, &LogView::refresh);
  connect(&model, &QAbstractItemModel::rowsRemoved, this, &LogView::refresh);
  connect(&model, &QAbstractItemModel::modelReset, this, &LogView::refresh);
  in_each_language(this, [this] { empty_->setText(empty_text_()); });
  refresh();
}

void LogView::set_empty_text(const Words& text) {
  empty_text_ = text;
  empty_->setText(empty_text_());
}

void LogView::refresh() {
  const bool empty = model_.rowCount() == 0;
  pages_->setCurrentWidget(empty ? static_cast<QWidget*>(empty_) : table_);
  if (!empty && follows_) table_->scrollToBottom();
}

}  // namespace vqas::app
