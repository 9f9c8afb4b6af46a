#pragma once

#include <QWidget>

#include "model/plot_data.h"
#include "view/language.h"

class QLabel;

namespace vqas::app {

class WrappedLabel;

/// The drawing area of one direction; all drawing is paint_direction()'s.
class DirectionPlotWidget : public QWidget {
  Q_OBJECT
 public:
  explicit DirectionPlotWidget(QWidget* parent = nullptr);
  void show_plot(const DirectionPlot& plot);
  const DirectionPlot& plot() const { return plot_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  DirectionPlot plot_;
};

/// One direction of the line: its name, its mean as the largest figure of the window, and the plot.
class DirectionPanel : public QWidget {
  Q_OBJECT
 public:
  /// Of the direction that starts at `from`.
  explicit DirectionPanel(End from, QWidget* parent = nullptr);
  void show_plot(const DirectionPlot& plot);
  /// Shows the state before a run, or a direction that is not measured.
  void show_nothing();
  QString mean_text() const;
  /// A warning above the plot; an empty one takes it away.
  void show_warning(const Words& warning);

 private:
  End from_;
  QLabel* heading_;
  QLabel* figure_;
  QLabel* quality_;
  WrappedLabel* mean_;
  WrappedLabel* warning_;
  DirectionPlotWidget* plot_;
};

/// What stands beside the mean's figure: "±0.05 (99 %), over 12 of 12 stimuli"; without a mean the text says so.
QString direction_mean_words(const DirectionPlot& plot);

}  // namespace vqas::app
