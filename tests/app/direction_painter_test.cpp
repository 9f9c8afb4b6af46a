#include "view/direction_painter.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QImage>

#include "view/plot_style.h"

namespace vqas::app {
namespace {

using namespace Qt::StringLiterals;

const QColor kOutside(255, 0, 255);
const QRect kBounds(40, 30, 500, 320);

PlotStyle light() {
  return plot_style(QPalette(QColor(0xf0, 0xf0, 0xf0)), QApplication::font());
}

StimulusPoint scored(const QString& stimulus, double mean, double half_width) {
  StimulusPoint point;
  point.stimulus = stimulus;
  point.scores = {mean - half_width / 2, mean, mean + half_width / 2};
  point.mean = mean;
  point.half_width = half_width;
  point.confidence = 0.99;
  return point;
}

DirectionPlot plot_with(const std::vector<StimulusPoint>& points) {
  DirectionPlot plot;
  plot.points = points;
  return plot;
}

QImage painted(const DirectionPlot& plot, const PlotStyle& style, const QRect& bounds = kBounds) {
  QImage image(600, 400, QImage::Format_RGB32);
  image.fill(kOutside);
  QPainter painter(&image);
  paint_direction(painter, bounds, plot, style);
  return image;
}

QImage painted(const DirectionPlot& plot) {
  return painted(plot, light());
}

/// Number of pixels in `where` that have `colour`, within the tolerance of antialiasing.
int count(const QImage& image, const QColor& colour, const QRect& where = kBounds) {
  int found = 0;
  for (int y = where.top(); y <= where.bottom(); ++y) {
    for (int x = where.left(); x <= where.right(); ++x) {
      const QColor pixel = image.pixelColor(x, y);
      const int distance = std::abs(pixel.red() - colour.red()) + std::abs(pixel.green() - colour.green()) +
                           std::abs(pixel.blue() - colour.blue());
      if (distance < 24) ++found;
    }
  }
  return found;
}

/// Mean height of the pixels of that colour in the left or right half, -1 when there are none.
double height_of(const QImage& image, const QColor& colour, const QRect& where) {
  double sum = 0;
  int found = 0;
  for (int y = where.top(); y <= where.bottom(); ++y) {
    const int here = count(image, colour, QRect(where.left(), y, where.width(), 1));
    sum += static_cast<double>(y) * here;
    found += here;
  }
  return found == 0 ? -1 : sum / found;
}

/// The part of the bounds that holds the scale, without the labels under it.
QRect upper(const QRect& bounds = kBounds) {
  return {bounds.left(), bounds.top(), bounds.width(), bounds.height() / 2};
}

std::vector<DirectionPlot> all_kinds() {
  StimulusPoint only_failures;
  only_failures.stimulus = u"F5"_s;
  only_failures.not_scored = 12345;
  StimulusPoint one_score;
  one_score.stimulus = u"M1"_s;
  one_score.scores = {4.55};
  one_score.mean = 4.55;
  StimulusPoint long_name = scored(u"a-name-that-is-longer-than-its-column"_s, 1.0, 50.0);
  std::vector<StimulusPoint> many;
  for (int i = 0; i < 40; ++i) {
    many.push_back(scored(u"S%1"_s.arg(i), 1.0 + 3.55 * i / 39, 0.1 * i));
    many.back().not_scored = 12345;
  }
  DirectionPlot with_mean = plot_with({scored(u"M1"_s, 4.5, 0.2)});
  with_mean.mean = 4.5;
  with_mean.half_width = 3.0;
  return {plot_with({}), plot_with({only_failures}), plot_with({one_score}), plot_with({long_name}), plot_with(many),
          with_mean};
}

TEST(DirectionPainter, StaysWithinItsBounds) {
  for (const QRect& bounds :
       {kBounds, QRect(40, 30, 60, 50), QRect(40, 30, 3, 3), QRect(40, 30, 500, 90), QRect(40, 30, 140, 300)}) {
    for (const DirectionPlot& plot : all_kinds()) {
      const QImage image = painted(plot, light(), bounds);
      for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
          if (bounds.contains(x, y)) continue;
          ASSERT_EQ(image.pixelColor(x, y), kOutside) << x << ", " << y << ", points " << plot.points.size();
        }
      }
      EXPECT_EQ(image.pixelColor(bounds.left() + 1, bounds.top() + 1), light().background);
    }
  }
}

TEST(DirectionPainter, AnEmptyPlotShowsAnInvitation) {
  const QImage image = painted(plot_with({}));
  EXPECT_EQ(count(image, light().mean), 0);
  EXPECT_EQ(count(image, light().unscored), 0);
  EXPECT_GT(count(image, light().grid), 4 * 300) << "the scale's lines";
}

TEST(DirectionPainter, ABetterMeanIsHigher) {
  const QRect left(kBounds.left(), kBounds.top(), kBounds.width(), kBounds.height() - 80);
  const double good = height_of(painted(plot_with({scored(u"M1"_s, 4.0, 0.1)})), light().mean, left);
  const double fair = height_of(painted(plot_with({scored(u"M1"_s, 3.0, 0.1)})), light().mean, left);
  const double poor = height_of(painted(plot_with({scored(u"M1"_s, 2.0, 0.1)})), light().mean, left);
  ASSERT_GT(good, 0);
  EXPECT_LT(good, fair);
  EXPECT_NEAR(fair - good, poor - fair, 1.5) << "the scale is linear";
}

TEST(DirectionPainter, DrawsAWiderIntervalLonger) {
  const auto ink = [](double half_width) {
    StimulusPoint point = scored(u"M1"_s, 2.5, half_width);
    point.scores.clear();
    return count(painted(plot_with({point})), light().mean);
  };
  EXPECT_GT(ink(0.5), ink(0.1) + 40);
  EXPECT_GT(ink(1.0), ink(0.5) + 60);
}

TEST(DirectionPainter, AnIntervalBeyondTheScaleIsDrawnToItsEnd) {
  const auto highest = [](double half_width) {
    StimulusPoint point = scored(u"M1"_s, 4.4, half_width);
    point.scores.clear();
    const QImage image = painted(plot_with({point}));
    for (int y = kBounds.top(); y <= kBounds.bottom(); ++y)
      if (count(image, light().mean, QRect(kBounds.left(), y, kBounds.width(), 1)) > 0) return y;
    return kBounds.bottom();
  };
  EXPECT_LT(highest(0.25), highest(0.15)) << "4.65 is above 4.55";
  EXPECT_EQ(highest(2.0), highest(9.0)) << "an arrow at the edge";
}

TEST(DirectionPainter, DrawsNoIntervalForASingleScore) {
  StimulusPoint point = scored(u"M1"_s, 3.0, 0.3);
  const int with_interval = count(painted(plot_with({point})), light().mean);
  point.half_width.reset();
  EXPECT_LT(count(painted(plot_with({point})), light().mean), with_interval - 40);
}

TEST(DirectionPainter, LeavesTheDiscOfAConditionalMeanOpen) {
  StimulusPoint point = scored(u"M1"_s, 3.0, 0.3);
  const int filled = count(painted(plot_with({point})), light().mean);
  point.conditional = true;
  EXPECT_LT(count(painted(plot_with({point})), light().mean), filled - 15);
}

TEST(DirectionPainter, MarksWhatWasNotScoredApartFromTheScale) {
  StimulusPoint point;
  point.stimulus = u"F5"_s;
  point.not_scored = 3;
  const QImage image = painted(plot_with({point}));
  EXPECT_EQ(count(image, light().mean), 0) << "nothing is drawn as a score";
  EXPECT_EQ(count(image, light().unscored, upper()), 0) << "nothing is on the scale";
  EXPECT_GT(count(image, light().unscored), 15);
  point.not_scored = 0;
  EXPECT_EQ(count(painted(plot_with({point})), light().unscored), 0);
}

TEST(DirectionPainter, DrawsTheDirectionsMeanAcrossTheScale) {
  DirectionPlot plot = plot_with({scored(u"M1"_s, 4.0, 0.1), scored(u"M2"_s, 3.0, 0.1)});
  EXPECT_EQ(count(painted(plot), light().overall), 0);
  plot.mean = 3.5;
  EXPECT_GT(count(painted(plot), light().overall), 150);
}

TEST(DirectionPainter, IsReadableOnADarkPalette) {
  QPalette palette(QColor(0x30, 0x30, 0x30));
  palette.setColor(QPalette::Base, QColor(0x20, 0x20, 0x20));
  palette.setColor(QPalette::Text, QColor(0xf0, 0xf0, 0xf0));
  const PlotStyle dark = plot_style(palette, QApplication::font());
  EXPECT_NE(dark.mean, light().mean);
  const QImage image = painted(plot_with({scored(u"M1"_s, 3.0, 0.3)}), dark);
  EXPECT_GT(count(image, dark.mean), 40);
  EXPECT_GT(count(image, palette.color(QPalette::Base)), 100'000);
  for (const QColor& colour : {dark.mean, dark.overall, dark.unscored, dark.text, dark.faint})
    EXPECT_GT(colour.lightness() - dark.background.lightness(), 60) << colour.name().toStdString();
}

TEST(DirectionPainter, GrowsWithTheDevicesPixels) {
  QImage image(1200, 800, QImage::Format_RGB32);
  image.setDevicePixelRatio(2);
  image.fill(kOutside);
  const DirectionPlot plot = plot_with({scored(u"M1"_s, 3.0, 0.3)});
  {
    QPainter painter(&image);
    paint_direction(painter, kBounds, plot, light());
  }
  const int fine = count(image, light().mean, QRect(80, 60, 1000, 640));
  EXPECT_GT(fine, 3 * count(painted(plot), light().mean));
  EXPECT_EQ(image.pixelColor(79, 60), kOutside);
  EXPECT_EQ(image.pixelColor(1080, 60), kOutside);
}

TEST(DirectionPainter, LabelsWiderThanAColumnAlternateBetweenLines) {
  const QFontMetricsF metrics(QApplication::font());
  const QStringList labels(12, u"3.05"_s);
  const double wide = metrics.horizontalAdvance(u"3.05"_s);
  EXPECT_EQ(lines_of_labels(labels, wide + 5, metrics), 1);
  EXPECT_EQ(lines_of_labels(labels, wide - 1, metrics), 2);
  EXPECT_EQ(lines_of_labels(labels, wide / 2, metrics), 3);
  EXPECT_EQ(lines_of_labels({u"3.05"_s}, wide - 1, metrics), 1) << "it has no neighbour";
  EXPECT_EQ(lines_of_labels({}, 10, metrics), 1);
}

TEST(DirectionPainter, LeavesThePainterAsItWas) {
  QImage image(600, 400, QImage::Format_RGB32);
  QPainter painter(&image);
  const QPen pen(Qt::red, 3);
  painter.setPen(pen);
  const QFont font = painter.font();
  paint_direction(painter, kBounds, plot_with({scored(u"M1"_s, 3.0, 0.3)}), light());
  EXPECT_EQ(painter.pen(), pen);
  EXPECT_EQ(painter.font(), font);
  EXPECT_FALSE(painter.hasClipping());
}

}  // namespace
}  // namespace vqas::app
