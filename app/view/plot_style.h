#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>

namespace vqas::app {

/// Colours and letters of a plot. The three strong colours are told apart by the colour-blind (Okabe and Ito, "Color
/// Universal Design", 2008); each also has a shape of its own, so that none carries a meaning alone.
struct PlotStyle {
  QColor background, text, faint, grid;
  QColor mean;      ///< means and their intervals
  QColor overall;   ///< the direction's mean
  QColor unscored;  ///< what could not be scored
  QFont font;
};

/// The style that fits a palette, light or dark.
PlotStyle plot_style(const QPalette& palette, const QFont& font);

}  // namespace vqas::app
