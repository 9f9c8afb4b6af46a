#include "vqas/store/utc_text.h"

#include <QDateTime>
#include <cmath>

namespace vqas {
namespace {

QDateTime at(double utc_s) {
  return QDateTime::fromMSecsSinceEpoch(std::llround(1000 * utc_s), Qt::UTC);
}

}  // namespace

std::string utc_text(double utc_s) {
  return at(utc_s).toString(Qt::ISODateWithMs).toStdString();
}

std::string utc_words(double utc_s) {
  return at(utc_s).toString("yyyy-MM-dd hh:mm:ss").toStdString();
}

std::optional<double> utc_from_text(const std::string& text) {
  const auto found = QDateTime::fromString(QString::fromStdString(text), Qt::ISODateWithMs);
  if (!found.isValid() || found.timeSpec() == Qt::LocalTime) return std::nullopt;
  return 1e-3 * static_cast<double>(found.toMSecsSinceEpoch());
}

}  // namespace vqas
