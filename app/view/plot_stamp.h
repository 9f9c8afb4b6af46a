#pragma once

#include <QPainter>
#include <QPixmap>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace vqas::app {

/// A mark of a plot that is drawn once and then copied: a run of hours has thousands of marks, and most of them lie on
/// others. On each pixel it is put a few times at most; the eye sees no difference.
class PlotStamp {
 public:
  /// `draw` draws the mark around (0, 0), within `radius` device-independent pixels.
  PlotStamp(QPainter& on, double radius, const std::function<void(QPainter&)>& draw)
      : on_(on), half_(std::ceil(radius) + 1), ratio_(on.device()->devicePixelRatioF()) {
    const int size = static_cast<int>(std::ceil(2 * half_ * ratio_));
    picture_ = QPixmap(size, size);
    picture_.setDevicePixelRatio(ratio_);
    picture_.fill(Qt::transparent);
    QPainter painter(&picture_);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(half_, half_);
    draw(painter);
  }

  void put(QPointF centre) {
    const std::pair pixel(std::lround(centre.x() * ratio_), std::lround(centre.y() * ratio_));
    if (++times_[pixel] > kMostOnAPixel) return;
    on_.drawPixmap(centre - QPointF(half_, half_), picture_);
  }

 private:
  static constexpr int kMostOnAPixel = 3;

  QPainter& on_;
  const double half_, ratio_;
  QPixmap picture_;
  std::map<std::pair<long, long>, int> times_;
};

}  // namespace vqas::app
