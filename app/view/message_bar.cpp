#include "view/message_bar.h"

#include <QAbstractTextDocumentLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QTextEdit>
#include <algorithm>
#include <cmath>

#include "model/words.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMostLines = 8;

}  // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), symbol_(new QLabel), text_(new QTextEdit), buttons_(new QHBoxLayout) {
  setObjectName(u"message"_s);
  setFrameShape(QFrame::StyledPanel);
  setBackgroundRole(QPalette::ToolTipBase);
  setForegroundRole(QPalette::ToolTipText);
  setAutoFillBackground(true);
  // Breaks anywhere, so that neither a path nor a fingerprint makes the window wider; can be selected and copied.
  text_->setReadOnly(true);
  text_->setFrameShape(QFrame::NoFrame);
  text_->setTabChangesFocus(true);
  text_->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  text_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  text_->document()->setDocumentMargin(0);
  text_->viewport()->setAutoFillBackground(false);
  text_->setMinimumWidth(text_->fontMetrics().averageCharWidth() * 20);
  QPalette colours = text_->palette();
  colours.setColor(QPalette::Text, colours.color(QPalette::ToolTipText));
  text_->setPalette(colours);
  symbol_->setForegroundRole(QPalette::ToolTipText);
  connect(text_->document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, this,
          &MessageBar::fit_text);
  const int extent = style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, this);
  symbol_->setPixmap(style()->standardIcon(QStyle::SP_MessageBoxWarning, nullptr, this).pixmap(extent));
  auto* layout = new QHBoxLayout(this);
  layout->addWidget(symbol_);
  layout->addWidget(text_, 1);
  layout->addLayout(buttons_);
  in_each_language(this, [this] { write_texts(); });
  hide();
}

void MessageBar::write_texts() {
  if (!message_) return;
  const QString message = message_();
  text_->setPlainText(sentence(message, lines_));
  text_->setToolTip(message);
  setAccessibleName(sentence(message, lines_));
}

void MessageBar::show_message(const Words& message, const std::vector<Choice>& choices, int lines) {
  clear_choices();
  message_ = message;
  lines_ = lines;
  write_texts();
  const auto add = [this](const Words& caption, const std::function<void()>& chosen) {
    auto* button = new QPushButton;
    in_each_language(button, [button, caption] { button->setText(caption()); });
    connect(button, &QPushButton::clicked, this, [this, chosen] {
      hide();
      if (chosen) chosen();
    });
    buttons_->addWidget(button);
    return button;
  };
  for (const Choice& choice : choices) add(choice.text, choice.chosen);
  if (choices.empty()) add([] { return tr("&Dismiss"); }, {});
  show();
  if (!choices.empty()) buttons_->itemAt(0)->widget()->setFocus();
}

QString MessageBar::message() const {
  return text_->toPlainText();
}

void MessageBar::fit_text() {
  const int most = text_->fontMetrics().lineSpacing() * kMostLines;
  text_->setFixedHeight(std::clamp(static_cast<int>(std::ceil(text_->document()->size().height())), 1, most));
}

void MessageBar::clear_choices() {
  while (QLayoutItem* item = buttons_->takeAt(0)) {
    if (QWidget* button = item->widget()) {
      button->hide();
      button->deleteLater();
    }
    delete item;
  }
}

}  // namespace vqas::app
