#include "screenshot.h"

#include <QImageWriter>
#include <QPixmap>
#include <QWidget>

namespace vqas::app {

Status save_screenshot(QWidget& window, const QString& path) {
  QImageWriter writer(path, "png");
  writer.setCompression(100);
  if (!writer.write(window.grab().toImage().convertToFormat(QImage::Format_RGB888)))
    return Error{ErrorCode::io, "the picture " + path.toStdString() + " cannot be written: " +
                                    writer.errorString().toStdString() + "; choose another place"};
  return success();
}

}  // namespace vqas::app
