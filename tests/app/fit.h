#pragma once

#include <QStringList>

class QWidget;

namespace vqas::test {

/// What of a window cannot be read because its place is too small: each visible label, button, tab, field, cell and
/// heading that is cut off or elided. What can be scrolled to up and down is not cut off; with `sideways`, nor is what
/// can be scrolled to from left to right.
QStringList cut_texts(const QWidget& window, bool sideways);

}  // namespace vqas::test
