#include "screenshot.h"

#include <QImageWriter>
#include <QPixmap>
#include <QWidget>

namespace vqas::app {

Status save_screenshot(QWidget& window, const QString& path) {
  QImageWriter writer(path, "png");
  writer.setCompression(100);
  // Text and plots need few colours, and such a picture is a third as large.
  if (!writer.write(
          window.grab().toImage().convertToFormat(QImage::Format_Indexed8, Qt::ThresholdDither | Qt::AvoidDither)))
    return Error{ErrorCode::io, "the picture " + path.toStdString() + " cannot be written: " +
                                    writer.errorString().toStdString() + "; choose another place"};
  return success();
}

}  // namespace vqas::app
