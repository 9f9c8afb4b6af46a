#include "view/direction_painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "model/text.h"
#include "model/words.h"
#include "view/plot_stamp.h"
#include "vqas/run/mos_scale.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr double kLowestMos = 1.0;  // rounded lower end of both scales
constexpr double kBeyond = 0.25;    // MOS drawn beyond each end, for intervals that reach there

// All pixels are device-independent.
constexpr double kMargin = 8;
constexpr double kDiscRadius = 4.5;
constexpr double kDotRadius = 1.8;
constexpr double kCrossRadius = 3.5;
constexpr double kWidestColumn = 90;
constexpr double kBetweenLabels = 4;
constexpr int kMostLines = 4;

class DirectionPainter {
 public:
  DirectionPainter(QPainter& painter, const QRectF& bounds, const DirectionPlot& plot, const PlotStyle& style)
      : painter_(painter), bounds_(bounds), plot_(plot), style_(style), metrics_(style.font) {
    const double line = metrics_.height();
    const double left =
        std::max(metrics_.horizontalAdvance(number_words(highest_)), metrics_.horizontalAdvance(mean_caption_)) +
        2 * kMargin;
    scale_ = bounds.adjusted(left, 1.8 * line, -kMargin, -kMargin);
    make_labels();
    double lines = 0;
    for (const LabelRow& row : rows_) lines += row.lines;
    scale_.setBottom(scale_.bottom() - lines * line - kMargin);
  }

  void paint() {
    painter_.fillRect(bounds_, style_.background);
    painter_.setFont(style_.font);
    if (scale_.width() < 20 || scale_.height() < 20) return;  // nothing can be read on less
    paint_scale();
    if (plot_.points.empty()) return paint_invitation();
    paint_overall();
    paint_captions();
    for (std::size_t i = 0; i < plot_.points.size(); ++i) paint_column(i);
  }

 private:
  double y_of(double mos) const {
    return scale_.bottom() - (mos - kLowestMos + kBeyond) / (highest_ - kLowestMos + 2 * kBeyond) * scale_.height();
  }

  /// One label of each column, in as many lines as they need.
  struct LabelRow {
    QStringList labels;
    QFont font;
    int lines = 1;
  };
  enum LabelKind { kName, kMean, kCount, kNotScored, kLabelKinds };

  void make_labels() {
    for (LabelRow& row : rows_) row.font = style_.font;
    rows_[kName].font.setBold(true);
    for (const StimulusPoint& point : plot_.points) {
      const bool waiting = !point.mean && point.not_scored == 0;
      rows_[kName].labels += point.stimulus;
      rows_[kMean].labels += waiting ? u"·"_s : mos_words(point.mean);
      rows_[kCount].labels += waiting ? QString() : QString::number(point.scores.size());
      rows_[kNotScored].labels += point.not_scored == 0 ? QString() : QString::number(point.not_scored);
    }
    for (LabelRow& row : rows_) {
      const QFontMetricsF metrics(row.font);
      const double cross = &row == &rows_[kNotScored] ? 3 * kCrossRadius : 0;
      const bool empty = std::ranges::all_of(row.labels, &QString::isEmpty);
      row.lines = empty ? 0 : lines_of_labels(row.labels, column_width() - cross, metrics);
    }
  }

  double top_of(LabelKind kind) const {
    double top = scale_.bottom() + kMargin + metrics_.height() / 4;
    for (int before = 0; before < kind; ++before)
      top += rows_[static_cast<std::size_t>(before)].lines * metrics_.height();
    return top;
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
    painter_.drawText(top, Qt::AlignLeft | Qt::AlignVCenter, scale_words(plot_.mode));
    const QString key = Text::tr("●  mean    ○  mean of what was scored    - -  mean of the direction");
    const double left_over = top.width() - 2 * metrics_.horizontalAdvance(scale_words(plot_.mode));
    if (!plot_.points.empty() && metrics_.horizontalAdvance(key) < left_over)
      painter_.drawText(top, Qt::AlignRight | Qt::AlignVCenter, key);
    for (const double mos : {1.0, 2.0, 3.0, 4.0, highest_}) {
      const double y = std::floor(y_of(mos)) + 0.5;  // on one row of pixels, so that the line is crisp
      painter_.setPen(QPen(style_.grid, 1));
      painter_.drawLine(QPointF(scale_.left(), y), QPointF(scale_.right(), y));
      painter_.setPen(style_.faint);
      const QRectF label(bounds_.left(), y - metrics_.height() / 2, scale_.left() - bounds_.left() - kMargin / 2,
                         metrics_.height());
      painter_.drawText(label, Qt::AlignRight | Qt::AlignVCenter, number_words(mos));
    }
  }

  void paint_invitation() {
    painter_.setPen(style_.faint);
    painter_.drawText(scale_, Qt::AlignCenter | Qt::TextWordWrap,
                      Text::tr("Each stimulus gets a column here as soon as it is measured"));
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

  void paint_captions() {
    painter_.setPen(style_.faint);
    for (const auto& [kind, caption] : {std::pair{kMean, mean_caption_}, std::pair{kCount, u"n"_s}}) {
      if (rows_[kind].lines == 0) continue;
      const QRectF place(bounds_.left(), top_of(kind), scale_.left() - bounds_.left() - kMargin / 2,
                         rows_[kind].lines * metrics_.height());
      painter_.drawText(place, Qt::AlignRight | Qt::AlignVCenter, caption);
    }
  }

  void paint_column(std::size_t column) {
    const StimulusPoint& point = plot_.points[column];
    const double x = centre_of(column);
    paint_label(column, kName, style_.text);
    paint_label(column, kMean, point.mean ? style_.mean : style_.faint);
    paint_label(column, kCount, style_.faint);
    if (point.not_scored > 0) paint_not_scored(column);
    paint_scores(point, x);
    if (point.mean) paint_mean(point, x);
  }

  /// Where a label of this width is, within the plot even in the first and the last column.
  QRectF label_place(std::size_t column, LabelKind kind, double width) const {
    const LabelRow& row = rows_[kind];
    const double left = std::min(centre_of(column) - width / 2, bounds_.right() - width - 1);
    const double y = top_of(kind) +
                     static_cast<double>(column % static_cast<std::size_t>(std::max(row.lines, 1))) * metrics_.height();
    return {std::max(left, scale_.left()), y, width, metrics_.height()};
  }

  void paint_label(std::size_t column, LabelKind kind, const QColor& colour) {
    const LabelRow& row = rows_[kind];
    if (row.lines == 0) return;
    painter_.setFont(row.font);
    painter_.setPen(colour);
    const QString& text = row.labels[static_cast<qsizetype>(column)];
    const QFontMetricsF metrics(row.font);
    const double widest = std::max(column_width() * row.lines, 1.0);
    const double width = std::min(metrics.horizontalAdvance(text) + 1, widest);
    painter_.drawText(label_place(column, kind, width), Qt::AlignCenter,
                      metrics.elidedText(text, Qt::ElideRight, width));
  }

  void paint_not_scored(std::size_t column) {
    const QString& text = rows_[kNotScored].labels[static_cast<qsizetype>(column)];
    const double width = 3 * kCrossRadius + metrics_.horizontalAdvance(text) + 1;
    const QRectF place = label_place(column, kNotScored, width);
    const QPointF middle(place.left() + kCrossRadius, place.center().y());
    painter_.setPen(QPen(style_.unscored, 2));
    painter_.drawLine(middle - QPointF(kCrossRadius, kCrossRadius), middle + QPointF(kCrossRadius, kCrossRadius));
    painter_.drawLine(middle - QPointF(kCrossRadius, -kCrossRadius), middle + QPointF(kCrossRadius, -kCrossRadius));
    painter_.setFont(style_.font);
    painter_.drawText(place.adjusted(3 * kCrossRadius, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
  }

  void paint_scores(const StimulusPoint& point, double x) {
    painter_.save();
    painter_.setClipRect(scale_.adjusted(0, -kDiscRadius, 0, kDiscRadius), Qt::IntersectClip);
    QColor dot = style_.mean;
    dot.setAlpha(110);
    PlotStamp stamp(painter_, kDotRadius, [&dot](QPainter& painter) {
      painter.setPen(Qt::NoPen);
      painter.setBrush(dot);
      painter.drawEllipse(QPointF(), kDotRadius, kDotRadius);
    });
    const double aside = std::min(column_width() * 0.28, 14.0);
    for (const double mos : point.scores) stamp.put(QPointF(x + aside, y_of(mos)));
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
  const double highest_ = highest_mos(plot_.mode);
  const QString mean_caption_ = Text::tr("mean");
  QRectF scale_;
  std::array<LabelRow, kLabelKinds> rows_;
};

}  // namespace

int lines_of_labels(const QStringList& labels, double column_width, const QFontMetricsF& metrics) {
  double widest = 0;
  for (const QString& label : labels) widest = std::max(widest, metrics.horizontalAdvance(label));
  const double lines = std::ceil((widest + kBetweenLabels) / std::max(column_width, 1.0));
  return std::clamp(static_cast<int>(std::min<double>(lines, kMostLines)), 1,
                    std::max(1, std::min(kMostLines, static_cast<int>(labels.size()))));
}

void paint_direction(QPainter& painter, const QRectF& bounds, const DirectionPlot& plot, const PlotStyle& style) {
  painter.save();
  painter.setClipRect(bounds, Qt::IntersectClip);
  painter.setRenderHint(QPainter::Antialiasing);
  DirectionPainter(painter, bounds, plot, style).paint();
  painter.restore();
}

}  // namespace vqas::app
