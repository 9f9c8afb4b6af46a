#include "view/time_view.h"

#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <utility>

#include "model/text.h"
#include "model/words.h"
#include "view/language.h"
#include "view/plot_stamp.h"
#include "view/plot_style.h"
#include "vqas/run/mos_scale.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr double kLowest = 1.0;                              // of both scales
constexpr double kMargin = 8, kMark = 3, kBetweenMeans = 2;  // device-independent pixels

/// A to B is drawn with discs and a full line, B to A with open squares and a dashed one.
class TimePainter {
 public:
  TimePainter(QPainter& painter, const QRectF& bounds, const PlotStyle& style, ScoreMode mode)
      : painter_(painter), style_(style), metrics_(style.font), highest_(highest_mos(mode)) {
    const double line = metrics_.height();
    scale_ = bounds.adjusted(metrics_.horizontalAdvance(number_words(highest_)) + 2 * kMargin, 1.6 * line, -kMargin,
                             -1.6 * line);
  }

  void paint(const std::vector<TimeSeries>& series) {
    painter_.setFont(style_.font);
    if (scale_.width() < 40 || scale_.height() < 20) return;
    for (const TimeSeries& one : series) last_ = std::max(last_, one.points.back().number);
    paint_scale();
    double left = scale_.left();
    for (const TimeSeries& one : series) {
      paint_series(one);
      left = paint_key(one, left);
    }
  }

 private:
  QColor colour_of(const TimeSeries& series) const { return series.from == End::a ? style_.mean : style_.overall; }
  double y_of(double mos) const { return scale_.bottom() - (mos - kLowest) / (highest_ - kLowest) * scale_.height(); }
  double x_of(std::uint32_t number) const {
    return scale_.left() + (number - 0.5) / std::max<double>(last_, 10) * scale_.width();
  }

  void paint_scale() {
    for (const double mos : {1.0, 2.0, 3.0, 4.0, highest_}) {
      const double y = std::floor(y_of(mos)) + 0.5;
      painter_.setPen(QPen(style_.grid, 1));
      painter_.drawLine(QPointF(scale_.left(), y), QPointF(scale_.right(), y));
      painter_.setPen(style_.faint);
      painter_.drawText(QRectF(0, y - metrics_.height() / 2, scale_.left() - kMargin, metrics_.height()),
                        Qt::AlignRight | Qt::AlignVCenter, number_words(mos));
    }
    painter_.drawText(QRectF(scale_.left(), scale_.bottom() + kMargin / 2, scale_.width(), metrics_.height()),
                      Qt::AlignCenter, Text::tr("number of the measurement in its direction"));
  }

  static void mark(QPainter& painter, End from, QPointF at) {
    if (from == End::a)
      painter.drawEllipse(at, kMark, kMark);
    else
      painter.drawRect(QRectF(at.x() - kMark, at.y() - kMark, 2 * kMark, 2 * kMark));
  }

  void paint_series(const TimeSeries& series) {
    const QColor colour = colour_of(series);
    QColor pale = colour;
    pale.setAlpha(150);
    PlotStamp scored(painter_, kMark + 1, [&](QPainter& painter) {
      painter.setPen(QPen(pale, 1));
      painter.setBrush(series.from == End::a ? QBrush(pale) : QBrush(Qt::NoBrush));
      mark(painter, series.from, {});
    });
    PlotStamp unscored(painter_, kMark + 1, [this](QPainter& painter) {
      painter.setPen(QPen(style_.unscored, 2));
      painter.drawLine(QPointF(-kMark, -kMark), QPointF(kMark, kMark));
      painter.drawLine(QPointF(-kMark, kMark), QPointF(kMark, -kMark));
    });
    QPolygonF means;
    for (const TimePoint& point : series.points) {
      const double x = x_of(point.number);
      // More points than the screen has columns make the line no clearer.
      const bool apart = means.isEmpty() || x - means.last().x() >= kBetweenMeans || &point == &series.points.back();
      if (point.running_mean > 0 && apart) means << QPointF(x, y_of(point.running_mean));
      if (point.mos)
        scored.put(QPointF(x, y_of(*point.mos)));
      else
        unscored.put(QPointF(x, scale_.bottom()));
    }
    painter_.setBrush(Qt::NoBrush);
    painter_.setPen(QPen(colour, 2, series.from == End::a ? Qt::SolidLine : Qt::DashLine));
    painter_.drawPolyline(means);
  }

  double paint_key(const TimeSeries& series, double left) {
    const double middle = scale_.top() - 0.8 * metrics_.height();
    const QColor colour = colour_of(series);
    painter_.setPen(QPen(colour, 1));
    painter_.setBrush(series.from == End::a ? QBrush(colour) : QBrush(Qt::NoBrush));
    mark(painter_, series.from, QPointF(left + kMark, middle));
    painter_.setBrush(Qt::NoBrush);
    painter_.setPen(QPen(colour, 2, series.from == End::a ? Qt::SolidLine : Qt::DashLine));
    painter_.drawLine(QPointF(left + 3 * kMark, middle), QPointF(left + 11 * kMark, middle));
    painter_.setPen(style_.text);
    const QString words = Text::tr("%1: each, and the mean so far").arg(direction_label(series.from));
    const double at = left + 13 * kMark;
    painter_.drawText(QPointF(at, middle + metrics_.ascent() / 2 - 1), words);
    return at + metrics_.horizontalAdvance(words) + 8 * kMark;
  }

  QPainter& painter_;
  const PlotStyle& style_;
  const QFontMetricsF metrics_;
  const double highest_;
  QRectF scale_;
  std::uint32_t last_ = 0;
};

}  // namespace

TimeView::TimeView(QWidget* parent) : QWidget(parent) {
  setObjectName(u"time"_s);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  in_each_language(this, [this] { write_texts(); });
}

void TimeView::show_results(std::vector<TimeSeries> series) {
  series_ = std::move(series);
  write_texts();
}

void TimeView::write_texts() {
  setAccessibleName(tr("Plot of MOS in the order of the run"));
  QString words;
  for (const TimeSeries& one : series_)
    words += tr("%1: %2, mean so far %3. ")
                 .arg(direction_label(one.from), measurements_words(one.points.size()),
                      one.points.back().running_mean > 0 ? mos_words(one.points.back().running_mean) : tr("unknown"));
  setAccessibleDescription(words.trimmed());
  update();
}

void TimeView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const PlotStyle style = plot_style(palette(), font());
  painter.fillRect(rect(), style.background);
  const ScoreMode mode = series_.empty() ? ScoreMode::narrowband : series_.front().mode;
  TimePainter(painter, rect(), style, mode).paint(series_);
}

}  // namespace vqas::app
