#include "screenshot.h"

#include <QImageWriter>
#include <QPixmap>
#include <QWidget>
#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace vqas::app {

namespace {

// The colours that most pixels have: text and plots need few, and the picture is a third as large.
QList<QRgb> usual_colours(const QImage& image) {
  constexpr std::size_t kMost = 256;
  std::unordered_map<QRgb, int> counts;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) ++counts[image.pixel(x, y)];
  std::vector<std::pair<int, QRgb>> by_count;
  for (const auto& [colour, count] : counts) by_count.emplace_back(count, colour);
  std::ranges::sort(by_count, std::greater());
  if (by_count.size() > kMost) by_count.resize(kMost);
  QList<QRgb> colours;
  for (const auto& [count, colour] : by_count) colours.append(colour);
  return colours;
}

}  // namespace

Status save_screenshot(QWidget& window, const QString& path) {
  QImageWriter writer(path, "png");
  writer.setCompression(100);
  const QImage image = window.grab().toImage().convertToFormat(QImage::Format_RGB32);
  if (!writer.write(image.convertToFormat(QImage::Format_Indexed8, usual_colours(image))))
    return Error{ErrorCode::io, "the picture " + path.toStdString() + " cannot be written: " +
                                    writer.errorString().toStdString() + "; choose another place"};
  return success();
}

}  // namespace vqas::app
