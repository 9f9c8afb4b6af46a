#include "view/message_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>

#include "model/words.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), symbol_(new QLabel), text_(new QLabel), buttons_(new QHBoxLayout) {
  setObjectName(u"message"_s);
  setFrameShape(QFrame::StyledPanel);
  setBackgroundRole(QPalette::ToolTipBase);
  setForegroundRole(QPalette::ToolTipText);
  setAutoFillBackground(true);
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  for (QLabel* label : {symbol_, text_}) label->setForegroundRole(QPalette::ToolTipText);
  const int extent = style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, this);
  symbol_->setPixmap(style()->standardIcon(QStyle::SP_MessageBoxWarning, nullptr, this).pixmap(extent));
  auto* layout = new QHBoxLayout(this);
  layout->addWidget(symbol_);
  layout->addWidget(text_, 1);
  layout->addLayout(buttons_);
  hide();
}

void MessageBar::show_message(const QString& message, const std::vector<Choice>& choices) {
  clear_choices();
  text_->setText(sentence(message));
  text_->setToolTip(message);
  setAccessibleName(sentence(message));
  const auto add = [this](const QString& caption, const std::function<void()>& chosen) {
    auto* button = new QPushButton(caption);
    connect(button, &QPushButton::clicked, this, [this, chosen] {
      hide();
      if (chosen) chosen();
    });
    buttons_->addWidget(button);
    return button;
  };
  for (const Choice& choice : choices) add(choice.text, choice.chosen);
  if (choices.empty()) add(u"&Dismiss"_s, {});
  show();
  if (!choices.empty()) buttons_->itemAt(0)->widget()->setFocus();
}

QString MessageBar::message() const {
  return text_->text();
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
