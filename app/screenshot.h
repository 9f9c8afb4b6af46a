#pragma once

#include <QString>

#include "vqas/signal/result.h"

class QWidget;

namespace vqas::app {

/// Writes what `window` shows to a PNG file. Fails with io. For the thread of the window.
Status save_screenshot(QWidget& window, const QString& path);

}  // namespace vqas::app
