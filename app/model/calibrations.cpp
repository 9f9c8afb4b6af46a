#include "model/calibrations.h"

#include <QSettings>
#include <QUrl>
#include <cmath>

#include "model/text.h"
#include "model/words.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

// A name of a line has characters that divide keys.
QString key_of(const QString& line) {
  QString device = line.trimmed();
  if (const qsizetype monitor = device.indexOf(u"monitor="_s); monitor > 0) device.truncate(monitor - 1);
  return u"calibrations/"_s + QString::fromLatin1(QUrl::toPercentEncoding(device));
}

}  // namespace

std::optional<Calibration> Calibrations::of(const QString& line) const {
  const QString key = key_of(line);
  bool known = false;
  Calibration found;
  found.delay_ms = settings_.value(key + u"/delay_ms"_s).toDouble(&known);
  if (!known || !std::isfinite(found.delay_ms)) return std::nullopt;
  found.return_loss_db = settings_.value(key + u"/return_loss_db"_s).toDouble();
  found.measured = settings_.value(key + u"/measured"_s).toDateTime();
  return found;
}

void Calibrations::keep(const QString& line, const Calibration& calibration) {
  const QString key = key_of(line);
  settings_.setValue(key + u"/delay_ms"_s, calibration.delay_ms);
  settings_.setValue(key + u"/return_loss_db"_s, calibration.return_loss_db);
  settings_.setValue(key + u"/measured"_s, calibration.measured);
}

QString calibration_words(const Calibration& calibration) {
  const double loss_db = calibration.return_loss_db;
  const QString level = loss_db >= 0 ? Text::tr("comes back %1 dB weaker") : Text::tr("comes back %1 dB louder");
  return Text::tr("Own delay %1 ms, %2, measured on %3")
      .arg(number_words(calibration.delay_ms, 2), level.arg(number_words(std::fabs(loss_db), 1)),
           calibration.measured.toString(date_format().section(u' ', 0, 0)));
}

}  // namespace vqas::app
