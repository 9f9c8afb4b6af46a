#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>

namespace vqas::app {

/// Colours and fonts of a plot. The colour-blind can distinguish the three strong colours (Okabe and Ito, "Color
/// Universal Design", 2008); each also has its own shape, so that no meaning depends on colour alone.
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
