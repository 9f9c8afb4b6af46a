#include "view/equipment/wiring_picture.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>

#include "view/language.h"
#include "view/plot_style.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr double kMargin = 8, kJack = 5, kLines = 6;

}  // namespace

WiringPicture::WiringPicture(Wiring wiring, QWidget* parent) : QWidget(parent), wiring_(wiring) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  in_each_language(this, [this] {
    setAccessibleName(wiring_ == Wiring::loop
                          ? tr("Picture: a cable from the output of the sound device to its own input")
                          : tr("Picture: a cable from the output of each end to the input of the other end"));
    updateGeometry();
  });
}

double WiringPicture::box_width() const {
  double widest = 0;
  for (const QString& text : {tr("Sound device"), tr("End A"), tr("Output"), tr("Input")})
    widest = std::max(widest, QFontMetricsF(font()).horizontalAdvance(text));
  return widest * 1.1 + 4 * kMargin;
}

QSize WiringPicture::sizeHint() const {
  const double height = fontMetrics().lineSpacing() * kLines + 2 * kMargin;
  const double between = 4.0 * fontMetrics().lineSpacing();
  const double cable = QFontMetricsF(font()).horizontalAdvance(tr("cable")) + 3 * kMargin;
  return {static_cast<int>(std::ceil(wiring_ == Wiring::loop ? box_width() + between + cable + 2 * kMargin
                                                             : 2 * box_width() + between + 2 * kMargin)),
          static_cast<int>(std::ceil(height))};
}

void WiringPicture::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const PlotStyle style = plot_style(palette(), font());
  const double line = fontMetrics().lineSpacing();
  const double box_height = height() - 2 * kMargin;
  const double up = kMargin + 0.42 * box_height, down = kMargin + 0.78 * box_height;

  // A box with its two jacks; the texts stand inside, beside them.
  const auto device = [&](const QRectF& box, const QString& title, bool jacks_right, const QString& upper,
                          const QString& lower) {
    painter.setPen(QPen(style.text, 1.5));
    painter.setBrush(style.background);
    painter.drawRoundedRect(box, 6, 6);
    QFont strong = font();
    strong.setBold(true);
    painter.setFont(strong);
    painter.drawText(box.adjusted(kMargin, kMargin / 2, -kMargin, 0), Qt::AlignHCenter | Qt::AlignTop, title);
    painter.setFont(font());
    const double x = jacks_right ? box.right() : box.left();
    for (const auto& [y, text] : {std::pair{up, upper}, std::pair{down, lower}}) {
      const QRectF place(box.left() + 2 * kMargin, y - line / 2, box.width() - 4 * kMargin, line);
      painter.drawText(place, Qt::AlignVCenter | (jacks_right ? Qt::AlignRight : Qt::AlignLeft), text);
      painter.setBrush(style.text);
      painter.drawEllipse(QPointF(x, y), kJack, kJack);
    }
  };
  const auto cable = [&](const QPainterPath& path, const QColor& colour, QPointF tip, double angle) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, 3));
    painter.drawPath(path);
    painter.save();
    painter.translate(tip);
    painter.rotate(angle);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF{QPointF(0, 0), QPointF(-12, -6), QPointF(-12, 6)});
    painter.restore();
  };

  if (wiring_ == Wiring::loop) {
    const QRectF box(kMargin, kMargin, box_width(), box_height);
    const double right = box.right() + 2.5 * line;
    QPainterPath path(QPointF(box.right() + kJack, up));
    path.cubicTo(right + 1.5 * line, up, right + 1.5 * line, down, box.right() + kJack + 8, down);
    cable(path, style.mean, {box.right() + kJack, down}, 180);
    device(box, tr("Sound device"), true, tr("Output"), tr("Input"));
    painter.setPen(style.text);
    painter.drawText(QRectF(right + line, kMargin, width() - right - line, 2 * (up - kMargin) + down - up),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("cable"));
    return;
  }
  const QRectF left(kMargin, kMargin, box_width(), box_height);
  const QRectF right(width() - kMargin - box_width(), kMargin, box_width(), box_height);
  // Of two colours and two shapes, so that each can be followed.
  QPainterPath there(QPointF(left.right() + kJack, up)), back(QPointF(right.left() - kJack, down));
  there.lineTo(right.left() - kJack - 8, up);
  back.lineTo(left.right() + kJack + 8, down);
  cable(there, style.mean, {right.left() - kJack, up}, 0);
  cable(back, style.overall, {left.right() + kJack, down}, 180);
  device(left, tr("End A"), true, tr("Output"), tr("Input"));
  device(right, tr("End B"), false, tr("Input"), tr("Output"));
}

}  // namespace vqas::app
