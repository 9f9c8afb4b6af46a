#include "vqas/store/local_time.h"

#include <fmt/format.h>

#include <QDateTime>
#include <QTimeZone>
#include <chrono>
#include <cmath>
#include <utility>

namespace vqas {

struct LocalTime::Zone {
  QTimeZone zone;
};

LocalTime::LocalTime(std::string name, std::shared_ptr<const Zone> rules)
    : zone_(std::move(name)), rules_(std::move(rules)) {}

Result<LocalTime> LocalTime::of_zone(const std::string& zone) {
  const QByteArray id = QByteArray::fromStdString(zone);
  QTimeZone found = zone.empty() ? QTimeZone::systemTimeZone() : QTimeZone(id);
  if (zone.empty() && !found.isValid()) found = QTimeZone::utc();
  // Qt takes any word for the name of a zone without an offset (POSIX TZ).
  const bool named = zone.empty() || id.contains('/') || id == "UTC" || QTimeZone::availableTimeZoneIds().contains(id);
  if (!found.isValid() || !named)
    return Error{ErrorCode::bad_input,
                 fmt::format("\"{}\" is not a time zone of this system; write it like Europe/Berlin or UTC", zone)};
  return LocalTime(found.id().toStdString(), std::make_shared<const Zone>(Zone{found}));
}

LocalClock LocalTime::at(double utc_s) const {
  using std::chrono::days, std::chrono::sys_days;
  const auto whole = static_cast<std::int64_t>(std::floor(utc_s));
  LocalClock clock;
  clock.offset_s = rules_->zone.offsetFromUtc(QDateTime::fromSecsSinceEpoch(whole, Qt::UTC));
  constexpr std::int64_t kDay = 86400;
  const std::int64_t local = whole + clock.offset_s;
  const std::int64_t second = ((local % kDay) + kDay) % kDay;
  clock.day = (local - second) / kDay;
  const sys_days day{days{clock.day}};
  const std::chrono::year_month_day date{day};
  clock.weekday = static_cast<int>(std::chrono::weekday{day}.iso_encoding()) - 1;
  clock.hour = static_cast<int>(second / 3600);
  clock.date = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                           static_cast<unsigned>(date.day()));
  clock.time = fmt::format("{:02}:{:02}", clock.hour, second % 3600 / 60);
  return clock;
}

}  // namespace vqas
