#include "view/plot_style.h"

namespace vqas::app {

namespace {

QColor mixed(const QColor& a, const QColor& b, double share_of_b) {
  const auto mix = [share_of_b](int x, int y) { return static_cast<int>(x + (y - x) * share_of_b); };
  return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

}  // namespace

PlotStyle plot_style(const QPalette& palette, const QFont& font) {
  PlotStyle style;
  style.font = font;
  style.background = palette.color(QPalette::Base);
  style.text = palette.color(QPalette::Text);
  const bool dark = style.background.lightness() < style.text.lightness();
  style.faint = mixed(style.text, style.background, 0.35);
  style.grid = mixed(style.background, style.text, dark ? 0.22 : 0.14);
  style.mean = dark ? QColor(0x56, 0xB4, 0xE9) : QColor(0x00, 0x72, 0xB2);
  style.overall = dark ? QColor(0x2F, 0xC8, 0x9B) : QColor(0x00, 0x7A, 0x5A);
  style.unscored = dark ? QColor(0xE6, 0x9F, 0x00) : QColor(0xC0, 0x4F, 0x00);
  return style;
}

}  // namespace vqas::app
