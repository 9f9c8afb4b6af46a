#include "model/level_meter.h"

#include <algorithm>
#include <cmath>

#include "model/text.h"
#include "model/words.h"
#include "vqas/signal/level.h"

namespace vqas::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int kKept_s = 10, kOfPeak_s = 1;
constexpr int kLeast_s = 5;              // a few words alone say nothing of the level of speech
constexpr double kOverload_dbfs = -0.1;  // a sample at full scale, whatever its coding

QString decibels(double value, const QString& unit) {
  return number_words(value, 1) + u' ' + unit;
}

}  // namespace

void LevelMeter::add(std::span<const float> samples) {
  kept_.insert(kept_.end(), samples.begin(), samples.end());
  const std::size_t most = seconds(kKept_s);
  if (kept_.size() > most) kept_.erase(kept_.begin(), kept_.end() - static_cast<std::ptrdiff_t>(most));
}

MeterReading LevelMeter::reading() const {
  MeterReading reading;
  const std::span<const float> all(kept_);
  float peak = 0;
  for (const float one : all.last(std::min(all.size(), seconds(kOfPeak_s)))) peak = std::max(peak, std::abs(one));
  if (peak > 0) reading.peak_dbfs = amplitude_to_db(static_cast<double>(peak));
  if (all.size() < seconds(kLeast_s)) return reading;
  if (const auto level = measure_speech_level(all, rate_hz_))
    reading.active_dbm0 = level->active_level_dbov - kZeroDbm0MuLawDbov;
  return reading;
}

QString meter_words(const MeterReading& reading) {
  if (!reading.peak_dbfs) return Text::tr("silence");
  QString words = Text::tr("peak %1").arg(decibels(*reading.peak_dbfs, u"dBFS"_s));
  if (reading.active_dbm0) words += Text::tr(", speech %1").arg(decibels(*reading.active_dbm0, u"dBm0"_s));
  if (*reading.peak_dbfs >= kOverload_dbfs) words += Text::tr("; ⚠ overloaded: lower this level");
  return words;
}

}  // namespace vqas::app
