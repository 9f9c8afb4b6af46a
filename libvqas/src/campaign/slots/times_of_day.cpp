#include <QDate>
#include <QDateTime>
#include <QTimeZone>
#include <algorithm>

#include "vqas/campaign/slot_schedule.h"

namespace vqas {
namespace {

/// The instant at which a clock of the zone shows the minute of that day, in s since 1970.
double instant_of(const QTimeZone& zone, QDate day, int minute) {
  const QDateTime as_utc(day, QTime(minute / 60, minute % 60), Qt::UTC);
  const qint64 shown_s = as_utc.toSecsSinceEpoch();
  const auto offset_at = [&zone](qint64 utc_s) {
    return zone.offsetFromUtc(QDateTime::fromSecsSinceEpoch(utc_s, Qt::UTC));
  };
  // The offset before a change is the one of a day earlier: zones change at most once in that time.
  const qint64 before = offset_at(shown_s - 86400), after = offset_at(shown_s + 86400);
  if (offset_at(shown_s - before) == before) return static_cast<double>(shown_s - before);
  if (offset_at(shown_s - after) == after) return static_cast<double>(shown_s - after);
  return static_cast<double>(shown_s - before);  // a time that the clocks skip
}

}  // namespace

std::vector<double> times_of_day(const SlotTimes& times, std::size_t count) {
  const QTimeZone zone(QByteArray::fromStdString(times.zone));
  std::vector<double> instants;
  if (times.at_min.empty() || !zone.isValid()) return instants;
  QDate day = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(1000 * times.from_s), zone).date().addDays(-1);
  while (instants.size() < count) {
    std::vector<double> of_day;
    for (const int minute : times.at_min) of_day.push_back(instant_of(zone, day, minute));
    // A skipped time may come after a later one.
    std::ranges::sort(of_day);
    for (const double instant : of_day) {
      const bool is_later = instants.empty() ? instant >= times.from_s : instant > instants.back();
      if (is_later && instants.size() < count) instants.push_back(instant);
    }
    day = day.addDays(1);
  }
  return instants;
}

}  // namespace vqas
