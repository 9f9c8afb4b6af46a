#include "view/direction_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include "model/phrases.h"
#include "model/text.h"
#include "model/words.h"
#include "view/direction_painter.h"
#include "view/wrapped_label.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

// Of the plot: it has three rows of numbers below its scale.
constexpr int kLeastLetters = 32, kLeastRows = 11;
constexpr int kMostLines = 8;

void enlarge(QLabel& label, double factor) {
  QFont font = label.font();
  font.setBold(true);
  font.setPointSizeF(font.pointSizeF() * factor);
  label.setFont(font);
}

}  // namespace

DirectionPlotWidget::DirectionPlotWidget(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QSize DirectionPlotWidget::sizeHint() const {
  return minimumSizeHint() * 1.5;
}

QSize DirectionPlotWidget::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * kLeastLetters, fontMetrics().lineSpacing() * kLeastRows};
}

void DirectionPlotWidget::show_plot(const DirectionPlot& plot) {
  plot_ = plot;
  update();
}

void DirectionPlotWidget::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint_direction(painter, rect(), plot_, plot_style(palette(), font()));
}

DirectionPanel::DirectionPanel(End from, QWidget* parent)
    : QWidget(parent),
      from_(from),
      heading_(new QLabel),
      figure_(new QLabel),
      quality_(new QLabel),
      mean_(new WrappedLabel(kMostLines)),
      warning_(new WrappedLabel(kMostLines)),
      plot_(new DirectionPlotWidget) {
  enlarge(*heading_, 1.2);
  enlarge(*figure_, 2.8);
  enlarge(*quality_, 1.4);
  figure_->setObjectName(u"figure"_s);
  quality_->setObjectName(u"quality"_s);
  mean_->setObjectName(u"mean"_s);
  auto* top = new QHBoxLayout;
  top->setSpacing(12);
  top->addWidget(heading_);
  top->addWidget(figure_);
  top->addWidget(quality_);
  top->addStretch();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addLayout(top);
  layout->addWidget(mean_);
  warning_->setObjectName(u"warning"_s);
  warning_->hide();
  layout->addWidget(warning_);
  layout->addWidget(plot_, 1);
  show_nothing();
  in_each_language(this, [this] { show_plot(DirectionPlot(plot_->plot())); });
}

void DirectionPanel::show_plot(const DirectionPlot& plot) {
  const QString title = direction_label(from_);
  const QString quality = translated(plot.quality);
  heading_->setText(title);
  figure_->setText(plot.mean ? mos_words(plot.mean) : QString());
  figure_->setAccessibleName(tr("Mean %1, %2").arg(scale_words(plot.mode), title));
  quality_->setText(quality);
  mean_->show_text(direction_mean_words(plot));
  plot_->show_plot(plot);
  plot_->setAccessibleName(tr("Plot of MOS by stimulus, %1").arg(title));
  plot_->setAccessibleDescription(u"%1 %2 %3"_s.arg(figure_->text(), quality, mean_->text()).trimmed() +
                                  tr(". The table Numbers has the same figures"));
}

void DirectionPanel::show_nothing() {
  show_plot({});
}

void DirectionPanel::show_warning(const Words& warning) {
  warning_->setVisible(static_cast<bool>(warning));
  if (!warning) return;
  QPalette colours = warning_->palette();
  colours.setColor(QPalette::WindowText, plot_style(palette(), font()).unscored);
  warning_->setPalette(colours);
  warning_->show_text([warning] { return u"⚠ "_s + warning(); });
}

QString DirectionPanel::mean_text() const {
  return mean_->text();
}

QString direction_mean_words(const DirectionPlot& plot) {
  if (plot.points.empty()) return Text::tr("not measured");
  if (!plot.mean) return Text::tr("no score yet");
  QString words = Text::tr("so far");
  if (plot.half_width)
    words = u"%1 (%2)"_s.arg(half_width_words(plot.half_width, plot.mode), confidence_words(plot.confidence));
  words += Text::tr(", over %1 of %2 stimuli").arg(plot.included).arg(plot.points.size());
  if (!plot.goal.isEmpty()) words += u"; "_s + translated(plot.goal);
  return plot.conditional ? words + u"; "_s + translated(plot.condition) : words;
}

}  // namespace vqas::app
