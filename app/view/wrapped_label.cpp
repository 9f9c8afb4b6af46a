#include "view/wrapped_label.h"

#include <QEvent>
#include <QPainter>
#include <QTextLayout>
#include <algorithm>

namespace vqas::app {

namespace {

constexpr int kUsualLetters = 30, kLeastLetters = 8;

}  // namespace

WrappedLabel::WrappedLabel(int most_lines, QWidget* parent) : QLabel(parent), most_lines_(most_lines) {
  setTextFormat(Qt::PlainText);
  setWordWrap(true);  // otherwise QLabel resets the policy that the height depends on the width
}

void WrappedLabel::show_text(const QString& text) {
  words_ = {};
  write(text);
}

void WrappedLabel::show_text(const Words& words) {
  words_ = words;
  write(words_());
}

void WrappedLabel::write(const QString& text) {
  setText(text);
  setToolTip(text);
}

void WrappedLabel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange && words_) write(words_());
  QLabel::changeEvent(event);
}

QSize WrappedLabel::sizeHint() const {
  const int width = fontMetrics().averageCharWidth() * kUsualLetters;
  return {width, heightForWidth(width)};
}

QSize WrappedLabel::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * kLeastLetters, fontMetrics().lineSpacing()};
}

int WrappedLabel::heightForWidth(int width) const {
  return static_cast<int>(std::max<qsizetype>(1, lines(width).size())) * fontMetrics().lineSpacing();
}

QStringList WrappedLabel::all_lines(int width) const {
  QStringList found;
  // A number stays with its unit.
  for (const QString& paragraph : text().replace(QStringLiteral(" %"), QStringLiteral("\u00A0%")).split(u'\n')) {
    QTextLayout layout(paragraph, font());
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
      line.setLineWidth(width);
      found.append(paragraph.mid(line.textStart(), line.textLength()).trimmed());
    }
    layout.endLayout();
  }
  return found;
}

QStringList WrappedLabel::lines(int width) const {
  QStringList found = all_lines(width);
  if (found.size() <= most_lines_) return found;
  found.resize(most_lines_);
  found.back() = fontMetrics().elidedText(found.back() + QStringLiteral(" …"), Qt::ElideRight, width);
  if (!found.back().endsWith(u'…')) found.back() += u'…';
  return found;
}

bool WrappedLabel::is_cut() const {
  const qsizetype needed = all_lines(width()).size();
  return needed > most_lines_ || needed * fontMetrics().lineSpacing() > height();
}

void WrappedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(palette().color(isEnabled() ? QPalette::Normal : QPalette::Disabled, foregroundRole()));
  const QStringList rows = lines(width());
  const int spacing = fontMetrics().lineSpacing();
  int top = 0;
  if (alignment().testFlag(Qt::AlignVCenter)) top = (height() - spacing * static_cast<int>(rows.size())) / 2;
  const Qt::Alignment side = alignment() & Qt::AlignHorizontal_Mask;
  for (const QString& row : rows) {
    painter.drawText(QRect(0, std::max(0, top), width(), spacing), static_cast<int>(side | Qt::AlignVCenter), row);
    top += spacing;
  }
}

}  // namespace vqas::app
