#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "vqas/signal/result.h"

namespace vqas {

/// What clocks and calendars of a time zone show at an instant.
struct LocalClock {
  std::int64_t day = 0;  ///< days since 1970-01-01 of the local date
  int weekday = 0;       ///< 0: Monday, 6: Sunday
  int hour = 0;          ///< 0..23
  int offset_s = 0;      ///< of local time from UTC, s; positive in the east
  std::string date;      ///< "2026-11-23"
  std::string time;      ///< "06:30"
};

/// A time zone of the system's database, with its daylight saving. A value; re-entrant.
class LocalTime {
 public:
  /// "Europe/Berlin", "UTC"; empty: the machine's own, or UTC where that is unknown. Fails with bad_input.
  static Result<LocalTime> of_zone(const std::string& zone);
  const std::string& zone() const { return zone_; }
  /// At `utc_s`, seconds since 1970 in UTC.
  LocalClock at(double utc_s) const;

 private:
  struct Zone;
  LocalTime(std::string name, std::shared_ptr<const Zone> rules);
  std::string zone_;
  std::shared_ptr<const Zone> rules_;
};

}  // namespace vqas
