#pragma once

#include <QFontMetricsF>
#include <QPainter>
#include <QRectF>
#include <QStringList>

#include "model/plot_data.h"
#include "view/plot_style.h"

namespace vqas::app {

/// Paints one direction into `bounds` and nowhere else: the MOS scale from 1 to 4.55 (ITU-T P.862.1); a column for each
/// stimulus with its scores as small dots, the mean (a disc; an open one when it is conditional, as in the report), the
/// interval as a bar with caps; below it the mean as a number, how many were scored, and a cross with the number of
/// those that were not. Numbers that are wider than a column alternate between lines, so that none is cut. A dashed
/// line is the direction's mean. A stimulus without a score has no mark on the scale. Stateless; the painter's state is
/// restored.
void paint_direction(QPainter& painter, const QRectF& bounds, const DirectionPlot& plot, const PlotStyle& style);

/// Lines in which labels of columns of this width do not touch when neighbours alternate between them: 1 if each fits
/// into its column. At most 4.
int lines_of_labels(const QStringList& labels, double column_width, const QFontMetricsF& metrics);

}  // namespace vqas::app
