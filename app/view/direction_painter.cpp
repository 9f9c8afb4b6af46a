#include "view/direction_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "model/words.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr double kLowestMos = 1.0;    // scale of ITU-T P.862.1
constexpr double kHighestMos = 4.55;  // rounded upper end of that scale
constexpr double kBeyond = 0.25;      // MOS drawn beyond each end, for intervals that reach there

// All pixels are device-independent.
constexpr double kMargin = 8;
constexpr double kDiscRadius = 4.5;
constexpr double kDotRadius = 1.8;
constexpr double kCrossRadius = 3.5;
constexpr double kWidestColumn = 90;

class DirectionPainter {
 public:
  DirectionPainter(QPainter& painter, const QRectF& bounds, const DirectionPlot& plot, const PlotStyle& style)
      : painter_(painter), bounds_(bounds), plot_(plot), style_(style), metrics_(style.font) {
    const double line = metrics_.height();
    const double left = metrics_.horizontalAdvance(u"4.55"_s) + 2 * kMargin;
    scale_ = bounds.adjusted(left, 1.8 * line, -kMargin, -(4 * line + 2 * kMargin));
  }

  void paint() {
    painter_.fillRect(bounds_, style_.background);
    painter_.setFont(style_.font);
    if (scale_.width() < 20 || scale_.height() < 20) return;  // nothing can be read on less
    paint_scale();
    if (plot_.points.empty()) return paint_invitation();
    paint_overall();
    for (std::size_t i = 0; i < plot_.points.size(); ++i) paint_column(plot_.points[i], centre_of(i));
  }

 private:
  double y_of(double mos) const {
    return scale_.bottom() - (mos - kLowestMos + kBeyond) / (kHighestMos - kLowestMos + 2 * kBeyond) * scale_.height();
  }

  double column_width() const {
    return std::min(scale_.width() / static_cast<double>(std::max<std::size_t>(plot_.points.size(), 1)), kWidestColumn);
  }

  double centre_of(std::size_t column) const {
    return std::round(scale_.left() + (static_cast<double>(column) + 0.5) * column_width());
  }

  void paint_scale() {
    painter_.setPen(style_.faint);
    const QRectF top(QPointF(bounds_.left() + kMargin, bounds_.top()),
                     QSizeF(scale_.right() - bounds_.left() - kMargin, 1.2 * metrics_.height()));
    painter_.drawText(top, Qt::AlignLeft | Qt::AlignVCenter, u"MOS-LQON"_s);
    const QString key = u"●  mean    ○  mean of what was scored    - -  mean of the direction"_s;
    const double left_over = top.width() - 2 * metrics_.horizontalAdvance(u"MOS-LQON"_s);
    if (!plot_.points.empty() && metrics_.horizontalAdvance(key) < left_over)
      painter_.drawText(top, Qt::AlignRight | Qt::AlignVCenter, key);
    for (const double mos : {1.0, 2.0, 3.0, 4.0, kHighestMos}) {
      const double y = std::floor(y_of(mos)) + 0.5;  // on one row of pixels, so that the line is crisp
      painter_.setPen(QPen(style_.grid, 1));
      painter_.drawLine(QPointF(scale_.left(), y), QPointF(scale_.right(), y));
      painter_.setPen(style_.faint);
      const QRectF label(bounds_.left(), y - metrics_.height() / 2, scale_.left() - bounds_.left() - kMargin / 2,
                         metrics_.height());
      painter_.drawText(label, Qt::AlignRight | Qt::AlignVCenter, QString::number(mos, 'g', 3));
    }
  }

  void paint_invitation() {
    painter_.setPen(style_.faint);
    painter_.drawText(scale_, Qt::AlignCenter | Qt::TextWordWrap,
                      u"Each stimulus gets a column here as soon as it is measured"_s);
  }

  void paint_overall() {
    if (!plot_.mean) return;
    painter_.save();
    painter_.setClipRect(scale_, Qt::IntersectClip);
    const double y = std::round(y_of(*plot_.mean));
    if (plot_.half_width) {
      QColor band = style_.overall;
      band.setAlpha(40);
      painter_.fillRect(QRectF(QPointF(scale_.left(), y_of(*plot_.mean + *plot_.half_width)),
                               QPointF(scale_.right(), y_of(*plot_.mean - *plot_.half_width))),
                        band);
    }
    painter_.setPen(QPen(style_.overall, 2, Qt::DashLine));
    painter_.drawLine(QPointF(scale_.left(), y), QPointF(scale_.right(), y));
    painter_.restore();
  }

  void paint_column(const StimulusPoint& point, double x) {
    const double line = metrics_.height();
    const double top = scale_.bottom() + kMargin + line / 4;
    paint_label(x, top, point.stimulus, style_.text, true);
    const bool waiting = !point.mean && point.not_scored == 0;
    paint_label(x, top + line, waiting ? u"·"_s : mos_words(point.mean), point.mean ? style_.mean : style_.faint,
                false);
    if (waiting) return;
    paint_label(x, top + 2 * line, u"n %1"_s.arg(point.scores.size()), style_.faint, false);
    if (point.not_scored > 0) paint_not_scored(x, top + 3 * line, point.not_scored);
    paint_scores(point, x);
    if (point.mean) paint_mean(point, x);
  }

  void paint_label(double x, double y, const QString& text, const QColor& colour, bool strong) {
    QFont font = style_.font;
    font.setBold(strong);
    painter_.setFont(font);
    painter_.setPen(colour);
    const double width = column_width();
    const QString shown = QFontMetricsF(font).elidedText(text, Qt::ElideRight, width);
    painter_.drawText(QRectF(x - width / 2, y, width, metrics_.height()), Qt::AlignCenter, shown);
  }

  void paint_not_scored(double x, double y, std::size_t count) {
    const QString text = QString::number(count);
    const double width = 2 * kCrossRadius + kCrossRadius + metrics_.horizontalAdvance(text);
    const double left = x - width / 2;
    const QPointF middle(left + kCrossRadius, y + metrics_.height() / 2);
    painter_.setPen(QPen(style_.unscored, 2));
    painter_.drawLine(middle - QPointF(kCrossRadius, kCrossRadius), middle + QPointF(kCrossRadius, kCrossRadius));
    painter_.drawLine(middle - QPointF(kCrossRadius, -kCrossRadius), middle + QPointF(kCrossRadius, -kCrossRadius));
    painter_.setFont(style_.font);
    painter_.drawText(QRectF(left + 3 * kCrossRadius, y, column_width(), metrics_.height()),
                      Qt::AlignLeft | Qt::AlignVCenter, text);
  }

  void paint_scores(const StimulusPoint& point, double x) {
    painter_.save();
    painter_.setClipRect(scale_.adjusted(0, -kDiscRadius, 0, kDiscRadius), Qt::IntersectClip);
    QColor dot = style_.mean;
    dot.setAlpha(110);
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(dot);
    const double aside = std::min(column_width() * 0.28, 14.0);
    for (const double mos : point.scores) painter_.drawEllipse(QPointF(x + aside, y_of(mos)), kDotRadius, kDotRadius);
    painter_.restore();
  }

  void paint_mean(const StimulusPoint& point, double x) {
    painter_.save();
    const double y = y_of(*point.mean);
    painter_.setPen(QPen(style_.mean, 2));
    if (point.half_width) {
      // On whole pixels, so that lines of two are crisp.
      const double up = std::round(y_of(*point.mean + *point.half_width));
      const double down = std::round(y_of(*point.mean - *point.half_width));
      painter_.drawLine(QPointF(x, std::max(up, scale_.top())), QPointF(x, std::min(down, scale_.bottom())));
      paint_end(x, up, scale_.top(), 1);
      paint_end(x, down, scale_.bottom(), -1);
    }
    painter_.setBrush(point.conditional ? style_.background : style_.mean);
    painter_.drawEllipse(QPointF(x, y), kDiscRadius, kDiscRadius);
    painter_.restore();
  }

  /// The end of an interval at `y`: a cap, or an arrow at the `edge` of the plot if it does not end before it.
  /// `inwards` is 1 at the upper edge and -1 at the lower one.
  void paint_end(double x, double y, double edge, int inwards) {
    const double wide = std::min(column_width() * 0.2, 7.0);
    if ((y - edge) * inwards >= 0) return painter_.drawLine(QPointF(x - wide, y), QPointF(x + wide, y));
    for (const double side : {-wide, wide})
      painter_.drawLine(QPointF(x, edge), QPointF(x + side, edge + inwards * wide));
  }

  QPainter& painter_;
  const QRectF bounds_;
  const DirectionPlot& plot_;
  const PlotStyle& style_;
  const QFontMetricsF metrics_;
  QRectF scale_;
};

}  // namespace

void paint_direction(QPainter& painter, const QRectF& bounds, const DirectionPlot& plot, const PlotStyle& style) {
  painter.save();
  painter.setClipRect(bounds, Qt::IntersectClip);
  painter.setRenderHint(QPainter::Antialiasing);
  DirectionPainter(painter, bounds, plot, style).paint();
  painter.restore();
}

}  // namespace vqas::app
